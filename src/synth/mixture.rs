//! Documents that mix topics: the generative model of latent Dirichlet allocation.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::corpus::{Generator, Topic};
use super::draw::alias_table::AliasTable;
use super::draw::dirichlet::dirichlet;
use super::length::Length;
use super::tally::Tally;
use crate::random::stream;

/// The stream that all documents are drawn from, in order.
pub(super) const DOCUMENTS: &str = "synth documents";
/// The stream that topics are drawn from.
pub(super) const TOPICS: &str = "synth topics";

/// Every document draws θ from a symmetric Dirichlet distribution; every token draws a topic
/// from θ, and a word from the topic.
///
/// # Cost
/// O(K + N log K) time a document; 16 bytes for every nonzero of the topics.
///
/// # Source
/// Blei, Ng, Jordan 2003, section 3.
pub(super) struct Mixture {
    tables: Vec<AliasTable>,
    alpha: f64,
    length: Length,
    rng: ChaCha12Rng,
    /// θ, then its running sums.
    weights: Vec<f64>,
    tally: Tally,
}

impl Mixture {
    /// Documents of these topics over `words` words.
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
            tally: Tally::new(words),
        })
    }
}

impl Generator for Mixture {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        dirichlet(&mut self.rng, self.alpha, &mut self.weights);
        let mut sum = 0.0;
        for weight in &mut self.weights {
            sum += *weight;
            *weight = sum;
        }
        for _ in 0..self.length.draw(&mut self.rng) {
            let place = self.rng.random::<f64>() * sum;
            let topic = self.weights.partition_point(|&below| below <= place);
            let topic = topic.min(self.tables.len() - 1);
            self.tally.add(self.tables[topic].draw(&mut self.rng));
        }
        self.tally.drain_into(document);
    }
}
