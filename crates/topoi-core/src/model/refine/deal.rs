//! How documents are dealt out to steps, after each of which the topics follow.

use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// Steps of a pass over a corpus whose documents come in turns. Topics that follow four times a pass need a quarter
/// fewer passes; with eight, making topics of counts begins to tell.
const TURNS: usize = 4;
/// Nonzeros of the largest corpus that is gone through in turns, and K times its documents, whose θ are kept.
const MOST_NONZEROS: u64 = 2_000_000;
const MOST_PROPORTIONS: f64 = 33_554_432.0;
/// Nonzeros of a mini-batch, about.
const BATCH_NONZEROS: u64 = 250_000;
/// Mini-batches whose mean objective is compared with that of as many before, to see a gain.
pub(in crate::model) const WINDOW: usize = 16;
/// The first passes, or mini-batches, are annealed: γ to the power 1 − 2^−roots. Topics then end on higher hills (Ueda
/// and Nakano 1998, "Deterministic annealing EM algorithm"); more of them would make all topics alike.
const ROOTS: [usize; 3] = [1, 2, 3];

/// How a corpus is dealt out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Deal {
    /// So many steps make a pass, by the documents' ids, so that the parts of a corpus deal alike. The counts of a step
    /// take the place of those that the same documents had a pass before, and documents begin with the topics that they
    /// had then.
    Turns(usize),
    /// So many steps make a pass; every so many blocks, one belongs to the same. The counts go some way towards those of
    /// a step, scaled to the corpus.
    MiniBatches(usize),
}

impl Deal {
    /// Of a corpus of any number of blocks, for so many topics.
    pub fn of(nonzeros: u64, documents: f64, topics: f64) -> Self {
        if nonzeros <= MOST_NONZEROS && documents * topics <= MOST_PROPORTIONS {
            Self::Turns(TURNS)
        } else {
            Self::MiniBatches(nonzeros.div_ceil(BATCH_NONZEROS) as usize)
        }
    }

    /// The same on all parts of the corpus, no mini-batch without blocks on all of them.
    pub(super) fn of_corpus(c: &CoOccurrence<'_>, topics: usize) -> Result<Self, StreamError> {
        let (totals, documents) = (c.totals(), c.documents());
        let blocks = documents.greatest(documents.block_sizes().len() as f64)? as usize;
        Ok(match Self::of(totals.nonzeros, totals.documents as f64, topics as f64) {
            Self::MiniBatches(steps) => Self::MiniBatches(steps.min(blocks).max(1)),
            turns => turns,
        })
    }

    /// Steps of a pass.
    pub fn steps(self) -> usize {
        match self {
            Self::Turns(steps) | Self::MiniBatches(steps) => steps,
        }
    }

    /// Whether the document of this id belongs to a step in turns.
    pub(super) fn has(self, step: usize, id: i64) -> bool {
        let steps = self.steps() as i64;
        id.rem_euclid(steps) == step as i64 % steps
    }

    /// Sweeps over a document in a step. Three from where the pass before left it are as good as five from nothing; ten
    /// take twice the time, and over 21 pairs of corpus and K changed NPMI by .0015 and agreement with labels by .0001.
    pub(super) fn sweeps(self) -> usize {
        match self {
            Self::Turns(_) => 3,
            Self::MiniBatches(_) => 5,
        }
    }

    /// How often the root of γ is taken in a step, of at most so many passes; 0 from when on none is.
    pub(super) fn roots(self, step: usize, passes: usize) -> usize {
        let (at, most) = match self {
            Self::Turns(steps) => (step / steps, passes),
            Self::MiniBatches(steps) => (step, passes * steps),
        };
        let annealed = ROOTS.len().min(most / 2);
        ROOTS[ROOTS.len() - annealed..].get(at).copied().unwrap_or(0)
    }

    /// Steps that an objective is told of: all of a pass in turns, as each of its documents has come then.
    pub(super) fn told_after(self) -> usize {
        match self {
            Self::Turns(steps) => steps,
            Self::MiniBatches(_) => 1,
        }
    }

    /// How much less the objective is than a pass before; of mini-batches the mean of the last 16 than that of as many
    /// before. NaN where there are not so many yet.
    pub(super) fn gain(self, objectives: &[f64]) -> f64 {
        let window = match self {
            Self::Turns(_) => 1,
            Self::MiniBatches(steps) => WINDOW.min(steps),
        };
        let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
        match objectives.len().checked_sub(2 * window) {
            None => f64::NAN,
            Some(first) => {
                let (before, last) = objectives[first..].split_at(window);
                mean(before) - mean(last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_corpora_come_in_turns_and_large_ones_in_mini_batches() {
        assert_eq!(Deal::of(1_000_000, 2e3, 50.0), Deal::Turns(4));
        assert_eq!(Deal::of(2_000_001, 2e3, 50.0), Deal::MiniBatches(9));
        // θ of a million documents would not fit beside anything.
        assert_eq!(Deal::of(1_900_000, 1e6, 50.0), Deal::MiniBatches(8));
    }

    #[test]
    fn half_of_few_passes_are_annealed_and_never_the_last() {
        let roots = |deal: Deal, passes: usize| -> Vec<usize> {
            (0..passes * deal.steps()).map(|step| deal.roots(step, passes)).collect()
        };
        assert_eq!(roots(Deal::Turns(2), 7)[..8], [1, 1, 2, 2, 3, 3, 0, 0]);
        assert_eq!(roots(Deal::Turns(2), 3), [3, 3, 0, 0, 0, 0]);
        assert_eq!(roots(Deal::Turns(4), 1), [0, 0, 0, 0]);
        assert_eq!(roots(Deal::MiniBatches(5), 1), [2, 3, 0, 0, 0]);
    }

    #[test]
    fn a_gain_is_from_one_pass_or_window_to_the_next() {
        assert!(Deal::Turns(2).gain(&[9.0]).is_nan());
        assert_eq!(Deal::Turns(2).gain(&[9.0, 5.0, 4.5]), 0.5);
        let three = [9.0, 5.0, 5.0, 4.0, 2.0];
        assert!(Deal::MiniBatches(3).gain(&three).is_nan());
        assert_eq!(Deal::MiniBatches(2).gain(&three), 2.0);
    }
}
