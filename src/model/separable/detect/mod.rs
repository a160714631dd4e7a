//! Novel words: the words whose rows are extreme points, and how sure that is of each.
//!
//! A file a detector ([`super::Detector`]): solid angles ([`leaders`] along [`projections`], whose sums can be kept),
//! document projections, bins, data-dependent directions. All of them give [`candidates`].

pub(super) mod binning;
pub(super) mod data_dependent;
pub(super) mod document_projections;
pub(super) mod kept_sums;
pub(super) mod leaders;
pub(super) mod projections;

use ndarray::Array2;

use self::leaders::Leaders;
use crate::model::checkpoint::Checkpoint;

/// No more words than this go on to be grouped: the best by score.
pub(in crate::model::separable) const MOST: usize = 2000;

/// Words that may be novel.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::model::separable) struct Candidates {
    /// Word numbers, the best score first; ties by word number.
    pub words: Vec<usize>,
    /// What a word's claim to be novel is: its solid angle, the share of directions it wins, or
    /// its margin.
    pub scores: Vec<f64>,
    /// γ, where the margin decided.
    pub margin: Option<f64>,
    /// Who led along each direction, where solid angles are asked for.
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
}

impl Checkpoint for Candidates {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let row = |values: Vec<f64>| {
            Array2::from_shape_vec((1, values.len()), values).expect("one row of its own length")
        };
        let words = self.words.iter().map(|&word| word as f64).collect();
        let mut arrays = vec![row(words), row(self.scores.clone())];
        arrays.push(row(self.margin.into_iter().collect()));
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
