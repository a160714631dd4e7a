//! In how many documents words occur, alone and in pairs, counted in one pass.

use rayon::prelude::*;

use super::pair_counts::PairCounts;
use super::word_pairs::WordPairs;
use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;

/// D(w) and D(v, w): the kept documents with a word, and with both words of a pair.
///
/// # Cost
/// One pass; for each document its top words times their partners in topics.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
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
            // Each pair once: from its lower slot.
            for (edge, partner) in pairs.edges_of(slot) {
                if partner > slot && present[partner] {
                    counts.add_together(edge, 1);
                }
            }
        }
        slots.iter().for_each(|&slot| present[slot] = false);
    }
}
