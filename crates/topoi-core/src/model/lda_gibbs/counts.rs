//! Counts of tokens by word and topic.

use std::ops::Range;

use libm::lgamma;
use rayon::prelude::*;

use super::lane::Lane;

/// Words that a thread counts at a time.
const WORDS_AT_ONCE: usize = 64;

/// n_wk and n_k: the tokens of each word and topic, and of each topic.
#[derive(Debug, Clone)]
pub(super) struct TopicCounts {
    topics: usize,
    /// A row for each word.
    rows: Vec<i32>,
    /// n_k.
    pub totals: Vec<i32>,
}

/// n_wk of consecutive words.
#[derive(Debug)]
pub(super) struct WordRows<'a> {
    pub words: Range<usize>,
    topics: usize,
    rows: &'a mut [i32],
}

impl WordRows<'_> {
    /// The counts n_wk of one word.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, word: usize) -> &mut [i32] {
        &mut self.rows[(word - self.words.start) * self.topics..][..self.topics]
    }
}

impl TopicCounts {
    /// Zero counts.
    pub(super) fn new(words: usize, topics: usize) -> Self {
        Self { topics, rows: vec![0; words * topics], totals: vec![0; topics] }
    }

    /// Partitions the words into `count` groups of consecutive words with about equally many
    /// tokens.
    pub(super) fn groups(&self, count: usize) -> Vec<Range<usize>> {
        let tokens = |row: &[i32]| row.iter().map(|&own| own as u64).sum::<u64>();
        let ends: Vec<u64> = self
            .rows
            .chunks_exact(self.topics)
            .scan(0, |sum, row| {
                *sum += tokens(row);
                Some(*sum)
            })
            .collect();
        let all = ends.last().copied().unwrap_or(0);
        let begin = |group| match group {
            // Words without tokens at the start belong to the first group.
            0 => 0,
            last if last == count => ends.len(),
            _ => ends.partition_point(|&end| end <= all * group as u64 / count as u64),
        };
        (0..count).map(|group| begin(group)..begin(group + 1)).collect()
    }

    /// Mutable n_wk of each group, and n_k.
    pub(super) fn split_groups(
        &mut self,
        groups: &[Range<usize>],
    ) -> (Vec<WordRows<'_>>, &mut [i32]) {
        let (topics, mut rest) = (self.topics, &mut self.rows[..]);
        let rows = groups.iter().map(|words| {
            let of_group;
            (of_group, rest) = std::mem::take(&mut rest).split_at_mut(words.len() * topics);
            WordRows { words: words.clone(), topics, rows: of_group }
        });
        (rows.collect(), &mut self.totals)
    }

    /// All n_wk, word by word.
    pub(super) fn rows(&self) -> &[i32] {
        &self.rows
    }

    /// ln p(w | z, β).
    pub(super) fn log_likelihood(&self, beta: f64) -> f64 {
        let seen = self.rows.iter().filter(|count| **count > 0);
        let of_words: f64 = seen.map(|&count| lgamma(f64::from(count) + beta) - lgamma(beta)).sum();
        let sum = (self.rows.len() / self.topics) as f64 * beta;
        let of_total = |&total: &i32| lgamma(sum) - lgamma(f64::from(total) + sum);
        of_words + self.totals.iter().map(of_total).sum::<f64>()
    }

    /// Replaces the counts by those of the tokens of `lanes`.
    pub(super) fn count(&mut self, lanes: &[&Lane]) {
        let topics = self.topics;
        let some = self.rows.par_chunks_mut(WORDS_AT_ONCE * topics).enumerate();
        some.for_each(|(at, rows)| {
            rows.fill(0);
            for (row, word) in rows.chunks_exact_mut(topics).zip(at * WORDS_AT_ONCE..) {
                let of_word = lanes.iter().flat_map(|lane| lane.topics_of_word(word));
                of_word.for_each(|topic| row[usize::from(topic)] += 1);
            }
        });
        self.add_up();
    }

    /// Replaces n_wk, word by word.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_have_every_word_once_and_none_has_many_more_tokens(
            rows in prop::collection::vec([0i32..50, 0..50], 1..60),
            count in 1usize..6,
        ) {
            let mut counts = TopicCounts::new(rows.len(), 2);
            counts.set(rows.iter().flatten().copied());
            let groups = counts.groups(count);
            prop_assert_eq!(groups.len(), count);
            let covered: Vec<usize> = groups.iter().cloned().flatten().collect();
            prop_assert_eq!(covered, (0..rows.len()).collect::<Vec<_>>());
            let all: i32 = counts.totals.iter().sum();
            let (mut of_groups, _) = counts.split_groups(&groups);
            for group in &mut of_groups {
                let words = group.words.clone();
                let tokens: i32 = words.map(|word| group.row_mut(word).iter().sum::<i32>()).sum();
                prop_assert!(tokens <= all / count as i32 + 100);
            }
        }
    }
}
