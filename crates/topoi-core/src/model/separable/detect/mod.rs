//! Novel words: words whose rows are extreme points, with a score for each.
//!
//! Each [`NovelWordDetector`] is a file: solid angles (from [`leaders`] along [`projections`], whose
//! sums can be kept), document projections, bins, data-dependent directions. All return [`Candidates`].

pub(super) mod binning;
pub(super) mod data_dependent;
pub(super) mod document_projections;
pub(super) mod kept_sums;
pub(super) mod leaders;
pub(super) mod projections;
pub(super) mod solid_angles;

use std::fmt::Debug;

use ndarray::Array2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::kept_sums::KeptSums;
use self::leaders::Leaders;
use self::solid_angles::Counting;
use super::settings::{Clustering, Settings};
use crate::model::ModelError;
use crate::model::checkpoint::{Checkpoint, row};
use crate::model::plan::Extent;
use crate::model::setting::Setting;
use crate::model::topic_model::{Card, SumsSettings};
use crate::progress::Progress;
use crate::stream::split::SplitCoOccurrence;

/// Where a separable model looks for novel words, with the settings that only this search has.
pub trait NovelWordDetector:
    Debug + Copy + Default + PartialEq + Serialize + DeserializeOwned + 'static
{
    /// The model's card.
    const CARD: Card;
    /// The model's settings, in the order in which they are shown.
    const SETTINGS: &'static [Setting<Settings<Self>>];
    /// How the paper groups words at a given distance.
    const PAPER_CLUSTERING: Clustering;
    /// How many times as long as for refined topics the proportions of long documents take.
    const DOCUMENTS: f64;

    /// The model's settings as in the paper.
    fn as_in_paper() -> Settings<Self>;

    /// Seconds of the stage "project", as in [`crate::model::plan`].
    fn project_seconds(&self, size: Extent) -> f64;

    /// How topics are counted (K̂), and τ; `None` without solid angles.
    fn counting(&self) -> Option<(Counting, f64)> {
        None
    }

    /// As [`TopicModel::keeps_sums`](crate::model::topic_model::TopicModel::keeps_sums).
    fn keeps_sums(&self, _k: usize) -> Option<SumsSettings> {
        None
    }

    /// Finds words that may be novel. Begins the stage "project".
    ///
    /// # Errors
    /// When the corpus or kept sums cannot be read, sums cannot be kept, or on cancel.
    fn detect(settings: &Settings<Self>, search: &Search<'_>) -> Result<Candidates, ModelError>;
}

/// What novel words are searched in.
pub struct Search<'a> {
    pub(super) split: &'a SplitCoOccurrence<'a>,
    /// K.
    pub(super) topics: usize,
    pub(super) seed: u64,
    pub(super) kept: &'a dyn KeptSums,
    pub(super) progress: &'a dyn Progress,
}

/// At most this many words are grouped: the best by score.
pub(in crate::model::separable) const MOST: usize = 2000;

/// Words that may be novel.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    /// Word numbers, the best score first; ties by word number.
    pub(super) words: Vec<usize>,
    /// Solid angle of each word, the share of directions it wins, or its margin: the larger, the more
    /// certainly novel.
    pub(super) scores: Vec<f64>,
    /// γ, for the detector that goes by margins.
    pub(super) margin: Option<f64>,
    /// The leading words of each direction, for the detector that goes by solid angles.
    pub(super) leaders: Option<Leaders>,
}

impl Candidates {
    /// The words with positive `scores` (W numbers), at most [`MOST`].
    pub(in crate::model::separable) fn from_scores(scores: &[f64]) -> Self {
        let mut words: Vec<usize> = (0..scores.len()).filter(|&word| scores[word] > 0.0).collect();
        words.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        words.truncate(MOST);
        let scores = words.iter().map(|&word| scores[word]).collect();
        Self { words, scores, margin: None, leaders: None }
    }

    /// The position of `word`, which is added with a score of 0 where it has none.
    pub(in crate::model::separable) fn position_of(&mut self, word: usize) -> usize {
        self.words.iter().position(|&other| other == word).unwrap_or_else(|| {
            self.words.push(word);
            self.scores.push(0.0);
            self.words.len() - 1
        })
    }

    /// Keeps the best `count` words.
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
