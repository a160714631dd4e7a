//! Screen 7: the runs of one corpus by their K, and the bounds on it.

use super::ListState;
use super::list::matches;
use crate::tui::data::ChoiceOfK;
use topoi::run::choose_k::bounds::Bounds;
use topoi::run::choose_k::recommendation::Recommendation;
use topoi::run::choose_k::sweep::{Sweep, SweptMetric};

/// The sides of the choice of K.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChooseKView {
    /// The metrics of the runs by K, and the spectrum.
    #[default]
    Metrics,
    /// The bounds on K.
    Bounds,
    /// Which K to look at first.
    Advice,
}

impl ChooseKView {
    /// All of them in their order.
    pub const ALL: [Self; 3] = [Self::Metrics, Self::Bounds, Self::Advice];
}

/// What screen 7 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChooseKState {
    /// Row id of the corpus; `None` is that of the run.
    pub of_corpus: Option<i64>,
    /// A run of the sweep; `None` is the newest that is finished.
    pub run: Option<i64>,
    /// The corpus that is shown.
    pub corpus: Option<String>,
    /// The runs and their metrics.
    pub sweep: Option<Sweep>,
    /// The bounds.
    pub bounds: Option<Bounds>,
    /// Which K to look at first.
    pub advice: Option<Recommendation>,
    /// What the user wants to see.
    pub view: ChooseKView,
    /// The corpus whose bounds are being computed by a process that was started here.
    pub computing: Option<String>,
    /// An answer has come.
    pub answered: bool,
    /// Where the user is among the metrics.
    pub list: ListState,
}

impl ChooseKState {
    /// The metrics the filter lets through.
    pub fn visible(&self) -> Vec<&SweptMetric> {
        let metrics = self.sweep.iter().flat_map(|sweep| &sweep.metrics);
        metrics.filter(|metric| matches(&self.list.filter, &metric.name)).collect()
    }

    /// The metric under the cursor.
    pub fn selected(&self) -> Option<&SweptMetric> {
        self.visible().get(self.list.cursor).copied()
    }

    /// What is shown: where there is no run, the bounds.
    pub fn shown(&self) -> ChooseKView {
        let nothing_else = self.sweep.is_none() && self.corpus.is_some();
        if nothing_else { ChooseKView::Bounds } else { self.view }
    }

    /// Takes what was read.
    pub fn receive(&mut self, choice: ChoiceOfK) {
        (self.corpus, self.sweep, self.bounds) = (choice.corpus, choice.sweep, choice.bounds);
        self.advice = choice.advice;
        self.answered = true;
    }
}
