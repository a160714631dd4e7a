//! Words that are set aside, and what is over the others alone.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use super::base::Factor;
use super::outline::Part;
use crate::model::jsmf::compressed::Anchor;

/// The words that are not set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Ascending.
    words: Vec<usize>,
    all: usize,
}

impl Kept {
    /// Those of `all` words that are not `forbidden`.
    pub fn of(all: usize, forbidden: &BTreeSet<usize>) -> Self {
        Self { words: (0..all).filter(|word| !forbidden.contains(word)).collect(), all }
    }

    /// Whether no word is set aside.
    pub fn is_all(&self) -> bool {
        self.words.len() == self.all
    }

    /// The words, ascending.
    pub fn words(&self) -> &[usize] {
        &self.words
    }

    /// The number that a word has among these; of a word that is set aside, that of the next.
    pub fn number(&self, word: usize) -> usize {
        self.words.partition_point(|&kept| kept < word)
    }

    /// The anchor in the numbers of these.
    pub fn anchor(&self, anchor: &[usize]) -> Anchor {
        anchor.iter().map(|&word| self.number(word)).collect()
    }

    /// The part in the numbers of these.
    pub fn part(&self, part: Part) -> Part {
        match part {
            Part::Anchor(anchor) => Part::Anchor(self.anchor(&anchor)),
            other => other,
        }
    }

    /// What anchors among these need: C* without the rows and columns of the others.
    pub fn factor(&self, factor: &Factor) -> Factor {
        let is_kept = |word: &&usize| self.words.binary_search(word).is_ok();
        let own = factor.candidates.iter().filter(is_kept);
        Factor {
            compressed: factor.compressed.of_words(&self.words),
            candidates: own.map(|&word| self.number(word)).collect(),
        }
    }

    /// The rows of these.
    pub fn rows(&self, matrix: &Array2<f64>) -> Array2<f64> {
        matrix.select(Axis(0), &self.words)
    }

    /// The entries of these.
    pub fn entries(&self, of_words: &Array1<f64>) -> Array1<f64> {
        of_words.select(Axis(0), &self.words)
    }

    /// These rows, and zeros for the words that are set aside.
    pub fn spread(&self, rows: Array2<f64>) -> Array2<f64> {
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
