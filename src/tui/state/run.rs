//! Screen 5: a run and its topics.

use super::ListState;
use super::list::matches;
use super::sorting::{self, SortKey};
use crate::tui::data::{RunMore, RunSheet, RunView};
use topoi::run::saved::topic_lifts::TopicLifts;
use topoi::store::result::document_topic::TopicDocument;
use topoi::store::result::topic::Topic;

/// Words of a topic that are read.
pub const WORDS: usize = 40;
/// Documents of a topic that are looked for.
pub const DOCUMENTS: usize = 20;
/// The map can be enlarged so many times by two.
pub const LARGEST_ZOOM: u32 = 6;

/// What screen 5 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunState {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<i64>,
    /// Which side of it.
    pub view: RunView,
    /// What is shown; `None` before the first answer or without a run.
    pub sheet: Option<Box<RunSheet>>,
    /// An answer has come.
    pub answered: bool,
    /// Where the user is among the topics.
    pub list: ListState,
    /// A topic to select when the run has come.
    pub wanted: Option<u64>,
    /// The correlations are shown in order of the topics' numbers.
    pub by_number: bool,
    /// The map is enlarged so many times by two, around the selected anchor.
    pub zoom: u32,
    /// The map is drawn to scale; else it is compressed outwards.
    pub is_to_scale: bool,
    /// The first line of the facts that is shown.
    pub facts_from: usize,
    /// The name that is being typed for the selected topic.
    pub naming: Option<String>,
    /// The topic whose documents were asked for last, and what came.
    pub documents: Option<(u64, Found)>,
}

/// Documents of a topic, on their way or here.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// They are looked for.
    NotYet,
    /// Here they are, or why not.
    Here(Result<Vec<TopicDocument>, String>),
}

impl RunState {
    /// The topics the filter lets through: those with the text in a word, anchor or label; in the
    /// order of the view.
    pub fn visible(&self) -> Vec<&Topic> {
        let shown = |topic: &&Topic| {
            let names = topic.anchor.iter().chain(&topic.label).map(String::as_str);
            let words = topic.words.iter().map(|word| word.word.as_str());
            self.list.filter.is_empty()
                || names.chain(words).any(|text| matches(&self.list.filter, text))
        };
        let topics = self.sheet.iter().flat_map(|sheet| &sheet.topics);
        let mut topics: Vec<&Topic> = match self.lifts().filter(|_| !self.by_number) {
            Some(lifts) => {
                let all: Vec<&Topic> = topics.collect();
                let ordered = lifts.order.iter().filter_map(|&at| all.get(at).copied());
                ordered.filter(shown).collect()
            }
            None => topics.filter(shown).collect(),
        };
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

    /// The lifts, while the correlations are shown and here.
    pub fn lifts(&self) -> Option<&TopicLifts> {
        match &self.sheet.as_ref()?.more {
            RunMore::Lifts(lifts) if self.view == RunView::Correlations => lifts.as_ref(),
            _ => None,
        }
    }

    /// Metrics of a topic: (name, value).
    pub fn topic_metrics(&self, topic: u64) -> Vec<(&str, f64)> {
        let metrics = self.sheet.iter().flat_map(|sheet| &sheet.metrics);
        let of_topic = metrics.filter(|metric| metric.topic == Some(topic));
        of_topic.map(|metric| (metric.name.as_str(), metric.value)).collect()
    }

    /// The documents of a topic, as far as they are here.
    pub fn documents_of(&self, topic: u64) -> Option<&Found> {
        self.documents.as_ref().filter(|(other, _)| *other == topic).map(|(_, found)| found)
    }

    /// Shows another run, from the same side.
    pub fn open(&mut self, id: i64) {
        if self.id != Some(id) {
            *self = Self { id: Some(id), view: self.view, ..Self::default() };
        }
    }

    /// Changes what is shown; the cursor stays on its topic.
    pub fn keeping_topic(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.selected().map(|topic| topic.topic);
        change(self);
        let found = self.visible().iter().position(|topic| Some(topic.topic) == before);
        self.list.cursor = found.unwrap_or(self.list.cursor);
    }

    /// Takes what was read.
    pub fn receive(&mut self, sheet: Option<Box<RunSheet>>) {
        let id = sheet.as_ref().map(|sheet| sheet.row.run.id);
        if id != self.id {
            self.documents = None;
        }
        self.id = id.or(self.id);
        self.keeping_topic(|state| state.sheet = sheet);
        if self.sheet.is_some() {
            let wanted = self.wanted.take();
            let found = self.visible().iter().position(|topic| Some(topic.topic) == wanted);
            self.list.cursor = found.unwrap_or(self.list.cursor);
        }
        self.answered = true;
    }
}
