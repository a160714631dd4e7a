//! Nonnegative factorisation by Kullback–Leibler divergence, as probabilistic latent semantic
//! analysis: see [`nmf`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::figures::KL_DIVERGENCE;
use super::nmf::{self, DOCUMENT_BYTES, Divergence, NmfSettings, Prior, TOLERANCE, UPDATES};
use super::plan::{Extent, PlannedStage};
use super::setting::Setting;
use super::setting::shared::ITERATIONS;
use super::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Largest number of iterations.
    pub iterations: usize,
    /// Relative fall of the objective over ten iterations at which they stop.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 200, tolerance: 1e-4 }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { document_bytes: DOCUMENT_BYTES, ..Memory::STREAMED },
        ..Card::streamed(
            "nmf-kl",
            "nonnegative factorisation by divergence, as PLSA: a good fit to the documents",
            "Lee, D. D. and Seung, H. S. (2001). Algorithms for non-negative matrix \
                factorization. Advances in Neural Information Processing Systems 13.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(ITERATIONS, |own| &mut own.iterations),
        Setting::new(TOLERANCE, |own| &mut own.tolerance),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        nmf::planned_stages(&self.for_topics(size.k as usize), (7e-10, 2.6e-8), size)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        nmf::fit(&self.for_topics(input.k), &KL_DIVERGENCE, input, progress)
    }
}

impl Settings {
    /// Settings for K topics.
    pub(super) fn for_topics(&self, topics: usize) -> NmfSettings {
        let Self { iterations, tolerance } = *self;
        let (prior, divergence) = (Prior::Flat, Divergence::Kl);
        NmfSettings { topics, iterations, tolerance, updates: UPDATES, prior, divergence }
    }
}
