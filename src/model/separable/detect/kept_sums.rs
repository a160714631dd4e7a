//! Sums along random directions that outlive the run that made them.

use std::fmt::Debug;
use std::ops::Range;

use ndarray::{Array2, ArrayView2};

use crate::stream::StreamError;
use crate::stream::split::SplitSums;

/// Where `rp` finds the sums of an earlier run and leaves its own: X′ Xᵀ·U, W numbers a direction.
pub trait KeptSums: Sync + Debug {
    /// What the sums are over that are to be added to; `None` where they begin with nothing.
    fn earlier(&self) -> Option<&EarlierSums>;

    /// The earlier sums along the directions in `which`, W × that many.
    ///
    /// # Errors
    /// When they cannot be read or are not all there.
    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError>;

    /// Says of which documents (`split`) and directions (`scale`) the sums are that come next.
    ///
    /// # Errors
    /// When it cannot be written.
    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError>;

    /// Keeps the sums (W × b) along b directions from `first` on.
    ///
    /// # Errors
    /// When they cannot be written.
    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError>;
}

/// What the sums of an earlier run are over.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierSums {
    /// The id of their last document; those after it are to be added.
    pub last_document: i64,
    /// What the split co-occurrence knew of their documents.
    pub split: SplitSums,
    /// What it knew of the documents that their directions are scaled for: those of the first run,
    /// where the earlier one added to sums itself.
    pub scale: SplitSums,
}

/// Begins with nothing and keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NothingKept;

impl KeptSums for NothingKept {
    fn earlier(&self) -> Option<&EarlierSums> {
        None
    }

    fn load(&self, _which: Range<usize>) -> Result<Array2<f64>, StreamError> {
        Ok(Array2::zeros((0, 0)))
    }

    fn begin(&self, _split: &SplitSums, _scale: &SplitSums) -> Result<(), StreamError> {
        Ok(())
    }

    fn save(&self, _first: usize, _sums: ArrayView2<'_, f64>) -> Result<(), StreamError> {
        Ok(())
    }
}
