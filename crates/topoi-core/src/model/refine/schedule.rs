//! The schedule of document batches, after each of which topics are updated.

use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// Incremental steps in a pass over a small corpus. With four updates of the topics a pass, a
/// quarter fewer passes are needed; with eight, computing topics from counts becomes noticeable.
const INCREMENTAL_STEPS: usize = 4;
/// Largest number of nonzeros of a corpus with incremental steps. The second limit is for K times
/// the number of documents, whose θ are kept.
const MOST_NONZEROS: u64 = 2_000_000;
const MOST_PROPORTIONS: f64 = 33_554_432.0;
/// Approximate nonzeros of a mini-batch.
const BATCH_NONZEROS: u64 = 250_000;
/// Mini-batches whose mean objective is compared with that of the same number before.
pub(in crate::model) const WINDOW: usize = 16;
/// Annealing: square roots applied in the first passes or mini-batches, which raise γ to the power
/// 1 − 2^−roots. Topics then reach better optima (Ueda and Nakano 1998, "Deterministic annealing EM
/// algorithm"); more annealing would make all topics equal.
const ANNEALING_ROOTS: [usize; 3] = [1, 2, 3];

/// How the documents of a corpus are divided into steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// Incremental updates, with this many steps a pass. Documents are assigned by id, so that all
    /// parts of a corpus divide alike. The counts of a step replace those that the same documents
    /// had a pass before, and documents start from their last topics.
    Incremental(usize),
    /// Mini-batches, with this many steps a pass; blocks of all parts are assigned to them cyclically. The
    /// counts move some way towards those of a step, scaled to the corpus.
    MiniBatches(usize),
}

impl Schedule {
    /// The schedule for a corpus, ignoring its number of blocks.
    pub fn new(nonzeros: u64, documents: f64, topics: f64) -> Self {
        if nonzeros <= MOST_NONZEROS && documents * topics <= MOST_PROPORTIONS {
            Self::Incremental(INCREMENTAL_STEPS)
        } else {
            Self::MiniBatches(nonzeros.div_ceil(BATCH_NONZEROS) as usize)
        }
    }

    /// The schedule for a corpus, the same on all of its parts, with at least one block in each
    /// mini-batch.
    pub(super) fn for_corpus(c: &CoOccurrence<'_>, topics: usize) -> Result<Self, StreamError> {
        let totals = c.totals();
        let blocks = c.documents().blocks_of_parts()?.iter().sum();
        Ok(match Self::new(totals.nonzeros, totals.documents as f64, topics as f64) {
            Self::MiniBatches(steps) => Self::MiniBatches(steps.min(blocks).max(1)),
            turns => turns,
        })
    }

    /// Steps in a pass.
    pub fn steps(self) -> usize {
        match self {
            Self::Incremental(steps) | Self::MiniBatches(steps) => steps,
        }
    }

    /// Whether the document with this number, of a block of this step, belongs to it.
    pub(super) fn includes(self, step: usize, number: u64) -> bool {
        match self {
            Self::Incremental(steps) => number % steps as u64 == (step % steps) as u64,
            Self::MiniBatches(_) => true,
        }
    }

    /// Sweeps over a document in a step. Three sweeps from the result of the last pass are as good
    /// as five from scratch. Ten take twice the time, and over 21 pairs of corpus and K changed
    /// NPMI by .0015 and agreement with labels by .0001.
    pub(super) fn sweeps(self) -> usize {
        match self {
            Self::Incremental(_) => 3,
            Self::MiniBatches(_) => 5,
        }
    }

    /// Square roots applied to γ at `step` (annealing), of at most `passes` passes; 0 once
    /// annealing has ended.
    pub(super) fn roots(self, step: usize, passes: usize) -> usize {
        let (at, most) = match self {
            Self::Incremental(steps) => (step / steps, passes),
            Self::MiniBatches(steps) => (step, passes * steps),
        };
        let annealed = ANNEALING_ROOTS.len().min(most / 2);
        ANNEALING_ROOTS[ANNEALING_ROOTS.len() - annealed..].get(at).copied().unwrap_or(0)
    }

    /// Steps between two reports of the objective: a whole pass for incremental steps, so that each
    /// document has been visited.
    pub(super) fn report_every(self) -> usize {
        match self {
            Self::Incremental(steps) => steps,
            Self::MiniBatches(_) => 1,
        }
    }

    /// The decrease of the objective from the pass before. For mini-batches it is the decrease of
    /// the mean over the last 16 from the mean over the 16 before. NaN without enough values.
    pub(super) fn gain(self, objectives: &[f64]) -> f64 {
        let window = match self {
            Self::Incremental(_) => 1,
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
        assert_eq!(Schedule::new(1_000_000, 2e3, 50.0), Schedule::Incremental(4));
        assert_eq!(Schedule::new(2_000_001, 2e3, 50.0), Schedule::MiniBatches(9));
        // θ of a million documents would not fit into memory.
        assert_eq!(Schedule::new(1_900_000, 1e6, 50.0), Schedule::MiniBatches(8));
    }

    #[test]
    fn half_of_few_passes_are_annealed_and_never_the_last() {
        let roots = |schedule: Schedule, passes: usize| -> Vec<usize> {
            (0..passes * schedule.steps()).map(|step| schedule.roots(step, passes)).collect()
        };
        assert_eq!(roots(Schedule::Incremental(2), 7)[..8], [1, 1, 2, 2, 3, 3, 0, 0]);
        assert_eq!(roots(Schedule::Incremental(2), 3), [3, 3, 0, 0, 0, 0]);
        assert_eq!(roots(Schedule::Incremental(4), 1), [0, 0, 0, 0]);
        assert_eq!(roots(Schedule::MiniBatches(5), 1), [2, 3, 0, 0, 0]);
    }

    #[test]
    fn a_gain_is_from_one_pass_or_window_to_the_next() {
        assert!(Schedule::Incremental(2).gain(&[9.0]).is_nan());
        assert_eq!(Schedule::Incremental(2).gain(&[9.0, 5.0, 4.5]), 0.5);
        let three = [9.0, 5.0, 5.0, 4.0, 2.0];
        assert!(Schedule::MiniBatches(3).gain(&three).is_nan());
        assert_eq!(Schedule::MiniBatches(2).gain(&three), 2.0);
    }
}
