//! Whatever keys are pressed, whatever is answered: nothing panics.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::data::{Data, RunSheet, RunView};
use super::fixture::{
    answer, answered, corpora, document, key, launch, page, press, runs, sheet, showing, tables,
};
use super::fixture_runs::{compare, more, sweep};
use super::keymap::BINDINGS;
use super::message::Message;
use super::state::Screen;
use super::update::update;
use super::view;

fn data(choice: usize) -> Data {
    match choice % 11 {
        0 => corpora(),
        1 => Data::Corpora(Vec::new()),
        2 => Data::Corpus(Some(Box::new(page(choice as i64, choice)))),
        3 => launch(),
        4 => runs(choice as i64),
        5 => Data::Run(Some(Box::new(sheet()))),
        6 => Data::Run(None),
        7 => compare(),
        8 => sweep(),
        9 => Data::Run(Some(Box::new(RunSheet {
            more: more(RunView::ALL[choice % RunView::ALL.len()]),
            ..sheet()
        }))),
        10 => Data::Document(Some(Box::new(document()))),
        11 => Data::Document(None),
        12 => Data::Sql(tables()),
        _ => Data::Failed("the store is gone".into()),
    }
}

fn key_names() -> Vec<&'static str> {
    let bound = BINDINGS.iter().flat_map(|binding| binding.keys).flat_map(|keys| keys.split(' '));
    let bound = bound.filter(|key| !["F1", "Delete"].contains(key));
    bound.chain(["a", "7", ".", "e", "主"]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_keys_answers_and_sizes_never_panic(
        steps in prop::collection::vec((0_usize..100, 0_usize..1000), 1..120),
        screen in 0_usize..Screen::ALL.len(),
    ) {
        let names = key_names();
        let mut state = showing(Screen::ALL[screen], (80, 24));
        for (kind, choice) in steps {
            match kind {
                0..80 => { press(&mut state, &[names[choice % names.len()]]); }
                80..90 => { answer(&mut state, data(choice)); }
                90..93 => {
                    update(&mut state, Message::Resize(choice as u16 % 210, choice as u16 % 55));
                }
                93 => {
                    let ticket = state.sql.ticket;
                    update(&mut state, Message::Queried { ticket, outcome: Ok(answered()) });
                }
                94..95 => { update(&mut state, Message::Launched(Ok(choice as i64))); }
                _ => { update(&mut state, Message::Launched(Err("no".into()))); }
            }
            let area = Rect::new(0, 0, state.size.0, state.size.1);
            view::draw(&state, area, &mut Buffer::empty(area));
        }
    }
}

#[test]
fn every_bound_key_can_be_pressed() {
    for name in key_names() {
        assert!(super::keys::name(&key(name)).is_some(), "{name}");
    }
}
