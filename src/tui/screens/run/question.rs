//! Questions about a run: its topics, and what the current view needs besides.

use super::state::RunView;
use crate::records::runs::RunRow;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::screens::runs::{RunDetail, detail, row};
use crate::tui::threads::cache::topic_documents::TopicDocuments;
use topoi_run::judging::scores::metrics_with_scores;
use topoi_run::request::RunSettings;
use topoi_run::saved::anchor_map::{AnchorMap, anchor_map};
use topoi_run::saved::topic_images::{TopicImages, topic_images};
use topoi_run::saved::topic_lifts::{TopicLifts, topic_lifts};
use topoi_run::warning::topics::doubts;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::Topic;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Words of a topic that are read.
pub const WORDS: usize = 40;
/// λ at which words are in the order of their probability.
pub const BY_PROBABILITY: u8 = 10;

#[derive(Debug, Clone, PartialEq)]
pub struct RunQuestion {
    /// The run's number; `None` is the newest that has topics.
    pub id: Option<RunId>,
    pub view: RunView,
    /// The topic whose documents are wanted.
    pub topic: Option<TopicNumber>,
    /// λ of the words' relevance, in tenths.
    pub lambda: u8,
    /// Whether topics with the same words are listed together.
    pub by_likeness: bool,
}

/// A run and its topics.
#[derive(Debug, Clone, PartialEq)]
pub struct RunWithTopics {
    /// The run as in the list.
    pub row: RunRow,
    /// Its topics by number, their words by relevance; none before it is finished.
    pub topics: Vec<Topic>,
    /// Why a topic should not be trusted, by number.
    pub doubts: Vec<Option<String>>,
    /// The shares of the topics, by number, in the runs of the series up to this one; empty for a run that updates none.
    pub history: Vec<Vec<f64>>,
    /// λ that the words are ranked by, in tenths.
    pub lambda: u8,
    /// Metrics of the whole run and of its topics.
    pub metrics: Vec<Metric>,
    /// The positions of the topics in the order of their words' similarity, if requested.
    pub alike: Option<Vec<usize>>,
    /// What the view needs besides.
    pub more: RunViewData,
}

/// What a view of a run needs besides its topics and metrics; `None` inside where the run has
/// none.
#[derive(Debug, Clone, PartialEq)]
pub enum RunViewData {
    /// For [`RunView::Topics`] and [`RunView::Topic`].
    Images(Option<TopicImages>),
    /// For [`RunView::Documents`].
    Documents(Option<TopicDocuments>),
    /// For [`RunView::Correlations`].
    Lifts(Option<TopicLifts>),
    /// For [`RunView::Map`].
    Map(Option<AnchorMap>),
    /// For [`RunView::Facts`].
    Facts(Box<RunDetail>),
}

impl Question for RunQuestion {
    /// `None` when there is no such run.
    type Answer = Option<Box<RunWithTopics>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let (store, cache) = (asking.store, &mut *asking.cache);
        let is_wanted = |run: &&Run| match self.id {
            Some(id) => run.id == id,
            None => run.status == RunStatus::Finished && !RunSettings::is_half(run),
        };
        let Some(run) = asking.runs.iter().find(is_wanted) else { return Ok(None) };
        let metrics = metrics_with_scores(store, run)?;
        let mut topics = cache.topics(store, run, WORDS)?;
        let doubts = doubts(&topics, &metrics, run.terms.unwrap_or_default() as usize);
        let alike = self.by_likeness.then(|| cache.alike(run, &topics)).transpose()?;
        let mut lambda = BY_PROBABILITY;
        if self.lambda < BY_PROBABILITY && !topics.is_empty() {
            lambda = self.lambda;
            let words = cache.relevant_words(store, run, self.lambda, WORDS)?;
            topics.iter_mut().zip(words).for_each(|(topic, words)| topic.words = words);
        }
        let more = match self.view {
            RunView::Topics | RunView::Topic => RunViewData::Images(topic_images(store, run)?),
            RunView::Documents => {
                let topic = self.topic.and_then(|number| topics.iter().find(|t| t.topic == number));
                let found = topic.map(|topic| cache.topic_documents(store, run, topic));
                RunViewData::Documents(found.transpose()?)
            }
            RunView::Correlations => RunViewData::Lifts(topic_lifts(store, run.id)?),
            RunView::Map => RunViewData::Map(anchor_map(store, run.id)?),
            RunView::Facts => {
                let (residuals_of, residuals) = longest_curve(store, run.id)?;
                let detail = detail(cache, store, run)?;
                RunViewData::Facts(Box::new(RunDetail { residuals_of, residuals, ..detail }))
            }
        };
        let row = row(store, run.clone(), store.warnings(run.id)?)?;
        let history = if RunSettings::is_update(run) {
            store.topic_shares_in_series(run.id)?
        } else {
            Vec::new()
        };
        Ok(Some(Box::new(RunWithTopics {
            row,
            topics,
            doubts,
            history,
            lambda,
            metrics,
            alike,
            more,
        })))
    }
}

/// The residuals of the stage that has most, the first of equals, and its name.
fn longest_curve(store: &Store, run: RunId) -> Result<(Option<String>, Vec<f64>), StoreError> {
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
