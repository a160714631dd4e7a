//! Progress reports, cancellation, and saved results of stages.

use ndarray::Array2;

/// The environment of numerical work: it reports steps, asks whether to stop, and saves stages.
pub trait Progress: Sync {
    /// Starts a stage of at most `total` steps (0 where unknown). `residual` describes what the
    /// residuals of its steps measure; empty for a stage without residuals.
    fn begin(&self, stage: &'static str, total: u64, residual: &'static str);

    /// Reports that `step` steps of the stage are done. `residual` measures convergence, if
    /// anything does.
    fn step(&self, step: u64, residual: Option<f64>);

    /// Whether the work must stop as soon as possible.
    fn cancelled(&self) -> bool;

    /// Whether an iteration ends: `own` on a single machine, and the first machine's `own` where
    /// several do the same work. Their numbers may differ in the last bits, and a machine that
    /// stopped earlier than another would leave it waiting for sums. All machines call this at the
    /// same points of the work.
    fn decide(&self, own: bool) -> bool {
        own
    }

    /// The arrays that a completed `stage` saved in an earlier attempt; `None` where it must be
    /// computed. A recalled stage counts as done and is not started.
    fn recall(&self, _stage: &'static str) -> Option<Vec<Array2<f64>>> {
        None
    }

    /// Completes the last stage that was started and saves `arrays`, the data that later stages
    /// need. [`Self::recall`] finds them by `stage`.
    fn keep(&self, _stage: &'static str, _arrays: &[Array2<f64>]) {}
}

/// Discards reports and is never cancelled.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Forwards cancellation and discards progress. For work nested in another stage.
pub struct Quiet<'a>(
    /// The progress of the outer stage.
    pub &'a dyn Progress,
);

impl Progress for Quiet<'_> {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
