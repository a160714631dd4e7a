//! What a reader has to know of figures by groups, in lines.

use super::by::{Answer, NotGrouped};
use super::effects::notes::shares_in_words;
use super::fields::Rule;
use topoi_core::fields::spread::ENOUGH_DOCUMENTS;
use topoi_core::numbers::counted;
use topoi_store::run::Run;

/// All of it, of the answer to a question of `run`.
pub fn notes(answer: &Answer, run: &Run) -> Vec<String> {
    let names = answer.fields.iter().map(|field| field.name.as_str());
    let fields: Vec<(&str, &Rule)> = names.zip(&answer.rules).collect();
    let mut notes = not_grouped_lines(&fields, &answer.not_grouped);
    // Screens have room for the first note alone.
    notes.extend(answer.hard_topics.clone());
    notes.push(shares_in_words(answer.shares).into());
    notes.extend(answer.no_shares.line(run));
    if answer.groups.len() == 1 {
        notes.push("there is one group: nothing to differ from".into());
    }
    let single = answer.groups.iter().filter(|group| group.documents == 1).count();
    if single > 0 {
        notes.push(format!(
            "{} of one document, which has no interval",
            counted(single as u64, "group")
        ));
    }
    if answer.cells.iter().any(|cell| cell.share.is_pooled) {
        notes.push(format!(
            "groups of fewer than {ENOUGH_DOCUMENTS} documents have intervals by the spread of the documents of all groups"
        ));
    }
    notes
}

/// A line for each reason for which documents are in no group, by fields and how they make groups.
pub fn not_grouped_lines(fields: &[(&str, &Rule)], not: &NotGrouped) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, (name, rule)) in fields.iter().enumerate() {
        if not.without[at] > 0 {
            lines
                .push(format!("left out: {} without {name}", counted(not.without[at], "document")));
        }
        if let (1.., Some(example)) = (not.unreadable[at], &not.example[at]) {
            lines.push(format!(
                "left out: {} of which {name} cannot be read as {}, such as {example:?}",
                counted(not.unreadable[at], "document"),
                rule.expected_value()
            ));
        }
    }
    lines
}
