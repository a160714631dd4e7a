//! How long work says where it is, and learns that it is no longer wanted.

/// What numeric code sees of the world: it reports steps and asks whether to go on.
pub trait Progress: Sync {
    /// A stage begins; it has at most `total` steps (0 where nobody knows). `residual` says in
    /// words what its steps' residuals measure; empty for a stage without.
    fn begin(&self, stage: &'static str, total: u64, residual: &'static str);

    /// `step` of the stage's steps are done; `residual` is the measure of convergence, if any.
    fn step(&self, step: u64, residual: Option<f64>);

    /// Whether the work is to stop as soon as it can.
    fn cancelled(&self) -> bool;
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
