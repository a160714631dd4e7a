//! Summary of the topic proportions of all documents.

use ndarray::{Array1, Array2};

use super::cvb0::Cvb0Fit;
use super::lanes::LANES;
use super::outer_products::OuterProducts;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// Means and sums over all documents of a pass.
#[derive(Debug, Clone)]
pub struct MixtureSummary {
    /// M, the number of documents.
    pub documents: u64,
    /// Tokens of the documents, of words in the vocabulary.
    pub tokens: f64,
    /// Σ_m θ_m / M: p(topic) with equal weight for documents, as in C. Sums to 1.
    pub weights: Array1<f64>,
    /// Σ_m n_m θ_m / Σ_m n_m: p(topic) with equal weight for tokens. Sums to 1.
    pub token_shares: Array1<f64>,
    /// A, the mean over documents of E[θ θᵀ] (K × K) under Dirichlet(θ_m (n_m + α₀)): the joint
    /// probability of the topics of two tokens. Its rows sum to `weights`.
    pub correlations: Array2<f64>,
    /// Σ over tokens of log p(token | the other tokens of its document), nats.
    pub log_probability: f64,
    /// The largest share of a document's tokens that its last sweep moved.
    pub change: f64,
    /// Sum of the sweeps over all documents.
    pub sweeps: u64,
}

/// Sums over documents whose θ is known already.
#[derive(Debug, Clone)]
pub struct KnownMixtures {
    k: usize,
    /// α₀.
    alpha: f64,
    sums: MixtureSums,
}

impl KnownMixtures {
    /// No documents yet, of K topics; `alpha` is α₀.
    pub fn new(k: usize, alpha: f64) -> Self {
        Self { k, alpha, sums: MixtureSums::new(k) }
    }

    /// Adds a document of this many tokens with this θ (K numbers).
    pub fn add(&mut self, tokens: f64, theta: &[f64]) {
        let mut padded = theta.to_vec();
        padded.resize(self.k.next_multiple_of(LANES), 0.0);
        let found = Cvb0Fit { log_probability: 0.0, change: 0.0, sweeps: 0 };
        self.sums.add(&[DocumentMixture { tokens, found, theta: padded }], self.alpha);
    }

    /// The summary of what was added in all parts of the corpus that `of` is of.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub fn summary(mut self, of: &Documents<'_>) -> Result<MixtureSummary, StreamError> {
        self.sums.over_parts(of)?;
        Ok(self.sums.means(self.k))
    }
}

impl MixtureSummary {
    /// This summary with topics that none of its documents has, K in all.
    pub fn padded(&self, k: usize) -> Self {
        let pad = |own: &Array1<f64>| {
            Array1::from_shape_fn(k, |topic| own.get(topic).copied().unwrap_or(0.0))
        };
        let joint = |at| self.correlations.get(at).copied().unwrap_or(0.0);
        Self {
            weights: pad(&self.weights),
            token_shares: pad(&self.token_shares),
            correlations: Array2::from_shape_fn((k, k), joint),
            ..self.clone()
        }
    }

    /// This summary after `gone` were taken out of its documents and `added` put in.
    pub fn with(&self, gone: &Self, added: &Self) -> Self {
        let documents = (self.documents + added.documents).saturating_sub(gone.documents);
        let tokens = (self.tokens + added.tokens - gone.tokens).max(0.0);
        let sums = |of: fn(&Self) -> (&Array1<f64>, f64)| {
            let [own, less, more] = [self, gone, added].map(|summary| {
                let (means, weight) = of(summary);
                means * weight
            });
            // Proportions are saved rounded, so that a difference can come out below 0.
            (own - less + more).mapv(|sum| sum.max(0.0))
        };
        let normalised = |sums: Array1<f64>| {
            let all = sums.sum();
            if all > 0.0 { sums / all } else { sums }
        };
        let of_documents = |summary: &Self| &summary.correlations * summary.documents as f64;
        let joint = of_documents(self) - of_documents(gone) + of_documents(added);
        let joint = joint.mapv(|sum| sum.max(0.0));
        let all = joint.sum();
        Self {
            documents,
            tokens,
            weights: normalised(sums(|of| (&of.weights, of.documents as f64))),
            token_shares: normalised(sums(|of| (&of.token_shares, of.tokens))),
            correlations: if all > 0.0 { joint / all } else { joint },
            ..added.clone()
        }
    }
}

