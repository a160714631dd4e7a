//! A random part of a corpus's documents, the same on every pass with nothing stored.

use serde::{Deserialize, Serialize};

use crate::random::{ShortStream, key};

/// The documents whose place lies in `from..to`. Every document has a place between 0 and 1 that
/// depends on the sample's seed and the document's id alone: samples of one seed with disjoint ranges
/// have no document in common, and adding documents changes the place of no other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Decides the places.
    pub seed: u64,
    /// Where the sample begins, from 0.
    pub from: f64,
    /// Where it ends, at most 1.
    pub to: f64,
}

impl Sample {
    /// Whether 0 ≤ from < to ≤ 1.
    pub fn is_valid(&self) -> bool {
        0.0 <= self.from && self.from < self.to && self.to <= 1.0
    }

    /// Whether documents, by their ids, belong to the sample.
    pub fn membership(self) -> impl Fn(i64) -> bool + Sync {
        let chooser = self.chooser();
        move |document| chooser.chooses(document)
    }

    /// The sample with its key derived once, for many documents.
    pub(super) fn chooser(self) -> Chooser {
        Chooser { key: key(self.seed, "sample of documents"), sample: self }
    }
}

/// A sample with the key of its places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chooser {
    key: u64,
    sample: Sample,
}

impl Chooser {
    /// Whether the document with this id belongs to the sample.
    pub(super) fn chooses(&self, document: i64) -> bool {
        let place = ShortStream::of(self.key, document as u64).unit();
        self.sample.from <= place && place < self.sample.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_seed_share_no_document_and_leave_none_out() {
        let part = |from, to| Sample { seed: 4, from, to }.chooser();
        let (first, second) = (part(0.0, 0.3), part(0.3, 1.0));
        let other = Sample { seed: 5, from: 0.0, to: 0.3 }.chooser();
        let (mut sizes, mut both) = ([0; 2], 0);
        for document in 0..20_000 {
            assert_ne!(first.chooses(document), second.chooses(document));
            let chosen = first.chooses(document);
            sizes[usize::from(chosen)] += 1;
            both += usize::from(chosen && other.chooses(document));
        }
        // Binomial: 6,000 expected with a deviation of 65, of both 1,800 with 40; bounds at five
        // deviations (the seeds are fixed).
        assert!((sizes[1] - 6_000i32).abs() < 325, "{sizes:?}");
        assert!((both as i32 - 1_800).abs() < 203, "{both}");
    }

    #[test]
    fn ranges_are_checked() {
        let valid = |from, to| Sample { seed: 1, from, to }.is_valid();
        assert!(valid(0.0, 1.0) && valid(0.2, 0.3));
        assert!(!valid(0.5, 0.5) && !valid(-0.1, 0.5) && !valid(0.5, 1.1) && !valid(0.0, f64::NAN));
    }
}
