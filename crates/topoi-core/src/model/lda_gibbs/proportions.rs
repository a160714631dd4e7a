//! Estimation of α from the documents' topic counts, and their likelihood.

use libm::lgamma;

use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// Lower bound of each α_k.
const LEAST_ALPHA: f64 = 1e-5;
/// Fixed-point steps each time α is learnt.
const STEPS: usize = 10;

/// The number of documents with n tokens of topic k, and with n tokens in total. They determine α
/// and the likelihood, and are integers, so that the order of documents does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Histograms {
    of_topic: Vec<Vec<u32>>,
    of_length: Vec<u32>,
}

impl Histograms {
    /// Histograms of no documents.
    pub(super) fn new(topics: usize) -> Self {
        Self { of_topic: vec![Vec::new(); topics], of_length: Vec::new() }
    }

    /// Adds a document with `tokens` tokens.
    pub(super) fn count_length(&mut self, tokens: u32) {
        add_at(&mut self.of_length, tokens as usize, 1);
    }

    /// Adds a document with `count` tokens of a topic, at least 1.
    pub(super) fn count(&mut self, topic: usize, count: u32) {
        add_at(&mut self.of_topic[topic], count as usize, 1);
    }

    /// Adds the histograms of other documents.
    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.of_topic.iter_mut().zip(&other.of_topic) {
            other.iter().enumerate().for_each(|(n, &documents)| add_at(own, n, documents));
        }
        let lengths = other.of_length.iter().enumerate();
        lengths.for_each(|(n, &documents)| add_at(&mut self.of_length, n, documents));
    }

    /// Sums the histograms over all parts.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub(super) fn over_parts(self, documents: &Documents<'_>) -> Result<Self, StreamError> {
        if documents.parts().count() == 1 {
            return Ok(self);
        }
        let lists = || self.of_topic.iter().chain([&self.of_length]);
        // Each list preceded by its length.
        let numbers = |list: &Vec<u32>| {
            [list.len() as f64]
                .into_iter()
                .chain(list.iter().map(|&n| n.into()))
                .collect::<Vec<_>>()
        };
        let own: Vec<f64> = lists().flat_map(numbers).collect();
        let mut all = Self::new(self.of_topic.len());
        for part in documents.share_numbers(&own)? {
            let mut left = part.into_iter();
            for list in all.of_topic.iter_mut().chain([&mut all.of_length]) {
                let length = left.next().unwrap_or_default() as usize;
                let counts = left.by_ref().take(length).enumerate();
                counts.for_each(|(n, documents)| add_at(list, n, documents as u32));
            }
        }
        Ok(all)
    }

    /// Moves α towards the maximum of the likelihood by ten steps of α_k ← α_k · Σ_m (ψ(n_mk + α_k)
    /// − ψ(α_k)) / Σ_m (ψ(n_m + Σα) − ψ(Σα)).
    ///
    /// # Source
    /// Minka 2000, "Estimating a Dirichlet distribution", equation 55.
    pub(super) fn learn(&self, alpha: &mut [f64]) {
        for _ in 0..STEPS {
            let all = digamma_rises(&self.of_length, alpha.iter().sum());
            for (alpha, histogram) in alpha.iter_mut().zip(&self.of_topic) {
                *alpha = (*alpha * digamma_rises(histogram, *alpha) / all).max(LEAST_ALPHA);
            }
        }
    }

    /// ln p(z | α): Σ_m ln Γ(Σα) − ln Γ(n_m + Σα) + Σ_k ln Γ(n_mk + α_k) − ln Γ(α_k).
    pub(super) fn log_likelihood(&self, alpha: &[f64]) -> f64 {
        let topics = alpha.iter().zip(&self.of_topic);
        let of_topics: f64 = topics.map(|(&alpha, own)| gamma_rises(own, alpha)).sum();
        of_topics - gamma_rises(&self.of_length, alpha.iter().sum())
    }
}

fn add_at(histogram: &mut Vec<u32>, at: usize, documents: u32) {
    if histogram.len() <= at {
        histogram.resize(at + 1, 0);
    }
    histogram[at] += documents;
}

/// Σ_n h(n)·(ψ(n + x) − ψ(x)), where the difference is Σ_{i<n} 1/(i + x).
fn digamma_rises(histogram: &[u32], x: f64) -> f64 {
    let (mut sum, mut rise) = (0.0, 0.0);
    for (n, &documents) in histogram.iter().enumerate() {
        sum += f64::from(documents) * rise;
        rise += 1.0 / (n as f64 + x);
    }
    sum
}

/// Σ_n h(n)·(ln Γ(n + x) − ln Γ(x)).
fn gamma_rises(histogram: &[u32], x: f64) -> f64 {
    let counted = histogram.iter().enumerate().filter(|(_, documents)| **documents > 0);
    counted.map(|(n, &count)| f64::from(count) * (lgamma(n as f64 + x) - lgamma(x))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rises_are_differences_of_the_functions() {
        // ψ(x + 1) = ψ(x) + 1/x, Γ(x + 1) = x·Γ(x).
        let histogram = [7, 0, 3, 1];
        let digamma = 3.0 * (1.0 / 0.3 + 1.0 / 1.3) + 1.0 / 0.3 + 1.0 / 1.3 + 1.0 / 2.3;
        assert!((digamma_rises(&histogram, 0.3) - digamma).abs() < 1e-12);
        let gamma = 3.0 * f64::ln(0.3 * 1.3) + f64::ln(0.3 * 1.3 * 2.3);
        assert!((gamma_rises(&histogram, 0.3) - gamma).abs() < 1e-12);
    }

    #[test]
    fn learning_alpha_makes_the_topics_more_probable_each_time() {
        let mut histograms = Histograms::new(3);
        for document in 0..200 {
            let counts = [document % 7, 3 * (document % 2), 1];
            histograms.count_length(counts.iter().sum());
            let topics = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
            topics.for_each(|(topic, count)| histograms.count(topic, count));
        }
        let mut alpha = vec![0.1; 3];
        let mut before = histograms.log_likelihood(&alpha);
        for _ in 0..30 {
            histograms.learn(&mut alpha);
            let after = histograms.log_likelihood(&alpha);
            assert!(after >= before - 1e-9, "{after} after {before}");
            before = after;
        }
        // At the maximum a step in any direction lowers the likelihood.
        for at in 0..3 {
            for factor in [0.98, 1.02] {
                let mut other = alpha.clone();
                other[at] *= factor;
                assert!(histograms.log_likelihood(&other) < before);
            }
        }
    }
}