/// θ of a document, padded with zeros, and the convergence of its inference.
#[derive(Debug, Clone)]
pub(super) struct DocumentMixture {
    pub tokens: f64,
    pub found: Cvb0Fit,
    pub theta: Vec<f64>,
}

/// Sums over documents that a [`MixtureSummary`] is computed from.
#[derive(Debug, Clone)]
pub(super) struct MixtureSums {
    documents: u64,
    tokens: f64,
    weights: Vec<f64>,
    /// Σ_m n_m θ_m.
    topic_tokens: Vec<f64>,
    /// E[θ θᵀ] is `(n + α₀) θ θᵀ + diag(θ)` divided by n + α₀ + 1.
    products: OuterProducts,
    diagonal: Vec<f64>,
    log_probability: f64,
    change: f64,
    sweeps: u64,
}

impl MixtureSums {
    /// Empty sums for K topics.
    pub(super) fn new(k: usize) -> Self {
        let width = k.next_multiple_of(LANES);
        Self {
            documents: 0,
            tokens: 0.0,
            weights: vec![0.0; width],
            topic_tokens: vec![0.0; width],
            products: OuterProducts::zeros(width),
            diagonal: vec![0.0; width],
            log_probability: 0.0,
            change: 0.0,
            sweeps: 0,
        }
    }

    /// Adds documents; `alpha` is α₀.
    pub(super) fn add(&mut self, mixtures: &[DocumentMixture], alpha: f64) {
        let mut thetas = Vec::with_capacity(mixtures.len() * self.weights.len());
        let mut scales = Vec::with_capacity(mixtures.len());
        for DocumentMixture { tokens, found, theta } in mixtures {
            self.documents += 1;
            self.tokens += tokens;
            self.log_probability += found.log_probability;
            self.change = self.change.max(found.change);
            self.sweeps += found.sweeps as u64;
            let certainty = tokens + alpha;
            let rest = 1.0 / (certainty + 1.0);
            let sums = self.weights.iter_mut().zip(&mut self.topic_tokens).zip(&mut self.diagonal);
            for (((weight, of_topic), diagonal), share) in sums.zip(theta) {
                *weight += share;
                *of_topic += tokens * share;
                *diagonal += rest * share;
            }
            thetas.extend_from_slice(&theta[..self.weights.len()]);
            scales.push(certainty * rest);
        }
        self.products.add(&thetas, &scales);
    }

    /// Adds the sums over other documents.
    pub(super) fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.tokens += other.tokens;
        self.weights.iter_mut().zip(&other.weights).for_each(|(sum, more)| *sum += more);
        self.topic_tokens.iter_mut().zip(&other.topic_tokens).for_each(|(sum, more)| *sum += more);
        self.products.merge(&other.products);
        self.diagonal.iter_mut().zip(&other.diagonal).for_each(|(sum, more)| *sum += more);
        self.log_probability += other.log_probability;
        self.change = self.change.max(other.change);
        self.sweeps += other.sweeps;
    }

    /// Replaces the sums by those over all parts of the corpus.
    pub(super) fn over_parts(&mut self, of: &Documents<'_>) -> Result<(), StreamError> {
        let mut counts = [self.documents, self.sweeps];
        of.add_up_counts(&mut counts)?;
        [self.documents, self.sweeps] = counts;
        let mut numbers = [self.tokens, self.log_probability];
        of.add_up(&mut numbers)?;
        [self.tokens, self.log_probability] = numbers;
        let products = self.products.sums_mut();
        for sums in [&mut self.weights, &mut self.topic_tokens, products, &mut self.diagonal] {
            of.add_up(sums)?;
        }
        self.change = of.max_over_parts(self.change)?;
        Ok(())
    }

    /// Means over the documents, for K topics.
    pub(super) fn means(self, k: usize) -> MixtureSummary {
        let documents = self.documents.max(1) as f64;
        // Documents without tokens contribute no tokens.
        let tokens = if self.tokens > 0.0 { self.tokens } else { 1.0 };
        let mut correlations = self.products.to_matrix(k);
        for (entry, more) in correlations.diag_mut().iter_mut().zip(&self.diagonal) {
            *entry += more;
        }
        MixtureSummary {
            documents: self.documents,
            tokens: self.tokens,
            weights: self.weights.iter().take(k).map(|sum| sum / documents).collect(),
            token_shares: self.topic_tokens.iter().take(k).map(|sum| sum / tokens).collect(),
            correlations: correlations / documents,
            log_probability: self.log_probability,
            change: self.change,
            sweeps: self.sweeps,
        }
    }
}
