//! Nonnegative factorisation with a prior under which unneeded topics vanish: see [`nmf`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::figures::OBJECTIVE;
use super::nmf::{self, DOCUMENT_BYTES, Divergence, NmfSettings, Norm, Prior, TOLERANCE, UPDATES};
use super::plan::{Extent, PlannedStage};
use super::setting::shared::ITERATIONS;
use super::setting::{Choices, Definition, Interval, Kind, Setting};
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
    /// The prior of the factors' entries.
    pub prior: Norm,
    /// a, the shape of the distribution of λ.
    pub shape: f64,
    /// The divergence to minimise.
    pub divergence: Divergence,
}

impl Default for Settings {
    fn default() -> Self {
        let (prior, divergence) = (Norm::L1, Divergence::Kl);
        Self { iterations: 500, tolerance: 1e-4, prior, shape: 10.0, divergence }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { document_bytes: DOCUMENT_BYTES, ..Memory::STREAMED },
        ..Card::streamed(
            "nmf-ard",
            "as nmf-kl, and says how many of the topics are relevant",
            "Tan, V. Y. F. and Févotte, C. (2013). Automatic relevance determination in \
                nonnegative matrix factorization with the β-divergence. IEEE Transactions on \
                Pattern Analysis and Machine Intelligence 35.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(ITERATIONS, |own| &mut own.iterations),
        Setting::new(TOLERANCE, |own| &mut own.tolerance),
        Setting::new(
            Definition {
                name: "prior",
                help: "entries of a topic are exponential (l1) or half-normal (l2) with a scale of the topic's own",
                placeholder: "NORM",
                kind: Kind::Choice(Norm::NAMES),
                auto: None,
            },
            |own| &mut own.prior,
        ),
        Setting::new(
            Definition {
                name: "shape",
                help: "shape of the inverse gamma distribution of the topics' scales: the larger, the less they differ",
                placeholder: "A",
                kind: Kind::Real(Interval::Above(2.0)),
                auto: None,
            },
            |own| &mut own.shape,
        ),
        Setting::new(
            Definition {
                name: "divergence",
                help: "what is lowered, of beta 1 (kl), 2 (euclidean) or 0 (itakura-saito, which takes words by \
                       documents by topics steps an iteration, and reads counts of 0 as 0.1)",
                placeholder: "WHICH",
                kind: Kind::Choice(Divergence::NAMES),
                auto: None,
            },
            |own| &mut own.divergence,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let dense = size.words * size.documents / size.nonzeros.max(1.0);
        let nonzero = match (self.divergence, self.prior) {
            (Divergence::Kl, Norm::L1) => 7e-10,
            (Divergence::ItakuraSaito, _) => 1.7e-9 * dense,
            _ => 1.7e-9,
        };
        nmf::planned_stages(&self.for_topics(size.k as usize), (nonzero, 1e-8), size)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        nmf::fit(&self.for_topics(input.k), &OBJECTIVE, input, progress)
    }
}

impl Settings {
    /// Settings for K topics.
    pub(super) fn for_topics(&self, topics: usize) -> NmfSettings {
        let Self { iterations, tolerance, prior: norm, shape, divergence } = *self;
        NmfSettings {
            topics,
            iterations,
            tolerance,
            updates: UPDATES,
            prior: Prior::Relevance { shape, norm },
            divergence,
        }
    }
}
