//! Which terms LDAvis shows, and how it ranks them.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, Axis};

use crate::formula::relevance::relevance;
use crate::metric::words::top_words::largest;

/// Terms of each topic, and of the corpus as a whole.
pub const SHOWN: usize = 30;
/// λ goes from 0 to 1 in so many steps.
const STEPS: usize = 100;

/// Expected counts of terms in topics, and what follows from them.
#[derive(Debug)]
pub struct TermCounts {
    /// B (W × K).
    b: Array2<f64>,
    /// W × K: tokens of a term that are of a topic.
    pub of_topics: Array2<f64>,
    /// W: of all topics.
    pub totals: Array1<f64>,
    /// W: shares of all tokens.
    marginal: Array1<f64>,
}

impl TermCounts {
    /// From B (W × K), p(topic) (K) and the tokens of the corpus.
    pub fn new(b: Array2<f64>, weights: &Array1<f64>, tokens: f64) -> Self {
        let of_topics = &b * &(weights * tokens);
        let totals = of_topics.sum_axis(Axis(1));
        let marginal = &totals / totals.sum();
        Self { b, of_topics, totals, marginal }
    }

    /// log p(term | topic).
    pub fn log_probability(&self, term: usize, topic: usize) -> f64 {
        self.b[(term, topic)].ln()
    }

    /// log of p(term | topic) / p(term).
    pub fn log_lift(&self, term: usize, topic: usize) -> f64 {
        (self.b[(term, topic)] / self.marginal[term]).ln()
    }

    /// The [`SHOWN`] most salient terms: p(w) Σ_k p(k|w) log(p(k|w) / p(k)).
    ///
    /// # Source
    /// Chuang, Manning and Heer 2012, "Termite", §4.1.
    pub fn salient(&self) -> Vec<usize> {
        let all = self.totals.sum();
        let shares: Vec<f64> =
            self.of_topics.sum_axis(Axis(0)).iter().map(|tokens| tokens / all).collect();
        let saliency = |term: usize| {
            let row = self.of_topics.row(term);
            let part = |(&tokens, &share): (&f64, &f64)| {
                let given = tokens / self.totals[term];
                if given > 0.0 && share > 0.0 { given * (given / share).ln() } else { 0.0 }
            };
            self.marginal[term] * row.iter().zip(&shares).map(part).sum::<f64>()
        };
        let values: Vec<f64> = (0..self.totals.len()).map(saliency).collect();
        let occurring = (0..values.len()).filter(|&term| self.totals[term] > 0.0).collect();
        largest(occurring, |term| values[term], SHOWN)
    }

    /// The terms that are among the [`SHOWN`] most relevant of a topic (as [`relevance`] has it) for
    /// some λ from 0 to 1. Ascending.
    pub fn relevant(&self, topic: usize) -> Vec<usize> {
        let terms: Vec<usize> =
            (0..self.totals.len()).filter(|&term| self.b[(term, topic)] > 0.0).collect();
        let mut shown = BTreeSet::new();
        for step in 0..=STEPS {
            let lambda = step as f64 / STEPS as f64;
            let score = |term: usize| {
                let (p, marginal) = (self.b[(term, topic)], self.marginal[term]);
                relevance(p, marginal, lambda).unwrap_or(f64::NEG_INFINITY)
            };
            shown.extend(largest(terms.clone(), score, SHOWN));
        }
        shown.into_iter().collect()
    }
}
