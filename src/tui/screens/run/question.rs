//! A run, its topics, and what one of its sides needs besides.

use super::state::{RunView, WORDS};
use crate::records::runs::RunRow;
use crate::tui::question::{Asking, Question};
use crate::tui::run_rows::{RunDetail, detail, row};
use topoi::run::saved::anchor_map::{AnchorMap, anchor_map};
use topoi::run::saved::topic_images::{TopicImages, topic_images};
use topoi::run::saved::topic_lifts::{TopicLifts, topic_lifts};
use topoi::store::result::metric::Metric;
use topoi::store::result::topic::Topic;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Store, StoreError};

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
            None => run.status == RunStatus::Finished,
        };
        let Some(run) = asking.runs.iter().find(is_wanted) else { return Ok(None) };
        Ok(Some(Box::new(RunSheet {
            row: row(store, run.clone(), &mut recall.pace)?,
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
