//! What the screen keeps: a run, its topics, the side it is seen from.

use super::naming::Naming;
use super::question::{BY_PROBABILITY, RunQuestion, RunViewData, RunWithTopics};
use crate::records::column::Column;
use crate::records::topics::{self, TOKEN_SHARE, TopicRow};
use crate::tui::list::sorting::Sort;
use crate::tui::list::{ListState, columns, matches};
use crate::tui::threads::cache::topic_documents::{DocumentLine, TopicDocuments};
use topoi_run::naming::ProposedNames;
use topoi_run::saved::topic_lifts::TopicLifts;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::{Topic, Word};

/// How often the map can be enlarged by two.
pub const LARGEST_ZOOM: u32 = 6;

#[derive(Debug, Clone)]
pub struct RunScreen {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<RunId>,
    pub view: RunView,
    /// The side it was opened at: back leads there from the others.
    pub base: RunView,
    /// Its corpus is not known yet.
    pub is_new: bool,
    /// What is shown; `None` before the first answer or without a run.
    pub sheet: Option<Box<RunWithTopics>>,
    pub answered: bool,
    /// Where the user is among the topics,
    pub list: ListState,
    /// among the words of the topic that is shown in full,
    pub words: ListState,
    /// and among its documents.
    pub found: ListState,
    /// A topic to select when the run has come.
    pub wanted: Option<TopicNumber>,
    /// The document that led to a topic: another of the topic's is selected.
    pub led_by: Option<DocumentId>,
    /// λ that words are ranked by, in tenths.
    pub lambda: u8,
    /// Topics with the same words are listed together, unless another order is chosen.
    pub by_likeness: bool,
    /// The correlations are shown in order of the topics' numbers.
    pub by_number: bool,
    /// So many columns further on than the selected topic the correlations are shown.
    pub sideways: isize,
    /// How often the map is enlarged by two, around the selected anchor.
    pub zoom: u32,
    /// The map is drawn to scale; else it is compressed outwards.
    pub is_to_scale: bool,
    /// The first line of the facts that is shown.
    pub facts_from: usize,
    /// The name that is being typed for the selected topic.
    pub naming: Option<Naming>,
    /// The topic that is marked, to be compared with another, of this run or another.
    pub marked: Option<(RunId, TopicNumber)>,
    /// The run that names are proposed for, and these once they are found.
    pub proposed: Option<(RunId, Vec<ProposedNames>)>,
}

impl Default for RunScreen {
    fn default() -> Self {
        Self {
            id: None,
            view: RunView::Topics,
            base: RunView::Topics,
            is_new: false,
            sheet: None,
            answered: false,
            list: ListState::default(),
            words: ListState::default(),
            found: ListState::default(),
            wanted: None,
            led_by: None,
            lambda: BY_PROBABILITY,
            by_likeness: false,
            by_number: false,
            sideways: 0,
            zoom: 0,
            is_to_scale: false,
            facts_from: 0,
            naming: None,
            marked: None,
            proposed: None,
        }
    }
}

/// The sides a run can be seen from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunView {
    /// A line for every topic.
    #[default]
    Topics,
    /// One topic in full.
    Topic,
    /// The documents that are most about a topic.
    Documents,
    /// Which topics occur together.
    Correlations,
    /// The words in the plane of the anchors.
    Map,
    /// Settings, stages, metrics.
    Facts,
}

impl RunView {
    /// All views, in the order of the strip.
    pub const ALL: [Self; 6] =
        [Self::Topics, Self::Topic, Self::Documents, Self::Correlations, Self::Map, Self::Facts];

    /// Its key and name in the strip.
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Topics => ("t", "topics"),
            Self::Topic => ("w", "words"),
            Self::Documents => ("d", "documents"),
            Self::Correlations => ("B", "correlations"),
            Self::Map => ("m", "map"),
            Self::Facts => ("I", "facts"),
        }
    }

    /// Whether it shows one topic alone.
    pub const fn is_of_one(self) -> bool {
        matches!(self, Self::Topic | Self::Documents)
    }
}

impl RunScreen {
    pub fn question(&self) -> RunQuestion {
        let topic = self.wanted.or(self.selected().map(|topic| topic.topic));
        RunQuestion {
            id: self.id,
            view: self.view,
            topic: topic.filter(|_| self.view == RunView::Documents),
            lambda: self.lambda,
            by_likeness: self.by_likeness,
        }
    }

