//! In how many documents words occur, alone and in pairs, counted in one pass.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::stream::documents::Documents;
use crate::stream::error::Result;
use crate::stream::lanes::lanes;

/// Document counts of a set of words and of all their pairs.
#[derive(Debug, Clone)]
pub struct DocumentFrequencies {
    documents: u64,
    index: BTreeMap<usize, usize>,
    pairs: Vec<u32>,
}

impl DocumentFrequencies {
    /// Counts over the kept documents, in one pass; memory 4·U² bytes a lane for U words.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn count(
        documents: &Documents<'_>,
        words: impl IntoIterator<Item = usize>,
    ) -> Result<Self> {
        let mut index: BTreeMap<usize, usize> = words.into_iter().map(|word| (word, 0)).collect();
        index.values_mut().enumerate().for_each(|(at, slot)| *slot = at);
        let size = index.len();
        let mut slot_of = vec![usize::MAX; documents.words()];
        index.iter().for_each(|(&word, &slot)| slot_of[word] = slot);
        let shares: Vec<(u64, Vec<u32>)> = lanes(&documents.block_sizes())
            .into_par_iter()
            .map(|lane| count_lane(documents, lane, &slot_of, size))
            .collect::<Result<_>>()?;
        let mut pairs = vec![0; size * size];
        let mut all = 0;
        for (lane_documents, lane_pairs) in shares {
            all += lane_documents;
            pairs.iter_mut().zip(lane_pairs).for_each(|(sum, more)| *sum += more);
        }
        Ok(Self { documents: all, index, pairs })
    }

    /// Number of documents looked at.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// D(v, w): the documents in which both occur; D(w, w) is those in which w occurs. 0 for
    /// words that were not counted.
    pub fn both(&self, v: usize, w: usize) -> u64 {
        match (self.index.get(&v), self.index.get(&w)) {
            (Some(&v), Some(&w)) => u64::from(self.pairs[v.min(w) * self.index.len() + v.max(w)]),
            _ => 0,
        }
    }
}

fn count_lane(
    documents: &Documents<'_>,
    lane: Range<usize>,
    slot_of: &[usize],
    size: usize,
) -> Result<(u64, Vec<u32>)> {
    let mut pairs = vec![0u32; size * size];
    let mut all = 0;
    let mut present = Vec::new();
    documents.visit(lane, |batch| {
        for (words, _, _) in batch.documents() {
            all += 1;
            present.clear();
            let slots = words.iter().map(|&word| slot_of[word as usize]);
            // Slots ascend with words, so that pairs fall above the diagonal.
            present.extend(slots.filter(|&slot| slot != usize::MAX));
            for (at, &first) in present.iter().enumerate() {
                let row = &mut pairs[first * size..(first + 1) * size];
                present[at..].iter().for_each(|&second| row[second] += 1);
            }
        }
    })?;
    Ok((all, pairs))
}
