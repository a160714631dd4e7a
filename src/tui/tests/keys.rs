//! The key tables of all screens, and what a screen has to do to have keys, help and footer.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::fixture::of_runs::{compare, more, sweep};
use super::fixture::user::{answer, bindings, key, names, press, showing, sides};
use super::fixture::{answered, corpora, corpora_of, document, launch, page, runs, sheet, tables};
use crate::tui::keymap::{Action, hints};
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::DocumentDetail;
use crate::tui::screens::run::{RunView, RunWithTopics};
use crate::tui::update::update;
use crate::tui::view;
use topoi_store::id::RunId;

/// Keys a terminal cannot deliver apart, or that belong to multiplexers and flow control.
const FORBIDDEN: &[&str] = &[
    "Ctrl-I",
    "Ctrl-M",
    "Ctrl-[",
    "Ctrl-H",
    "Ctrl-B",
    "Ctrl-A",
    "Ctrl-S",
    "Ctrl-Q",
    "Ctrl-Enter",
    "Shift-Enter",
];

#[test]
fn no_key_is_bound_twice_in_a_table() {
    let all = bindings();
    for (index, (title, binding)) in all.iter().enumerate() {
        for (_, other) in all[index + 1..].iter().filter(|(other, _)| other == title) {
            for key in binding.keys {
                assert!(!other.keys.contains(key), "{key} twice in {title}");
            }
        }
    }
}

#[test]
fn no_key_is_also_the_beginning_of_a_sequence() {
    let all: Vec<&str> =
        bindings().into_iter().flat_map(|(_, binding)| binding.keys).copied().collect();
    for key in &all {
        let prefix = format!("{key} ");
        assert!(!all.iter().any(|other| other.starts_with(&prefix)), "{key}");
    }
}

#[test]
fn every_binding_is_described_and_deliverable() {
    for (_, binding) in bindings() {
        assert!(!binding.help.is_empty() && !binding.keys.is_empty());
        assert!(binding.help.len() < 44, "too long for the help: {}", binding.help);
        for key in binding.keys {
            assert!(!FORBIDDEN.contains(key) && !key.starts_with("Alt-"), "{key}");
            let only_suspends = *key != "Ctrl-Z" || binding.action == Action::Suspend;
            assert!(only_suspends, "Ctrl-Z suspends");
        }
    }
}

#[test]
fn the_footer_ends_with_help_and_the_way_out() {
    let corpora = &sides()[0];
    let hints = hints(&corpora.keys());
    assert_eq!(hints[hints.len() - 2..], [("?", "help"), ("q", "quit")]);
}

fn data(choice: usize) -> Value {
    match choice % 14 {
        0 => corpora(),
        1 => corpora_of(Vec::new()),
        2 => Value::new(Some(Box::new(page(choice as i64, choice)))),
        3 => launch(),
        4 => runs(choice as i64),
        5 => Value::new(Some(Box::new(sheet()))),
        6 => Value::new(None::<Box<RunWithTopics>>),
        7 => compare(),
        8 => sweep(),
        9 => Value::new(Some(Box::new(RunWithTopics {
            more: more(RunView::ALL[choice % RunView::ALL.len()]),
            ..sheet()
        }))),
        10 => Value::new(Some(Box::new(document()))),
        11 => Value::new(None::<Box<DocumentDetail>>),
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
                    update(&mut state, Message::EffectOutcome(EffectOutcome::Queried { ticket, outcome: Ok(answered()) }));
                }
                94..95 => { update(&mut state, Message::EffectOutcome(EffectOutcome::Launched(Ok(RunId(choice as i64))))); }
                _ => { update(&mut state, Message::EffectOutcome(EffectOutcome::Launched(Err("no".into())))); }
            }
            let area = Rect::new(0, 0, state.workbench.size.0, state.workbench.size.1);
            view::draw(&state, area, &mut Buffer::empty(area));
        }
    }
}

#[test]
fn every_bound_key_can_be_pressed() {
    for name in key_names() {
        assert!(crate::tui::keymap::key_name(&key(name)).is_some(), "{name}");
    }
}
