//! What the factorisations are told.

use crate::model::setting::Definition;
use crate::model::setting::shared::TOLERANCE as OF_A_FACTORISATION;
use crate::model::{nmf_ard, nmf_kl};

/// When the iterations stop.
pub const TOLERANCE: Definition = Definition {
    help: "stops when ten iterations lower the objective by less than this part of it",
    ..OF_A_FACTORISATION
};

/// H, and as much again twice while it is kept for a run that may be interrupted: bytes for each
/// document and topic.
pub const DOCUMENT_BYTES: usize = 24;

/// Updates of the documents' weights in an iteration, unless told otherwise.
pub const UPDATES: usize = 2;

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
        nmf_kl::Settings::default().of(topics)
    }

    /// `nmf-ard` with at most K topics.
    pub fn ard(topics: usize) -> Self {
        nmf_ard::Settings::default().of(topics)
    }
}