    fn topics(&self) -> &[Topic] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.topics)
    }

    /// Filters and sorts anew: the topics with the text in a word or label, in the order of the view; the
    /// words and documents of the selected one.
    pub fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        self.arrange_list(&mut list);
        self.list = list;
        self.arrange_topic();
    }

    /// Filters the words and documents of the selected topic anew.
    pub fn arrange_topic(&mut self) {
        let (mut words, mut found) =
            (std::mem::take(&mut self.words), std::mem::take(&mut self.found));
        let own = self.selected().map_or(&[][..], |topic| &topic.words);
        words.filter_rows(own, |word, filter| matches(filter, &word.word));
        let holds = |line: &DocumentLine, filter: &str| {
            let pieces = line.snippet.iter().map(|piece| piece.text.as_str());
            matches(filter, &line.document.key)
                || matches(filter, &line.name)
                || matches(filter, &pieces.collect::<String>())
        };
        found.filter_rows(self.lines(), holds);
        if self.documents().is_none() {
            found.extent = None;
        }
        (self.words, self.found) = (words, found);
    }

    fn arrange_list(&self, list: &mut ListState) {
        let topics = self.topics();
        let of_lifts = self.lifts().filter(|_| !self.by_number).map(|lifts| &lifts.order);
        let alike = self.sheet.as_ref().and_then(|sheet| sheet.alike.as_ref());
        let alike = alike.filter(|_| self.by_likeness && self.view != RunView::Correlations);
        let places = match of_lifts.or(alike) {
            Some(order) => order.iter().copied().filter(|&at| at < topics.len()).collect(),
            None => (0..topics.len()).collect::<Vec<usize>>(),
        };
        let lets_through = |place: usize, filter: &str| {
            let topic = &topics[place];
            let names = topic.anchor.iter().chain(&topic.label).map(String::as_str);
            let words = topic.words.iter().map(|word| word.word.as_str());
            names.chain(words).any(|text| matches(filter, text))
        };
        let all = self.columns();
        list.arrange_indices(places, lets_through, |place, by| {
            columns::sort_key(&all, &self.row(&topics[place]), by)
        });
        list.sort_columns = columns::sorted_by(&all);
    }

    pub fn columns<'a>(&self) -> Vec<Column<TopicRow<'a>>> {
        topics::columns(self.metrics())
    }

    fn metrics(&self) -> &[Metric] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.metrics)
    }

    /// A topic as a row of the list.
    pub fn row<'a>(&'a self, topic: &'a Topic) -> TopicRow<'a> {
        let proposed = self.proposed(topic).map(|names| names.proposed.as_str());
        TopicRow { topic, metrics: self.metrics(), proposed }
    }

    /// The names proposed for a topic that has no label.
    pub fn proposed(&self, topic: &Topic) -> Option<&ProposedNames> {
        let of_run = self.proposed.as_ref().filter(|(run, _)| Some(*run) == self.id);
        let (_, names) = of_run.filter(|_| topic.label.is_none())?;
        names.get(topic.topic.index())
    }

    /// The topics in the order that is chosen.
    pub fn visible(&self) -> Vec<&Topic> {
        self.list.visible(self.topics())
    }

    pub fn selected(&self) -> Option<&Topic> {
        self.list.selected(self.topics())
    }

    /// Why the topic should not be trusted, if something is wrong with it.
    pub fn doubt(&self, topic: &Topic) -> Option<&str> {
        self.sheet.as_ref()?.doubts.get(topic.topic.index())?.as_deref()
    }

    /// The word under the cursor of the topic that is shown in full.
    pub fn selected_word(&self) -> Option<&Word> {
        self.words.selected(&self.selected()?.words)
    }

    /// The lifts, while the correlations are shown and here.
    pub fn lifts(&self) -> Option<&TopicLifts> {
        match &self.sheet.as_ref()?.more {
            RunViewData::Lifts(lifts) if self.view == RunView::Correlations => lifts.as_ref(),
            _ => None,
        }
    }

    /// Metrics of a topic.
    pub fn topic_metrics(&self, topic: TopicNumber) -> Vec<&Metric> {
        let metrics = self.sheet.iter().flat_map(|sheet| &sheet.metrics);
        metrics.filter(|metric| metric.topic == Some(topic)).collect()
    }

    /// The documents of the selected topic, once they are here.
    pub fn documents(&self) -> Option<&TopicDocuments> {
        let topic = self.selected()?.topic;
        match &self.sheet.as_ref()?.more {
            RunViewData::Documents(found) => found.as_ref().filter(|found| found.topic == topic),
            _ => None,
        }
    }

    /// Those of them that were found.
    pub fn lines(&self) -> &[DocumentLine] {
        self.documents().and_then(|found| found.found.as_ref().ok()).map_or(&[], Vec::as_slice)
    }

    /// The next of the orders of topics: by number, by share, by similarity.
    pub fn turn_order(&mut self) {
        self.keeping_topic(|run| match (run.by_likeness, &run.list.sort) {
            (false, None) => {
                run.list.sort = Some(Sort { by: TOKEN_SHARE.into(), descending: true });
            }
            (false, Some(_)) => (run.list.sort, run.by_likeness) = (None, true),
            (true, _) => (run.list.sort, run.by_likeness) = (None, false),
        });
    }

    /// Shows the topic this number of places further on in the list, in the same view.
    pub fn step_topic(&mut self, places: isize) {
        let before = self.list.cursor;
        self.list.step(places, self.list.len());
        if self.list.cursor != before {
            (self.words.cursor, self.found.cursor) = (0, 0);
            self.arrange_topic();
        }
    }

    /// Changes what is shown; the cursor stays on its topic.
    pub fn keeping_topic(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.selected().map(|topic| topic.topic);
        change(self);
        self.arrange();
        self.select(before);
    }

    pub fn select(&mut self, topic: Option<TopicNumber>) {
        let topics = self.sheet.as_ref().map_or(&[][..], |sheet| &sheet.topics);
        self.list.find(topics, |other| Some(other.topic) == topic);
        self.arrange_topic();
    }

    /// Takes what was read.
    pub fn receive_sheet(&mut self, sheet: Option<Box<RunWithTopics>>) {
        self.id = sheet.as_ref().map(|sheet| sheet.row.run.id).or(self.id);
        self.keeping_topic(|screen| screen.sheet = sheet);
        if self.sheet.is_some()
            && let Some(wanted) = self.wanted.take()
        {
            self.select(Some(wanted));
        }
        self.answered = true;
        if self.documents().is_some()
            && let Some(read) = self.led_by.take()
        {
            let at = |screen: &Self, id| {
                screen.found.selected(screen.lines()).is_some_and(|line| line.document.id == id)
            };
            if self.found.cursor == 0 && at(self, read) && self.found.len() > 1 {
                self.found.cursor = 1;
            }
        }
    }
}
