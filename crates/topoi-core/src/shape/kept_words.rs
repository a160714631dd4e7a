//! The words that are not forbidden, and results restricted to them.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use super::base::CoOccurrenceFactor;
use super::outline::Part;
use crate::model::jsmf::compressed::Anchor;

/// The kept words: those that are not forbidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWords {
    /// Word numbers, ascending.
    words: Vec<usize>,
    all: usize,
}

impl KeptWords {
    /// The words of `all` that are not in `forbidden`.
    pub fn new(all: usize, forbidden: &BTreeSet<usize>) -> Self {
        Self { words: (0..all).filter(|word| !forbidden.contains(word)).collect(), all }
    }

    /// Whether no word is forbidden.
    pub fn is_all(&self) -> bool {
        self.words.len() == self.all
    }

    /// The kept words, ascending.
    pub fn words(&self) -> &[usize] {
        &self.words
    }

    /// The index of `word` among the kept words; for a forbidden word the index of the next kept
    /// one.
    pub fn number(&self, word: usize) -> usize {
        self.words.partition_point(|&kept| kept < word)
    }

    /// The anchor, renumbered among the kept words.
    pub fn anchor(&self, anchor: &[usize]) -> Anchor {
        anchor.iter().map(|&word| self.number(word)).collect()
    }

    /// The part, renumbered among the kept words.
    pub fn part(&self, part: Part) -> Part {
        match part {
            Part::Anchor(anchor) => Part::Anchor(self.anchor(&anchor)),
            other => other,
        }
    }

    /// The factor restricted to the kept words: C* without the rows and columns of the forbidden
    /// ones.
    pub fn factor(&self, factor: &CoOccurrenceFactor) -> CoOccurrenceFactor {
        let is_kept = |word: &&usize| self.words.binary_search(word).is_ok();
        let own = factor.candidates.iter().filter(is_kept);
        CoOccurrenceFactor {
            compressed: factor.compressed.restricted_to(&self.words),
            candidates: own.map(|&word| self.number(word)).collect(),
        }
    }

    /// The rows of the kept words.
    pub fn rows(&self, matrix: &Array2<f64>) -> Array2<f64> {
        matrix.select(Axis(0), &self.words)
    }

    /// The entries of the kept words.
    pub fn entries(&self, of_words: &Array1<f64>) -> Array1<f64> {
        of_words.select(Axis(0), &self.words)
    }

    /// Expands rows of the kept words to all words, with zeros for forbidden ones.
    pub fn expand(&self, rows: Array2<f64>) -> Array2<f64> {
        if self.is_all() {
            return rows;
        }
        let mut all = Array2::zeros((self.all, rows.ncols()));
        for (row, &word) in rows.rows().into_iter().zip(&self.words) {
            all.row_mut(word).assign(&row);
        }
        all
    }
}
