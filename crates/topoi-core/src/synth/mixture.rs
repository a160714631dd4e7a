//! Documents that mix topics: the generative model of latent Dirichlet allocation.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::corpus::{Generator, Topic};
use super::draw::alias_table::AliasTable;
use super::length::Length;
use crate::random::dirichlet::symmetric_dirichlet;
use crate::random::stream;

/// Name of the random stream that all documents are drawn from, in order.
pub(super) const DOCUMENTS: &str = "synth documents";
/// Name of the random stream that topics are drawn from.
pub(super) const TOPICS: &str = "synth topics";

/// The generative model of LDA. Every document draws θ from a symmetric Dirichlet distribution;
/// every token draws a topic from θ and a word from the topic.
///
/// # Cost
/// O(K + N log K) time for each document; 16 bytes for every nonzero of the topics.
///
/// # Source
/// Blei, Ng, Jordan 2003, section 3.
pub(super) struct MixtureGenerator {
    tables: Vec<AliasTable>,
    alpha: f64,
    length: Length,
    rng: ChaCha12Rng,
    /// θ, then its cumulative sums.
    weights: Vec<f64>,
    counter: WordCounter,
}

impl MixtureGenerator {
    /// A generator of documents of `topics` over `words` words.
    pub(super) fn new(
        topics: &[Topic],
        words: usize,
        alpha: f64,
        length: Length,
        seed: u64,
    ) -> Box<Self> {
        Box::new(Self {
            tables: topics.iter().map(|topic| AliasTable::new(topic)).collect(),
            alpha,
            length,
            rng: stream(seed, DOCUMENTS),
            weights: vec![0.0; topics.len()],
            counter: WordCounter::new(words),
        })
    }
}

impl Generator for MixtureGenerator {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        symmetric_dirichlet(&mut self.rng, self.alpha, &mut self.weights);
        let mut sum = 0.0;
        for weight in &mut self.weights {
            sum += *weight;
            *weight = sum;
        }
        for _ in 0..self.length.draw(&mut self.rng) {
            let place = self.rng.random::<f64>() * sum;
            let topic = self.weights.partition_point(|&below| below <= place);
            let topic = topic.min(self.tables.len() - 1);
            self.counter.add(self.tables[topic].draw(&mut self.rng));
        }
        self.counter.drain_into(document);
    }
}

/// Counts the words of one document at a time, in O(1) for each token.
#[derive(Debug)]
pub(super) struct WordCounter {
    counts: Vec<u32>,
    seen: Vec<u32>,
}

impl WordCounter {
    /// A counter for words 0 to `words` − 1.
    pub(super) fn new(words: usize) -> Self {
        Self { counts: vec![0; words], seen: Vec::new() }
    }

    /// Counts a token.
    pub(super) fn add(&mut self, word: u32) {
        let count = &mut self.counts[word as usize];
        if *count == 0 {
            self.seen.push(word);
        }
        *count += 1;
    }

    /// Replaces `document` by the (word, count), ascending by word, and resets the counter.
    pub(super) fn drain_into(&mut self, document: &mut Vec<(u32, u32)>) {
        document.clear();
        self.seen.sort_unstable();
        for word in self.seen.drain(..) {
            document.push((word, std::mem::take(&mut self.counts[word as usize])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_order_with_their_counts_and_are_forgotten() {
        let mut counter = WordCounter::new(5);
        let mut document = vec![(9, 9)];
        [4, 1, 4, 0].into_iter().for_each(|word| counter.add(word));
        counter.drain_into(&mut document);
        assert_eq!(document, [(0, 1), (1, 1), (4, 2)]);
        counter.drain_into(&mut document);
        assert_eq!(document, []);
    }
}
