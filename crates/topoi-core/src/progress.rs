//! How long work says where it is, learns that it is no longer wanted, and keeps what its stages
//! have come to.

use ndarray::Array2;

/// What numeric code sees of the world: it reports steps and asks whether to go on.
pub trait Progress: Sync {
    /// A stage begins; it has at most `total` steps (0 where nobody knows). `residual` says in
    /// words what its steps' residuals measure; empty for a stage without.
    fn begin(&self, stage: &'static str, total: u64, residual: &'static str);

    /// `step` of the stage's steps are done; `residual` is the measure of convergence, if any.
    fn step(&self, step: u64, residual: Option<f64>);

    /// Whether the work is to stop as soon as it can.
    fn cancelled(&self) -> bool;

    /// Whether work that repeats is done or goes on, as `own` says: where several machines do the same
    /// work, as the first of them says. Their numbers can differ in the last bits, and one that stopped
    /// a step earlier than another would leave it waiting for sums that never come. All of them ask at
    /// the same points of the work.
    fn decide(&self, own: bool) -> bool {
        own
    }

    /// The arrays that `stage` of the same work left when it was done before; `None` where it has
    /// to be done. A stage that is recalled counts as done: it is not begun.
    fn recall(&self, _stage: &'static str) -> Option<Vec<Array2<f64>>> {
        None
    }

    /// The stage that has begun last is done and left `arrays`, which are all that later stages
    /// need of it. Called `stage` when recalled.
    fn keep(&self, _stage: &'static str, _arrays: &[Array2<f64>]) {}
}

/// Reports nothing and is never cancelled.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        false
    }
}

/// Reports nothing, and is cancelled when this is: for work that is no stage of its own.
pub struct Unseen<'a>(
    /// What is asked whether to go on.
    pub &'a dyn Progress,
);

impl Progress for Unseen<'_> {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
