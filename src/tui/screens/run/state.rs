//! What the screen keeps: a run, its topics, the side it is seen from.

use crate::records::column::Column;
use crate::records::runs::RunRow;
use crate::records::topics::{self, TopicRow};
use crate::tui::list::sorting::SortKey;
use crate::tui::list::{ListState, columns, matches};
use crate::tui::question::{Asking, Question};
use crate::tui::screens::runs::{RunDetail, detail, row};
use topoi::run::request::RunSettings;
use topoi::run::saved::anchor_map::{AnchorMap, anchor_map};
use topoi::run::saved::topic_images::{TopicImages, topic_images};
use topoi::run::saved::topic_lifts::{TopicLifts, topic_lifts};
use topoi::store::result::document_topic::TopicDocument;
use topoi::store::result::metric::Metric;
use topoi::store::result::topic::Topic;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Store, StoreError};

/// Words of a topic that are read.
pub const WORDS: usize = 40;
/// Documents of a topic that are looked for.
pub const DOCUMENTS: usize = 20;
/// The map can be enlarged so many times by two.
pub const LARGEST_ZOOM: u32 = 6;

#[derive(Debug, Clone, Default)]
pub struct RunScreen {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<i64>,
    pub view: RunView,
    /// The side it was opened at: back leads there from the others.
    pub base: RunView,
    /// Its corpus is not known yet.
    pub is_new: bool,
    /// What is shown; `None` before the first answer or without a run.
    pub sheet: Option<Box<RunSheet>>,
    pub answered: bool,
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

/// The sides a run can be seen from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunView {
    /// A line for every topic.
    #[default]
    Topics,
    /// One topic in full.
    Topic,
    /// Which topics occur together.
    Correlations,
    /// The words in the plane of the anchors.
    Map,
    /// Settings, stages, metrics.
    Facts,
}

impl RunView {
    /// All views, in the order of the strip.
    pub const ALL: [Self; 5] =
        [Self::Topics, Self::Topic, Self::Correlations, Self::Map, Self::Facts];

    /// Its key and name in the strip.
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Topics => ("t", "topics"),
            Self::Topic => ("w", "words"),
            Self::Correlations => ("x", "correlations"),
            Self::Map => ("m", "map"),
            Self::Facts => ("i", "facts"),
        }
    }
}

/// Documents of a topic, on their way or here.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    NotYet,
    /// Here they are, or why not.
    Here(Result<Vec<TopicDocument>, String>),
}

