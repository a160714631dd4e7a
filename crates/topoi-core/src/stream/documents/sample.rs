//! A random sample of a corpus's documents, the same on every pass without storage.

use serde::{Deserialize, Serialize};

use crate::random::{ShortStream, key};

/// The documents whose position lies in `from..to`. The position of a document, between 0 and 1,
/// depends only on the sample's seed and the document's number within the corpus. Samples of one seed with disjoint
/// ranges share no document, and adding documents changes no position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Decides the positions.
    pub seed: u64,
    /// Start of the sample, at least 0.
    pub from: f64,
    /// End of the sample, at most 1.
    pub to: f64,
}

impl Sample {
    /// Whether 0 ≤ from < to ≤ 1.
    pub fn is_valid(&self) -> bool {
        0.0 <= self.from && self.from < self.to && self.to <= 1.0
    }

    /// The share of the documents that it has.
    pub fn share(&self) -> f64 {
        self.to - self.from
    }

    /// A predicate on numbers of documents: whether the document belongs to the sample.
    pub fn membership(self) -> impl Fn(u64) -> bool + Sync {
        let keyed = self.keyed();
        move |document| keyed.contains(document)
    }

    /// The sample with its key derived once, for many documents.
    pub(super) fn keyed(self) -> KeyedSample {
        KeyedSample { key: key(self.seed, "sample of documents"), sample: self }
    }
}

/// A sample with the key that positions derive from.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyedSample {
    key: u64,
    pub(super) sample: Sample,
}

impl KeyedSample {
    /// Whether the document with this number belongs to the sample.
    pub(super) fn contains(&self, document: u64) -> bool {
        let position = ShortStream::new(self.key, document).unit();
        self.sample.from <= position && position < self.sample.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_seed_share_no_document_and_leave_none_out() {
        let part = |from, to| Sample { seed: 4, from, to }.keyed();
        let (first, second) = (part(0.0, 0.3), part(0.3, 1.0));
        let other = Sample { seed: 5, from: 0.0, to: 0.3 }.keyed();
        let (mut sizes, mut both) = ([0; 2], 0);
        for document in 0..20_000 {
            assert_ne!(first.contains(document), second.contains(document));
            let chosen = first.contains(document);
            sizes[usize::from(chosen)] += 1;
            both += usize::from(chosen && other.contains(document));
        }
        // Binomial: 6,000 expected with a deviation of 65, and in both 1,800 with 40. Bounds at
        // five deviations (the seeds are fixed).
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
