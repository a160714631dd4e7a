//! The key tables of all screens, and what a screen has to do to have keys, help and footer.

use super::user::{bindings, sides};
use crate::tui::keymap::{Action, hints};

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
