//! Automatic relevance determination: unneeded topics lose their weight.

use std::f64::consts::PI;

use crate::model::nmf::{Norm, Prior};

/// Relative excess of λ_k over its minimum b/c from which a topic is relevant.
const RELEVANT: f64 = 0.01;

/// The prior on the K topics' scales. Each entry of column k of W and of row k of H is exponential
/// with mean λ_k (ℓ1) or half-normal with variance λ_k (ℓ2), and λ_k is inverse-gamma with shape a
/// and scale b.
///
/// # Source
/// Tan and Févotte 2013, "Automatic relevance determination in nonnegative matrix factorization
/// with the β-divergence", ℓ1-ARD and ℓ2-ARD with φ = 1, for the objective, the multiplicative
/// updates and λ. b follows from the mean of the data, by E X = K·E λ² or E X = K·(2/π)·E λ.
#[derive(Debug, Clone)]
pub(super) struct Relevance {
    /// λ, K numbers.
    pub scales: Vec<f64>,
    b: f64,
    c: f64,
}

/// Sizes of the data that the prior depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct DataSize {
    /// W.
    pub words: usize,
    /// Number of columns of X.
    pub documents: usize,
    /// Sum of all counts.
    pub tokens: f64,
}

impl Relevance {
    /// The prior for K topics whose entries in W and H have the norms `norms`: ‖w_k‖₁ + ‖h_k‖₁, or
    /// (‖w_k‖² + ‖h_k‖²)/2 for the half-normal prior. `None` for a flat prior.
    pub(super) fn new(prior: Prior, extent: DataSize, norms: &[f64]) -> Option<Self> {
        let Prior::Relevance { shape, norm } = prior else { return None };
        let (words, documents) = (extent.words as f64, extent.documents as f64);
        let mean = extent.tokens / (words * documents);
        let of_topic = mean / norms.len() as f64;
        let (b, entries) = match norm {
            Norm::L1 => (((shape - 1.0) * (shape - 2.0) * of_topic).sqrt(), words + documents),
            Norm::L2 => (PI / 2.0 * (shape - 1.0) * of_topic, (words + documents) / 2.0),
        };
        let mut relevance = Self { scales: Vec::new(), b, c: entries + shape + 1.0 };
        relevance.renew(norms);
        Some(relevance)
    }

    /// λ_k = (norm + b) / c, optimal for these factors.
    pub(super) fn renew(&mut self, norms: &[f64]) {
        self.scales = norms.iter().map(|norm| (norm + self.b) / self.c).collect();
    }

    /// 1/λ_k, which the updates of both factors add to their divisors; in ℓ2 multiplied by the
    /// entry.
    pub(super) fn penalty(&self, topic: usize) -> f64 {
        1.0 / self.scales[topic]
    }

    /// The prior's term of the objective: Σ_k (norm + b)/λ_k + c·ln λ_k.
    pub(super) fn cost(&self, norms: &[f64]) -> f64 {
        let of_topic = |(norm, scale): (&f64, &f64)| (norm + self.b) / scale + self.c * scale.ln();
        norms.iter().zip(&self.scales).map(of_topic).sum()
    }

    /// Number of topics with λ_k above its minimum.
    pub(super) fn relevant(&self) -> usize {
        let least = self.b / self.c;
        self.scales.iter().filter(|&&scale| scale > (1.0 + RELEVANT) * least).count()
    }
}
