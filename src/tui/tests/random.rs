//! Whatever keys are pressed, whatever is answered: nothing panics.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::fixture::{answered, corpora, document, launch, page, runs, sheet, tables};
use super::fixture_runs::{compare, more, sweep};
use super::user::{answer, bindings, key, names, press, showing};
use crate::records::corpora::CorpusRow;
use crate::tui::message::Message;
use crate::tui::message::News;
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::DocumentSheet;
use crate::tui::screens::run::{RunSheet, RunView};
use crate::tui::update::update;
use crate::tui::view;

fn data(choice: usize) -> Value {
    match choice % 14 {
        0 => corpora(),
        1 => Value::new(Vec::<CorpusRow>::new()),
        2 => Value::new(Some(Box::new(page(choice as i64, choice)))),
        3 => launch(),
        4 => runs(choice as i64),
        5 => Value::new(Some(Box::new(sheet()))),
        6 => Value::new(None::<Box<RunSheet>>),
        7 => compare(),
        8 => sweep(),
        9 => Value::new(Some(Box::new(RunSheet {
            more: more(RunView::ALL[choice % RunView::ALL.len()]),
            ..sheet()
        }))),
        10 => Value::new(Some(Box::new(document()))),
        11 => Value::new(None::<Box<DocumentSheet>>),
        12 => Value::new(tables()),
        _ => Value::new("of another screen"),
    }
}

fn key_names() -> Vec<&'static str> {
    let bindings = bindings().into_iter();
    let bound = bindings.flat_map(|(_, binding)| binding.keys).flat_map(|keys| keys.split(' '));
    let bound = bound.filter(|key| !["F1", "Delete"].contains(key));
    bound.chain(["a", "7", ".", "e", "主"]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_keys_answers_and_sizes_never_panic(
        steps in prop::collection::vec((0_usize..100, 0_usize..1000), 1..120),
        screen in 0_usize..names().len(),
    ) {
        let keys = key_names();
        let mut state = showing(names()[screen], (80, 24));
        for (kind, choice) in steps {
            match kind {
                0..80 => { press(&mut state, &[keys[choice % keys.len()]]); }
                80..90 => { answer(&mut state, data(choice)); }
                90..93 => {
                    update(&mut state, Message::Resize(choice as u16 % 210, choice as u16 % 55));
                }
                93 => {
                    let ticket = state.sql().ticket;
                    update(&mut state, Message::News(News::Queried { ticket, outcome: Ok(answered()) }));
                }
                94..95 => { update(&mut state, Message::News(News::Launched(Ok(choice as i64)))); }
                _ => { update(&mut state, Message::News(News::Launched(Err("no".into())))); }
            }
            let area = Rect::new(0, 0, state.bench.size.0, state.bench.size.1);
            view::draw(&state, area, &mut Buffer::empty(area));
        }
    }
}

#[test]
fn every_bound_key_can_be_pressed() {
    for name in key_names() {
        assert!(crate::tui::keys::name(&key(name)).is_some(), "{name}");
    }
}
