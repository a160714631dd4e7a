//! How often each word has each topic.

use rayon::prelude::*;

use super::lane::Lane;

/// Words that a thread counts at a time.
const WORDS_AT_ONCE: usize = 64;

/// n_wk and n_k.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    topics: usize,
    /// A row for each word.
    rows: Vec<i32>,
    /// n_k.
    pub totals: Vec<i32>,
}

impl Counts {
    /// No tokens.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        Self { topics, rows: vec![0; words * topics], totals: vec![0; topics] }
    }

    /// A word's n_wk.
    #[inline(always)]
    pub(super) fn row(&self, word: usize) -> &[i32] {
        &self.rows[word * self.topics..][..self.topics]
    }

    /// All n_wk, word by word.
    pub(super) fn rows(&self) -> &[i32] {
        &self.rows
    }

    /// Becomes the counts of the tokens of `lanes`.
    pub(super) fn count(&mut self, lanes: &[&Lane]) {
        let topics = self.topics;
        let some = self.rows.par_chunks_mut(WORDS_AT_ONCE * topics).enumerate();
        some.for_each(|(at, rows)| {
            rows.fill(0);
            for (row, word) in rows.chunks_exact_mut(topics).zip(at * WORDS_AT_ONCE..) {
                let of_word = lanes.iter().flat_map(|lane| lane.of_word(word));
                of_word.for_each(|&topic| row[usize::from(topic)] += 1);
            }
        });
        self.add_up();
    }

    /// Becomes these n_wk, word by word.
    pub(super) fn set(&mut self, numbers: impl IntoIterator<Item = i32>) {
        self.rows.iter_mut().zip(numbers).for_each(|(own, number)| *own = number);
        self.add_up();
    }

    fn add_up(&mut self) {
        self.totals.fill(0);
        for row in self.rows.chunks_exact(self.topics) {
            self.totals.iter_mut().zip(row).for_each(|(total, own)| *total += own);
        }
    }
}
