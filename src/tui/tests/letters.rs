//! One letter means one thing on all screens.

use std::collections::BTreeSet;

use super::fixture::user::{showing, sides};
use crate::tui::keymap;

/// The meaning of each letter, and the actions that it has somewhere. Whoever adds a key finds its letter here, or takes
/// another.
const LETTERS: [(char, &str, &[&str]); 42] = [
    ('a', "anchor a topic by words", &["anchor"]),
    ('A', "shape topics by hand", &["shape-by-hand"]),
    ('b', "bounds on K", &["compute-bounds"]),
    ('B', "topics that occur together, both in a document", &["correlations"]),
    ('c', "compare", &["compare", "compare-corpora", "compare-topics"]),
    ('C', "occurrences in context", &["contexts-of-a-word", "contexts-of-the-query"]),
    ('d', "documents", &["documents", "documents-of-a-word"]),
    ('D', "documents like this one", &["similar-documents"]),
    ('e', "export", &["export-csv"]),
    ('E', "export as JSON", &["export-json"]),
    ('f', "by a field, over time", &["by-field", "use-by-field", "the-query-by-field"]),
    ('F', "find in texts", &["search-type-a-query"]),
    ('G', "to the end", &["bottom"]),
    ('h', "to the left, or back", &["back", "left", "group-before"]),
    ('i', "ingest", &["ingest"]),
    ('I', "information: facts and metrics", &["facts", "metrics"]),
    ('j', "down", &["down", "next-field", "next-group"]),
    ('J', "judge", &["judge-the-topics"]),
    ('k', "up", &["up", "previous-field", "group-before"]),
    ('K', "keep as a run", &["save-as-a-run"]),
    ('l', "to the right, or open", &["enter", "right", "next-group", "next-word"]),
    ('L', "label, name", &["label", "label-of-the-match", "name", "name-who-judges"]),
    ('m', "map", &["map"]),
    ('M', "merge", &["merge"]),
    ('n', "new run", &["new-run", "again"]),
    ('N', "note or bookmark", &["note"]),
    ('o', "order", &["order", "order-of-contexts"]),
    ('O', "output: the log, or back from it", &["log", "back"]),
    ('p', "pin", &["pin"]),
    ('P', "parent: the whole of a chunk", &["parent"]),
    ('q', "back, or quit", &["back", "quit"]),
    ('Q', "quotes as Markdown", &["notes-as-markdown"]),
    ('r', "resume", &["resume"]),
    ('R', "in other runs", &["in-other-runs", "other-run", "runs-of-the-corpus"]),
    ('s', "sort", &["sort"]),
    ('S', "reverse the order", &["reverse-sort"]),
    (
        't',
        "topics",
        &["topics", "topics-of-a-word", "next-topic", "pairs", "topics-of-the-first-in-the-second"],
    ),
    ('T', "trust: which topics come back", &["stability"]),
    ('u', "undo", &["undo", "take-the-answer-back"]),
    ('U', "words that rise with an update", &["rising-words"]),
    ('v', "split a topic", &["split"]),
    ('V', "split by two words", &["split-by-words"]),
];
const MORE_LETTERS: [(char, &str, &[&str]); 7] = [
    ('w', "words", &["words", "text-or-words", "by-topics-or-words", "words-beside-it"]),
    ('W', "where a word is used", &["word"]),
    ('x', "take away", &["cancel", "delete", "drop", "take-the-note-away"]),
    ('X', "forbid a word", &["forbid"]),
    ('y', "copy", &["copy-row"]),
    ('Y', "copy all", &["copy-table"]),
    ('z', "scale: of axes, of time", &["scale", "period"]),
];

#[test]
fn one_letter_has_one_meaning_on_all_screens() {
    let state = showing(crate::tui::screens::corpora::NAME, (80, 24));
    let everywhere = keymap::everywhere(&state.screens);
    let sides = sides();
    let of_sides = sides.iter().flat_map(|state| state.screen().tables());
    let tables = state.screens.iter().flat_map(|screen| screen.tables()).chain(of_sides);
    let tables: Vec<_> = tables.chain([&keymap::LIST, &everywhere]).collect();
    let mut found = BTreeSet::new();
    for binding in tables.iter().flat_map(|table| table.bindings.iter()) {
        for key in binding.keys {
            let mut letters = key.chars();
            if let (Some(letter), None) = (letters.next(), letters.next())
                && letter.is_alphabetic()
            {
                found.insert((letter, binding.action.name()));
            }
        }
    }
    let meant: BTreeSet<(char, String)> = LETTERS
        .iter()
        .chain(&MORE_LETTERS)
        .flat_map(|(letter, _, actions)| {
            actions.iter().map(|action| (*letter, (*action).to_string()))
        })
        .collect();
    let new: Vec<_> = found.difference(&meant).collect();
    let gone: Vec<_> = meant.difference(&found).collect();
    assert!(new.is_empty() && gone.is_empty(), "new: {new:?}\ngone: {gone:?}");
}
