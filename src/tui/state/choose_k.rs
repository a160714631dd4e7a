//! Screen 7: the runs of one corpus by their K.

use super::ListState;
use super::list::matches;
use crate::run::sweep::{Sweep, SweptMetric};

/// What screen 7 shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChooseKState {
    /// A run of the sweep; `None` is the newest that is finished.
    pub run: Option<i64>,
    /// The runs and their metrics.
    pub sweep: Option<Box<Sweep>>,
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

    /// Takes what was read.
    pub fn receive(&mut self, sweep: Option<Box<Sweep>>) {
        self.sweep = sweep;
        self.answered = true;
    }
}
