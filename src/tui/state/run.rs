//! Screen 5: a run and its topics.

use super::ListState;
use super::list::matches;
use super::sorting::{self, SortKey};
use crate::store::topic::Topic;
use crate::tui::data::RunSheet;

/// Words of a topic that are read.
pub const WORDS: usize = 40;

/// What screen 5 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunState {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<i64>,
    /// What is shown; `None` before the first answer or without a run.
    pub sheet: Option<Box<RunSheet>>,
    /// An answer has come.
    pub answered: bool,
    /// Where the user is among the topics.
    pub list: ListState,
}

impl RunState {
    /// The topics the filter lets through: those with the text in a word, anchor or label.
    pub fn visible(&self) -> Vec<&Topic> {
        let shown = |topic: &&Topic| {
            let names = topic.anchor.iter().chain(&topic.label).map(String::as_str);
            let words = topic.words.iter().map(|word| word.word.as_str());
            self.list.filter.is_empty()
                || names.chain(words).any(|text| matches(&self.list.filter, text))
        };
        let topics = self.sheet.iter().flat_map(|sheet| &sheet.topics);
        let mut topics: Vec<&Topic> = topics.filter(shown).collect();
        sorting::sort(&mut topics, self.list.sort.as_ref(), |topic, by| match by {
            "topic" => SortKey::count(topic.topic),
            "weight" => SortKey::Number(topic.weight),
            "anchor" => {
                let name = topic.label.as_ref().or(topic.anchor.as_ref());
                name.map_or(SortKey::None, |name| SortKey::text(name))
            }
            metric => {
                let metrics = self.topic_metrics(topic.topic);
                let found = metrics.iter().find(|(name, _)| *name == metric);
                found.map_or(SortKey::None, |&(_, value)| SortKey::Number(value))
            }
        });
        topics
    }

    /// The names of the metrics that topics have.
    pub fn metric_names(&self) -> Vec<&str> {
        let first = self.sheet.iter().flat_map(|sheet| &sheet.topics).next();
        let metrics = first.map(|topic| self.topic_metrics(topic.topic)).unwrap_or_default();
        metrics.into_iter().map(|(name, _)| name).collect()
    }

    /// The topic under the cursor.
    pub fn selected(&self) -> Option<&Topic> {
        self.visible().get(self.list.cursor).copied()
    }

    /// Metrics of a topic: (name, value).
    pub fn topic_metrics(&self, topic: u64) -> Vec<(&str, f64)> {
        let metrics = self.sheet.iter().flat_map(|sheet| &sheet.metrics);
        let of_topic = metrics.filter(|metric| metric.topic == Some(topic));
        of_topic.map(|metric| (metric.name.as_str(), metric.value)).collect()
    }

    /// Shows another run.
    pub fn open(&mut self, id: i64) {
        if self.id != Some(id) {
            *self = Self { id: Some(id), ..Self::default() };
        }
    }

    /// Takes what was read.
    pub fn receive(&mut self, sheet: Option<Box<RunSheet>>) {
        self.id = sheet.as_ref().map(|sheet| sheet.row.run.id).or(self.id);
        self.sheet = sheet;
        self.answered = true;
    }
}
