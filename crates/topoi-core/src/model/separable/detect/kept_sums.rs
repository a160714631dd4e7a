//! Sums along random directions that are kept for a later run.

use std::fmt::Debug;
use std::ops::Range;

use ndarray::{Array2, ArrayView2};

use crate::stream::StreamError;
use crate::stream::split::SplitSums;

/// Where `rp` finds the sums of an earlier run and leaves its own: X′ Xᵀ·U, W numbers a direction.
pub trait KeptSums: Sync + Debug {
    /// The documents of the earlier sums; `None` where there are none.
    fn earlier(&self) -> Option<&EarlierSums>;

    /// The earlier sums along the directions numbered `which`, W × their number.
    ///
    /// # Errors
    /// When they cannot be read or some are missing.
    fn load(&self, which: Range<usize>) -> Result<Array2<f64>, StreamError>;

    /// Called before the first [`Self::save`], with the documents of the sums (`split`), and the
    /// documents that the directions are scaled for (`scale`).
    ///
    /// # Errors
    /// When it cannot be written.
    fn begin(&self, split: &SplitSums, scale: &SplitSums) -> Result<(), StreamError>;

    /// Keeps the sums (W × b) along the b directions from number `first` on.
    ///
    /// # Errors
    /// When they cannot be written.
    fn save(&self, first: usize, sums: ArrayView2<'_, f64>) -> Result<(), StreamError>;
}

/// The documents of an earlier run's sums.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierSums {
    /// The id of the last of them; later documents are to be added.
    pub last_document: i64,
    /// The split co-occurrence's sums over them.
    pub split: SplitSums,
    /// The same over the documents that the directions are scaled for: those of the first run, where the
    /// earlier run was itself an update.
    pub scale: SplitSums,
}

/// No earlier sums, and none are kept.
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
