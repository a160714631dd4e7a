//! Counts of words in topics, and the topics made of them.

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::expected::ExpectedCounts;
use crate::model::documents::cvb0::Cvb0;
use crate::model::documents::topic_rows::{ETA, TopicRows};
use crate::model::topics::Topics;
use crate::stream::cooccurrence::CoOccurrence;

/// Share of every topic that is spread evenly over words at the start, so that none lacks a word.
const EVEN: f64 = 0.2;
/// Share of every topic that follows the words of all topics together, so that frequent words do
/// not hold a topic to its start. Both shares were chosen over seven kinds of text
/// (papers/default_run.md).
const COMMON: f64 = 0.6;
/// Words whose counts a thread sums at a time. It decides the order of sums.
const WORDS_AT_ONCE: usize = 512;

/// The topics that passes start from.
pub(super) fn smoothed_start(topics: &Topics) -> Array2<f64> {
    let common = topics.topics.dot(&topics.weights);
    let even = EVEN / common.len() as f64;
    let scale = if common.sum() > 0.0 { COMMON / common.sum() } else { 0.0 };
    let own = 1.0 - EVEN - scale * common.sum();
    let mut b = topics.topics.mapv(|entry| own * entry + even);
    for (mut row, share) in b.rows_mut().into_iter().zip(&common) {
        row += scale * share;
    }
    b
}

/// Counts of words in topics, and B made of them.
pub(super) struct State {
    tokens: f64,
    /// A row of `width` numbers for each word.
    counts: Vec<f64>,
    width: usize,
    pub rows: TopicRows,
    /// Fixed topics and their word probabilities.
    held: Vec<(usize, Array1<f64>)>,
    /// The last counts of each incremental step, with their tokens; empty before its first visit.
    turns: Vec<(f64, Vec<f64>)>,
    /// The initial counts, for incremental steps, until all documents have counts of their own.
    start: Vec<f64>,
}

impl State {
    pub(super) fn new(topics: &Topics, held: &[usize], c: &CoOccurrence<'_>) -> Self {
        let words = topics.topics.nrows();
        let mut b = smoothed_start(topics);
        let held: Vec<(usize, Array1<f64>)> =
            held.iter().map(|&topic| (topic, topics.topics.column(topic).to_owned())).collect();
        restore_fixed(&mut b, &held);
        let rows = TopicRows::new(&b);
        let tokens = c.totals().tokens as f64;
        let width = Cvb0::width_of(rows.topics());
        let mut counts = vec![0.0; words * width];
        for ((word, topic), entry) in b.indexed_iter() {
            counts[word * width + topic] = entry * topics.weights[topic] * tokens;
        }
        Self { tokens, counts, width, rows, held, turns: Vec::new(), start: Vec::new() }
    }

    /// Moves the counts towards those of `found`, by a step of `size` at most 1.
    pub(super) fn step(&mut self, found: &ExpectedCounts, size: f64) {
        let scale = size * self.tokens / found.sums.tokens;
        self.write_counts(|at, counts| {
            for (count, new) in counts.iter_mut().zip(&found.by_word[at..]) {
                *count = (1.0 - size) * *count + scale * new;
            }
        });
    }

    /// Replaces the counts of incremental step `turn`, one of `of`, or its documents' share of the
    /// start, by those of `found`.
    pub(super) fn replace(&mut self, turn: usize, of: usize, found: &ExpectedCounts) {
        if self.turns.is_empty() {
            self.start = self.counts.clone();
        }
        let mut turns = std::mem::take(&mut self.turns);
        turns.resize_with(of, Default::default);
        let (tokens, own) = &mut turns[turn];
        *tokens = found.sums.tokens;
        own.clear();
        own.extend_from_slice(&found.by_word);
        let known: f64 = turns.iter().map(|(tokens, _)| tokens).sum();
        // Exactly 0 when all documents have been visited, because tokens are integers.
        let unknown = 1.0 - known / self.tokens;
        let mut start = std::mem::take(&mut self.start);
        if unknown <= 0.0 {
            start = Vec::new();
        }
        self.write_counts(|at, counts| {
            counts.fill(0.0);
            if let Some(start) = start.get(at..) {
                counts.iter_mut().zip(start).for_each(|(count, from)| *count = unknown * from);
            }
            for own in turns.iter().filter_map(|(_, own)| own.get(at..)) {
                counts.iter_mut().zip(own).for_each(|(count, own)| *count += own);
            }
        });
        (self.turns, self.start) = (turns, start);
    }

    /// Overwrites the counts with the results of `write(offset, counts)`, on all threads, and
    /// computes B.
    fn write_counts(&mut self, write: impl Fn(usize, &mut [f64]) + Sync) {
        let (width, topics) = (self.width, self.rows.topics());
        let some = WORDS_AT_ONCE * width;
        let of_words = self.counts.par_chunks_mut(some).enumerate();
        let sums: Vec<Vec<f64>> = of_words
            .map(|(at, counts)| {
                write(at * some, counts);
                let mut sums = vec![0.0; width];
                for counts in counts.chunks_exact(width) {
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += ETA + count);
                }
                sums
            })
            .collect();
        let mut all = vec![0.0; width];
        for some in &sums {
            all.iter_mut().zip(some).for_each(|(sum, more)| *sum += more);
        }
        let (counts, held) = (&self.counts, &self.held);
        self.rows.fill(|word, row| {
            let counts = &counts[word * width..][..topics];
            for ((to, count), sum) in row.iter_mut().zip(counts).zip(&all) {
                *to = (ETA + count) / sum;
            }
            held.iter().for_each(|(topic, words)| row[*topic] = words[word]);
        });
    }
}

/// Restores the words of fixed topics.
fn restore_fixed(b: &mut Array2<f64>, held: &[(usize, Array1<f64>)]) {
    for (topic, words) in held {
        b.column_mut(*topic).assign(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    #[test]
    fn in_turns_topics_are_what_the_documents_said_last_and_the_start_for_those_that_have_not_come()
    {
        let (b, source, positions) = small();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let topics = Topics::without_anchors(b, Array1::from_vec(vec![0.5, 0.3, 0.2]));
        let mut state = State::new(&topics, &[], &c);
        let all = c.totals().tokens as f64;
        let start = smoothed_start(&topics) * &topics.weights * all;
        let width = Cvb0::width_of(3);
        let last_sums = |salt: usize, tokens: f64| {
            let mut found = ExpectedCounts::new(60, 3);
            let numbers = found.by_word.iter_mut().enumerate();
            numbers.for_each(|(at, to)| *to = ((at * salt) % 13) as f64);
            found.sums.tokens = tokens;
            found
        };
        // (step, salt of the step, expected salts and share of the start)
        let steps: [(usize, usize, &[usize], f64); 3] =
            [(0, 5, &[5], 0.75), (1, 7, &[5, 7], 0.0), (0, 11, &[11, 7], 0.0)];
        for (turn, salt, salts, share) in steps {
            let tokens = if turn == 0 { 0.25 * all } else { 0.75 * all };
            state.replace(turn, 2, &last_sums(salt, tokens));
            let mut expected = Array2::from_shape_fn((60, 3), |(w, t)| {
                let counts = salts.iter().map(|salt| ((w * width + t) * salt % 13) as f64);
                ETA + share * start[(w, t)] + counts.sum::<f64>()
            });
            let sums = expected.sum_axis(ndarray::Axis(0));
            expected /= &sums;
            let miss = (state.rows.to_matrix() - expected).mapv(f64::abs);
            assert!(miss.iter().all(|&miss| miss < 1e-12), "{turn} {salt}");
        }
    }
}
