//! Counts of words in topics, and the topics made of them.

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::expected::Sums;
use crate::model::documents::cvb0::Cvb0;
use crate::model::documents::topic_rows::{ETA, TopicRows};
use crate::model::topics::Topics;
use crate::stream::cooccurrence::CoOccurrence;

/// The share of every topic that is spread evenly over words at the start: none lacks a word.
const EVEN: f64 = 0.2;
/// The share that goes to words as all topics together have them, so that no topic is held to where it began by the
/// words that are everywhere. Both are chosen over seven kinds of text (docs/documents.md).
const COMMON: f64 = 0.6;
/// Words whose counts a thread adds up at a time; decides the order of sums.
const WORDS_AT_ONCE: usize = 512;

/// The topics that passes begin with.
pub(super) fn spread(topics: &Topics) -> Array2<f64> {
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
    /// Topics that stay as they are, and their words.
    held: Vec<(usize, Array1<f64>)>,
}

impl State {
    pub(super) fn of(topics: &Topics, held: &[usize], c: &CoOccurrence<'_>) -> Self {
        let words = topics.topics.nrows();
        let mut b = spread(topics);
        let held: Vec<(usize, Array1<f64>)> =
            held.iter().map(|&topic| (topic, topics.topics.column(topic).to_owned())).collect();
        hold(&mut b, &held);
        let rows = TopicRows::exact(&b);
        let tokens = c.totals().tokens as f64;
        let width = Cvb0::width_of(rows.topics());
        let mut counts = vec![0.0; words * width];
        for ((word, topic), entry) in b.indexed_iter() {
            counts[word * width + topic] = entry * topics.weights[topic] * tokens;
        }
        Self { tokens, counts, width, rows, held }
    }

    /// Goes from the counts so far to those of `found`, as far as `size`, at most 1, says.
    pub(super) fn step(&mut self, found: &Sums, size: f64) {
        let scale = size * self.tokens / found.tokens;
        let (width, topics) = (self.width, self.rows.topics());
        let some = WORDS_AT_ONCE * width;
        let counts = self.counts.par_chunks_mut(some).zip(found.by_word.par_chunks(some));
        let sums: Vec<Vec<f64>> = counts
            .map(|(counts, new)| {
                let mut sums = vec![0.0; width];
                for (counts, new) in counts.chunks_exact_mut(width).zip(new.chunks_exact(width)) {
                    for ((count, new), sum) in counts.iter_mut().zip(new).zip(&mut sums) {
                        *count = (1.0 - size) * *count + scale * new;
                        *sum += ETA + *count;
                    }
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

/// Gives topics that are held their words again.
fn hold(b: &mut Array2<f64>, held: &[(usize, Array1<f64>)]) {
    for (topic, words) in held {
        b.column_mut(*topic).assign(words);
    }
}
