//! What the factorisations are told.

/// Settings of a nonnegative factorisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NmfSettings {
    /// K, the number of topics.
    pub topics: usize,
    /// Iterations at most.
    pub iterations: usize,
    /// Stop when ten iterations lower the objective by less than this share of it.
    pub tolerance: f64,
    /// Updates of the documents' weights in each iteration, which has one of the topics: the
    /// former are cheaper, as a document's words stay in the cache.
    pub updates: usize,
    /// What is assumed about the factors beside that they are not negative.
    pub prior: Prior,
}

/// What is assumed about the factors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// Nothing: `nmf-kl`.
    Flat,
    /// That topic k's entries, in W and H alike, come from an exponential distribution whose mean
    /// λ_k is drawn from an inverse gamma distribution of shape a: `nmf-ard`.
    Relevance {
        /// a > 2: the larger, the less the λ differ.
        shape: f64,
    },
}

impl NmfSettings {
    /// `nmf-kl` with K topics.
    pub fn kl(topics: usize) -> Self {
        Self { topics, iterations: 200, tolerance: 1e-4, updates: 2, prior: Prior::Flat }
    }

    /// `nmf-ard` with at most K topics.
    pub fn ard(topics: usize) -> Self {
        let prior = Prior::Relevance { shape: 10.0 };
        Self { iterations: 500, prior, ..Self::kl(topics) }
    }
}
