//! The number of units (documents or windows) in which words occur, alone and in pairs.

use rayon::prelude::*;

use super::word_pairs::WordPairs;
use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;

/// Counts of words, and of pairs that share a topic, over a number of units. Integers, so that
/// partial counts can be added in any order.
#[derive(Debug, Clone)]
pub struct PairCounts<'a> {
    pairs: &'a WordPairs,
    units: u64,
    alone: Vec<u64>,
    /// By edge. A pair is counted on either of its two edges, and its count is their sum.
    together: Vec<u64>,
}

impl<'a> PairCounts<'a> {
    /// Zero counts.
    pub fn new(pairs: &'a WordPairs) -> Self {
        Self { pairs, units: 0, alone: vec![0; pairs.slots()], together: vec![0; pairs.edges()] }
    }

    /// The words and pairs that are counted.
    pub fn pairs(&self) -> &'a WordPairs {
        self.pairs
    }

    /// Number of units counted.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Number of units in which `word` occurs; 0 for words outside the pairs.
    pub fn alone(&self, word: usize) -> u64 {
        self.pairs.slot(word).map_or(0, |slot| self.alone[slot])
    }

    /// Number of units in which both words occur; [`Self::alone`] when they are the same; 0 for
    /// words that share no topic.
    pub fn both(&self, v: usize, w: usize) -> u64 {
        let (Some(v_slot), Some(w_slot)) = (self.pairs.slot(v), self.pairs.slot(w)) else {
            return 0;
        };
        if v == w {
            return self.alone(v);
        }
        let counted = |from, to| self.pairs.edge(from, to).map_or(0, |edge| self.together[edge]);
        counted(v_slot, w_slot) + counted(w_slot, v_slot)
    }

    /// Share of the units in which `word` occurs; 0 without units.
    pub fn probability(&self, word: usize) -> f64 {
        self.share(self.alone(word))
    }

    /// Share of the units in which both words occur; 0 without units.
    pub fn joint_probability(&self, v: usize, w: usize) -> f64 {
        self.share(self.both(v, w))
    }

    fn share(&self, count: u64) -> f64 {
        if self.units == 0 { 0.0 } else { count as f64 / self.units as f64 }
    }

    /// Adds `units` units.
    pub(super) fn add_units(&mut self, units: u64) {
        self.units += units;
    }

    /// Adds `units` units to the count of the word of `slot`.
    pub(super) fn add_alone(&mut self, slot: usize, units: u64) {
        self.alone[slot] += units;
    }

    /// Adds `units` units to the count of the pair of `edge`.
    pub(super) fn add_together(&mut self, edge: usize, units: u64) {
        self.together[edge] += units;
    }

    /// Replaces the counts over this part of the corpus by their sums over all parts.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn over_parts(mut self, of: &Documents<'_>) -> Result<Self> {
        let Self { units, alone, together, .. } = &mut self;
        for counts in [std::slice::from_mut(units), alone, together] {
            of.add_up_counts(counts)?;
        }
        Ok(self)
    }

    /// Adds the counts of other units over the same pairs.
    pub(super) fn add(mut self, more: &Self) -> Self {
        self.units += more.units;
        self.alone.iter_mut().zip(&more.alone).for_each(|(sum, n)| *sum += n);
        self.together.iter_mut().zip(&more.together).for_each(|(sum, n)| *sum += n);
        self
    }
}

/// D(w) and D(v, w): the numbers of kept documents with a word, and with both words of a pair.
///
/// # Cost
/// One pass. A document costs its top words times their partners in topics.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn document_frequencies<'a>(
    documents: &Documents<'_>,
    pairs: &'a WordPairs,
) -> Result<PairCounts<'a>> {
    let blocks = documents.block_sizes().len();
    let counted = (0..blocks)
        .into_par_iter()
        .try_fold(
            || PairCounts::new(pairs),
            |mut counts, block| {
                documents.visit(block..block + 1, |batch| count_batch(batch, &mut counts))?;
                Ok(counts)
            },
        )
        .try_reduce(|| PairCounts::new(pairs), |sum, more| Ok(sum.add(&more)));
    documents.agree(counted)?.over_parts(documents)
}

fn count_batch(batch: &Batch, counts: &mut PairCounts<'_>) {
    let pairs = counts.pairs();
    let mut present = vec![false; pairs.slots()];
    let mut slots = Vec::new();
    for (words, _, _) in batch.documents() {
        slots.clear();
        slots.extend(words.iter().filter_map(|&word| pairs.slot(word as usize)));
        slots.iter().for_each(|&slot| present[slot] = true);
        counts.add_units(1);
        for &slot in &slots {
            counts.add_alone(slot, 1);
            // Each pair is counted once, from its lower slot.
            for (edge, partner) in pairs.edges_of(slot) {
                if partner > slot && present[partner] {
                    counts.add_together(edge, 1);
                }
            }
        }
        slots.iter().for_each(|&slot| present[slot] = false);
    }
}
