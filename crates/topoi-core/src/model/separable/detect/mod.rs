//! Novel words: words whose rows are extreme points, with a score for each.
//!
//! Each detector ([`super::Detector`]) is a file: solid angles ([`leaders`] along [`projections`], whose
//! sums can be kept), document projections, bins, data-dependent directions. All return [`Candidates`].

pub(super) mod binning;
pub(super) mod data_dependent;
pub(super) mod document_projections;
pub(super) mod kept_sums;
pub(super) mod leaders;
pub(super) mod projections;

use ndarray::Array2;

use self::leaders::Leaders;
use crate::model::checkpoint::{Checkpoint, row};

/// At most this many words are grouped: the best by score.
pub(in crate::model::separable) const MOST: usize = 2000;

/// Words that may be novel.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::model::separable) struct Candidates {
    /// Word numbers, the best score first; ties by word number.
    pub words: Vec<usize>,
    /// Solid angle of each word, the share of directions it wins, or its margin: the larger, the more
    /// certainly novel.
    pub scores: Vec<f64>,
    /// γ, for the detector that goes by margins.
    pub margin: Option<f64>,
    /// The leading words of each direction, for the detector that goes by solid angles.
    pub leaders: Option<Leaders>,
}

impl Candidates {
    /// The words with positive `scores` (W numbers), at most [`MOST`].
    pub(in crate::model::separable) fn of_scores(scores: &[f64]) -> Self {
        let mut words: Vec<usize> = (0..scores.len()).filter(|&word| scores[word] > 0.0).collect();
        words.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        words.truncate(MOST);
        let scores = words.iter().map(|&word| scores[word]).collect();
        Self { words, scores, margin: None, leaders: None }
    }

    /// Leaves the best `count` words.
    fn truncate(&mut self, count: usize) {
        self.words.truncate(count);
        self.scores.truncate(count);
    }
}

impl Checkpoint for Candidates {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let words: Vec<f64> = self.words.iter().map(|&word| word as f64).collect();
        let mut arrays = vec![row(&words), row(&self.scores), row(self.margin.as_slice())];
        arrays.extend(self.leaders.as_ref().map(Leaders::to_array));
        arrays
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let mut arrays = arrays.into_iter();
        let words = arrays.next()?.iter().map(|&word| word as usize).collect();
        let scores = arrays.next()?.iter().copied().collect();
        let margin = arrays.next()?.first().copied();
        Some(Self { words, scores, margin, leaders: arrays.next().map(Leaders::from_array) })
    }
}
