//! The numbers of documents within their corpus, by which random numbers are drawn for them.

use serde::{Deserialize, Serialize};

/// The number of each document within its corpus, from 1 in the order in which they were added. Documents that were
/// deleted since count as well.
///
/// What is drawn for a document (its halves, its directions, whether it is sampled) is drawn by this number and not
/// by its row id, so that a seed gives the same topics whatever else is in the store. Documents that are added later,
/// deletions, and a division into parts change no number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentNumbers {
    /// (first id, difference of ids from there on and numbers), ascending.
    stretches: Vec<(i64, i64)>,
}

impl DocumentNumbers {
    /// From stretches of ids without a gap in the corpus: the first id of each, and what its ids are greater by than
    /// the numbers, ascending. Without stretches numbers are ids.
    pub fn new(stretches: Vec<(i64, i64)>) -> Self {
        Self { stretches }
    }

    /// Whether the corpus has had no document.
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// The same where all ids and numbers are greater by `ids_from`: those of a part that was filled on its own.
    pub fn shifted(self, ids_from: i64) -> Self {
        let shifted = |(first, shift): (i64, i64)| (first.saturating_add(ids_from), shift);
        Self { stretches: self.stretches.into_iter().map(shifted).collect() }
    }

    /// The same numbers by ids that are less by `ids_from`: those in the store of a part.
    pub fn by_own_ids(self, ids_from: i64) -> Self {
        let own = |(first, shift): (i64, i64)| {
            (first.saturating_sub(ids_from), shift.saturating_sub(ids_from))
        };
        Self { stretches: self.stretches.into_iter().map(own).collect() }
    }

    /// The number of the document with this id.
    pub fn number_of(&self, id: i64) -> u64 {
        let at = self.stretches.partition_point(|&(first, _)| first <= id);
        let shift = at.checked_sub(1).map_or(0, |at| self.stretches[at].1);
        id.wrapping_sub(shift) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_that_other_corpora_leave_take_no_numbers() {
        // Documents 4 to 6 and 10 to 12, with those of another corpus around them.
        let numbers = DocumentNumbers::new(vec![(4, 3), (10, 6)]);
        assert_eq!([4, 6, 10, 12].map(|id| numbers.number_of(id)), [1, 3, 4, 6]);
        assert_eq!(DocumentNumbers::default().number_of(7), 7);
        let part = numbers.shifted(1 << 40);
        assert_eq!(part.number_of((1 << 40) + 10), (1 << 40) + 4);
        assert_eq!(part.by_own_ids(1 << 40).number_of(10), (1 << 40) + 4);
    }
}