impl RunScreen {
    fn topics(&self) -> &[Topic] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.topics)
    }

    /// Filters and sorts the topics anew: those with the text in a word, anchor or label; in the
    /// order of the view.
    pub fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        self.arrange_list(&mut list);
        self.list = list;
    }

    fn arrange_list(&self, list: &mut ListState) {
        let topics = self.topics();
        let places = match self.lifts().filter(|_| !self.by_number) {
            Some(lifts) => lifts.order.iter().copied().filter(|&at| at < topics.len()).collect(),
            None => (0..topics.len()).collect::<Vec<usize>>(),
        };
        let lets_through = |place: usize, filter: &str| {
            let topic = &topics[place];
            let names = topic.anchor.iter().chain(&topic.label).map(String::as_str);
            let words = topic.words.iter().map(|word| word.word.as_str());
            names.chain(words).any(|text| matches(filter, text))
        };
        let all = self.columns();
        list.arrange_places(places, lets_through, |place, by| match by {
            "anchor" => {
                let name = topics[place].label.as_ref().or(topics[place].anchor.as_ref());
                name.map_or(SortKey::None, |name| SortKey::text(name))
            }
            _ => columns::sort_key(&all, &self.row(&topics[place]), by),
        });
    }

    pub fn columns<'a>(&self) -> Vec<Column<TopicRow<'a>>> {
        topics::columns(self.metrics())
    }

    fn metrics(&self) -> &[Metric] {
        self.sheet.as_ref().map_or(&[], |sheet| &sheet.metrics)
    }

    /// A topic as a row of the list.
    pub fn row<'a>(&'a self, topic: &'a Topic) -> TopicRow<'a> {
        TopicRow { topic, metrics: self.metrics() }
    }

    /// The topics in the order that is chosen.
    pub fn visible(&self) -> Vec<&Topic> {
        self.list.visible(self.topics())
    }

    pub fn selected(&self) -> Option<&Topic> {
        self.list.selected(self.topics())
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

    /// Changes what is shown; the cursor stays on its topic.
    pub fn keeping_topic(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.selected().map(|topic| topic.topic);
        change(self);
        self.arrange();
        self.select(before);
    }

    pub fn select(&mut self, topic: Option<u64>) {
        let topics = self.sheet.as_ref().map_or(&[][..], |sheet| &sheet.topics);
        self.list.find(topics, |other| Some(other.topic) == topic);
    }

    /// Takes what was read.
    pub fn receive_sheet(&mut self, sheet: Option<Box<RunSheet>>) {
        let id = sheet.as_ref().map(|sheet| sheet.row.run.id);
        if id != self.id {
            self.documents = None;
        }
        self.id = id.or(self.id);
        self.keeping_topic(|screen| screen.sheet = sheet);
        if self.sheet.is_some() {
            let wanted = self.wanted.take();
            self.select(wanted);
        }
        self.answered = true;
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunQuestion {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<i64>,
    pub view: RunView,
}

/// A run and its topics.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSheet {
    /// The run as in the list.
    pub row: RunRow,
    /// Its topics by number; none before it is finished.
    pub topics: Vec<Topic>,
    /// All its metrics.
    pub metrics: Vec<Metric>,
    /// What the view needs besides.
    pub more: RunMore,
}

/// What a view of a run needs besides its topics and metrics; `None` inside where the run has
/// none.
#[derive(Debug, Clone, PartialEq)]
pub enum RunMore {
    /// For [`RunView::Topics`] and [`RunView::Topic`].
    Images(Option<TopicImages>),
    /// For [`RunView::Correlations`].
    Lifts(Option<TopicLifts>),
    /// For [`RunView::Map`].
    Map(Option<AnchorMap>),
    /// For [`RunView::Facts`].
    Facts(RunDetail),
}

impl Question for RunQuestion {
    /// `None` when there is no such run.
    type Answer = Option<Box<RunSheet>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let (store, recall) = (asking.store, &mut *asking.recall);
        let is_wanted = |run: &&Run| match self.id {
            Some(id) => run.id == id,
            None => run.status == RunStatus::Finished && !RunSettings::is_half(run),
        };
        let Some(run) = asking.runs.iter().find(is_wanted) else { return Ok(None) };
        Ok(Some(Box::new(RunSheet {
            row: row(store, run.clone(), store.warnings(run.id)?)?,
            topics: recall.topics(store, run, WORDS)?,
            metrics: store.metrics(run.id)?,
            more: match self.view {
                RunView::Topics | RunView::Topic => RunMore::Images(topic_images(store, run)?),
                RunView::Correlations => RunMore::Lifts(topic_lifts(store, run.id)?),
                RunView::Map => RunMore::Map(anchor_map(store, run.id)?),
                RunView::Facts => {
                    let (residuals_of, residuals) = longest_curve(store, run.id)?;
                    let detail = detail(store, run.id)?;
                    RunMore::Facts(RunDetail { residuals_of, residuals, ..detail })
                }
            },
        })))
    }
}

/// The residuals of the stage that has most, the first of equals, and its name.
fn longest_curve(store: &Store, run: i64) -> Result<(Option<String>, Vec<f64>), StoreError> {
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    for (stage, _, residual) in store.residuals(run)? {
        match curves.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, curve)) => curve.push(residual),
            None => curves.push((stage, vec![residual])),
        }
    }
    let longest = curves.into_iter().reduce(|a, b| if b.1.len() > a.1.len() { b } else { a });
    Ok(longest.map_or_else(Default::default, |(stage, curve)| (Some(stage), curve)))
}
