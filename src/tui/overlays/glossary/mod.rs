//! The glossary: every word of the screens, in a plain sentence. What the registries of
//! metrics, warnings and settings say of theirs is taken from there.

mod view;
mod words;

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::PAGE;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, EDIT, GLOSSARY, Keys};
use crate::tui::list::{ListState, distance};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::workbench::Workbench;
use topoi_core::metric::{METRICS, MetricDef, better::Better};
use topoi_core::model::Model;
use topoi_run::warning::WARNINGS;

/// The longest text that is looked for, in cells.
const LONGEST: usize = 60;

/// A word and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub word: String,
    pub meaning: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Glossary {
    pub typed: Input,
    entries: Vec<Entry>,
    pub list: ListState,
}

impl Glossary {
    pub fn new() -> Self {
        Self { typed: Input::new(LONGEST), entries: entries(), ..Self::default() }
    }

    /// The words with what is typed in them, then the others that speak of it.
    pub fn found(&self) -> Vec<&Entry> {
        let typed = self.typed.as_str().trim().to_lowercase();
        let mut found: Vec<(u8, &Entry)> = self
            .entries
            .iter()
            .filter_map(|entry| match entry.word.find(&typed) {
                Some(0) => Some((0, entry)),
                Some(_) => Some((1, entry)),
                None => entry.meaning.to_lowercase().contains(&typed).then_some((2, entry)),
            })
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, entry)| entry).collect()
    }
}

impl Overlay for Glossary {
    fn keys(&self) -> Vec<&'static Keys> {
        vec![&GLOSSARY, &EDIT]
    }

    fn accepts(&self, letter: char) -> bool {
        letter != '?'
    }

    fn type_in(&mut self, text: &str) {
        self.typed.insert(text);
        self.list = ListState::default();
    }

    fn act(&mut self, action: Action, _workbench: &mut Workbench) -> Reaction {
        if action == Action::Clear {
            return Reaction::Close;
        }
        if self.typed.act(action) {
            self.list = ListState::default();
        } else if let Some(rows) = distance(action, PAGE) {
            let len = self.found().len();
            self.list.step(rows, len);
        }
        Reaction::Stay
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }
}

/// All words, by name.
pub fn entries() -> Vec<Entry> {
    let mut meanings: BTreeMap<String, String> = BTreeMap::new();
    for model in Model::all() {
        let card = model.card();
        meanings.insert(card.name.into(), format!("Model: {}.", card.help.trim_end_matches('.')));
        for (definition, _) in model.any().settings() {
            let meaning = format!("Setting: {}.", definition.help.trim_end_matches('.'));
            meanings.entry(definition.name.into()).or_insert(meaning);
        }
    }
    for warning in WARNINGS {
        let meaning = format!("Warning: {}.", plain(warning.meaning).trim_end_matches('.'));
        meanings.insert(warning.id.into(), meaning);
    }
    for metric in METRICS {
        meanings.insert(metric.id.into(), of_metric(metric));
    }
    for (word, meaning) in words::WORDS {
        // A word can be a head and a metric.
        let metric = meanings.get(*word).filter(|_| MetricDef::from_name(word).is_some());
        let and = metric.map(|metric| format!(" As a metric: {metric}")).unwrap_or_default();
        meanings.insert((*word).into(), format!("{meaning}{and}"));
    }
    meanings.into_iter().map(|(word, meaning)| Entry { word, meaning }).collect()
}

/// The plain sentence, and which values are better.
fn of_metric(metric: &MetricDef) -> String {
    let known = words::METRICS.iter().find(|(name, _)| *name == metric.id);
    let sentence =
        known.map_or_else(|| plain(metric.definition), |(_, sentence)| (*sentence).into());
    let better = match metric.better {
        Some(Better::Larger) => " Larger is better.",
        Some(Better::Smaller) => " Smaller is better.",
        Some(Better::NearOne) => " Near 1 is better.",
        None => "",
    };
    format!("{sentence}{better}")
}

/// Markdown without its marks.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_plain_sentence_and_no_sentence_is_of_none() {
        let ids: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
        let known: Vec<&str> = words::METRICS.iter().map(|(name, _)| *name).collect();
        let missing: Vec<_> = ids.iter().filter(|id| !known.contains(id)).collect();
        let gone: Vec<_> = known.iter().filter(|id| !ids.contains(id)).collect();
        assert!(missing.is_empty() && gone.is_empty(), "missing {missing:?}, of none {gone:?}");
        assert!(known.is_sorted() && words::WORDS.is_sorted());
    }

    #[test]
    fn what_is_typed_is_found_first_in_the_words_themselves() {
        let mut glossary = Glossary::new();
        glossary.type_in("npm");
        assert_eq!(glossary.found()[0].word, "npmi");
        assert!(glossary.found()[0].meaning.contains("Larger is better"));
        glossary.type_in("xyz");
        assert!(glossary.found().is_empty());
    }
}
