//! Automatic relevance determination: topics that are not needed lose their weight.

use crate::model::nmf::Prior;

/// A topic is relevant when λ_k exceeds the least it can be, b/c, by more than this share.
const RELEVANT: f64 = 0.01;

/// The prior on the K topics' scales: each entry of column k of W and of row k of H is exponential
/// with mean λ_k, which is inverse-gamma with shape a and scale b. Of a flat prior there is
/// nothing.
///
/// # Source
/// Tan and Févotte 2013, "Automatic relevance determination in nonnegative matrix factorization
/// with the β-divergence", ℓ1-ARD with β = 1 and φ = 1: equations for the objective, for the
/// multiplicative updates and for λ; b from the mean of the data, by E X = K·E λ².
#[derive(Debug, Clone)]
pub(super) struct Relevance {
    /// λ, K numbers.
    pub scales: Vec<f64>,
    b: f64,
    c: f64,
}

/// Sizes of the data that the prior depends on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// W.
    pub words: usize,
    /// Documents.
    pub documents: usize,
    /// Sum of all counts.
    pub tokens: f64,
}

impl Relevance {
    /// The prior for K topics whose entries in W and H sum to `norms`; `None` of a flat one.
    pub(super) fn new(prior: Prior, extent: Extent, norms: &[f64]) -> Option<Self> {
        let Prior::Relevance { shape } = prior else { return None };
        let (words, documents) = (extent.words as f64, extent.documents as f64);
        let mean = extent.tokens / (words * documents);
        let b = ((shape - 1.0) * (shape - 2.0) * mean / norms.len() as f64).sqrt();
        let mut relevance = Self { scales: Vec::new(), b, c: words + documents + shape + 1.0 };
        relevance.renew(norms);
        Some(relevance)
    }

    /// λ_k = (‖w_k‖₁ + ‖h_k‖₁ + b) / c, the best for these factors.
    pub(super) fn renew(&mut self, norms: &[f64]) {
        self.scales = norms.iter().map(|norm| (norm + self.b) / self.c).collect();
    }

    /// 1/λ_k, which the updates of both factors add to their divisors.
    pub(super) fn penalty(&self, topic: usize) -> f64 {
        1.0 / self.scales[topic]
    }

    /// What the prior adds to the divergence: Σ_k (‖w_k‖₁ + ‖h_k‖₁ + b)/λ_k + c·ln λ_k.
    pub(super) fn cost(&self, norms: &[f64]) -> f64 {
        let of_topic = |(norm, scale): (&f64, &f64)| (norm + self.b) / scale + self.c * scale.ln();
        norms.iter().zip(&self.scales).map(of_topic).sum()
    }

    /// Topics with λ_k above its least value.
    pub(super) fn relevant(&self) -> usize {
        let least = self.b / self.c;
        self.scales.iter().filter(|&&scale| scale > (1.0 + RELEVANT) * least).count()
    }
}
