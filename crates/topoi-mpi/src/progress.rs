//! Progress of work on all parts: part 0 reports, decides and restores checkpoints for all.

use ndarray::Array2;

use super::matrices::{pack, unpack};
use topoi_core::progress::Progress;
use topoi_core::stream::parts::Parts;

/// Progress of part 0.
pub(super) struct LeaderProgress<'a> {
    pub own: &'a dyn Progress,
    pub parts: &'a dyn Parts,
}

/// Progress of any other part. It reports nothing, and stops when part 0 does.
pub(super) struct FollowerProgress<'a> {
    pub parts: &'a dyn Parts,
}

/// The first byte of a message with matrices. An empty message means no matrices.
const MATRICES: u8 = 1;

impl Progress for LeaderProgress<'_> {
    fn begin(&self, stage: &'static str, total: u64, residual: &'static str) {
        self.own.begin(stage, total, residual);
    }

    fn step(&self, step: u64, residual: Option<f64>) {
        self.own.step(step, residual);
    }

    fn cancelled(&self) -> bool {
        self.own.cancelled()
    }

    fn decide(&self, own: bool) -> bool {
        // If the others cannot be reached, the next sum fails.
        let _ = self.parts.share(vec![u8::from(own)]);
        own
    }

    fn recall(&self, stage: &'static str) -> Option<Vec<Array2<f64>>> {
        let arrays = self.own.recall(stage);
        let bytes = arrays.as_ref().map(|arrays| [&[MATRICES][..], &pack(arrays)].concat());
        // If the others cannot be reached, the next sum fails.
        let _ = self.parts.share(bytes.unwrap_or_default());
        arrays
    }

    fn keep(&self, stage: &'static str, arrays: &[Array2<f64>]) {
        self.own.keep(stage, arrays);
    }
}

impl Progress for FollowerProgress<'_> {
    fn begin(&self, _: &'static str, _: u64, _: &'static str) {}

    fn step(&self, _: u64, _: Option<f64>) {}

    fn cancelled(&self) -> bool {
        false
    }

    fn decide(&self, own: bool) -> bool {
        let all = self.parts.share(Vec::new()).unwrap_or_default();
        all.first().and_then(|first| first.first()).map_or(own, |&said| said != 0)
    }

    fn recall(&self, _: &'static str) -> Option<Vec<Array2<f64>>> {
        let all = self.parts.share(Vec::new()).ok()?;
        let (&MATRICES, bytes) = all.first()?.split_first()? else { return None };
        unpack(bytes)
    }
}
