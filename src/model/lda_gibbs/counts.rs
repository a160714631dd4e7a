//! How often each word has each topic.

use std::ops::Range;

/// Topics that are handled together: one vector of the widest processors.
pub(super) const GROUP: usize = 8;

/// Counts of eight neighbouring topics.
pub(super) type Counts8 = [i32; GROUP];

/// n_wk of some neighbouring words: a row for each, filled up to whole groups with topics that do
/// not occur.
#[derive(Debug, Clone, Default)]
pub(super) struct WordTopics {
    /// The words.
    pub words: Range<usize>,
    width: usize,
    rows: Vec<Counts8>,
}

impl WordTopics {
    /// No tokens of these words.
    pub(super) fn new(words: Range<usize>, topics: usize) -> Self {
        let width = topics.div_ceil(GROUP);
        Self { width, rows: vec![[0; GROUP]; words.len() * width], words }
    }

    /// A word's row.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, word: usize) -> &mut [Counts8] {
        let at = (word - self.words.start) * self.width;
        &mut self.rows[at..at + self.width]
    }

    /// (word, the counts of its topics and of those that only fill up) of all words.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &[i32])> {
        self.words.clone().zip(self.rows.chunks_exact(self.width).map(<[_]>::as_flattened))
    }
}

/// Adds to n_k how each of `lanes`, all of which started from it, has changed.
pub(super) fn merge<'l>(totals: &mut [Counts8], lanes: impl Iterator<Item = &'l [Counts8]>) {
    let before = totals.to_vec();
    for lane in lanes {
        let both = totals.as_flattened_mut().iter_mut().zip(before.as_flattened());
        for ((total, before), lane) in both.zip(lane.as_flattened()) {
            *total += lane - before;
        }
    }
}

/// Cuts the words into so many runs of neighbours with about the same number of tokens.
pub(super) fn runs(tokens: &[u64], count: usize) -> Vec<Range<usize>> {
    let all: u64 = tokens.iter().sum();
    let (mut runs, mut start, mut sum) = (Vec::with_capacity(count), 0, 0);
    for (word, own) in tokens.iter().enumerate() {
        sum += own;
        if sum * count as u64 >= all * (runs.len() as u64 + 1) && runs.len() + 1 < count {
            runs.push(start..word + 1);
            start = word + 1;
        }
    }
    runs.push(start..tokens.len());
    runs.resize(count, tokens.len()..tokens.len());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_every_word_once() {
        assert_eq!(runs(&[5, 1, 1, 1, 8], 2), [0..4, 4..5]);
        assert_eq!(runs(&[9, 0, 0], 3), [0..1, 1..2, 2..3]);
        assert_eq!(runs(&[1], 3), [0..1, 1..1, 1..1]);
    }

    #[test]
    fn changes_of_all_lanes_are_merged() {
        let mut totals = [[5; GROUP]];
        let lanes = [[[7; GROUP]], [[4; GROUP]]];
        merge(&mut totals, lanes.iter().map(|lane| &lane[..]));
        assert_eq!(totals, [[6; GROUP]]);
    }
}
