//! Novel words by data-dependent projections: see [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{
    self, CLUSTERING, Clustering, DISTANCE, Detector, ESTIMATE, Estimate, FAR,
    PAPER_NOVEL_PER_TOPIC, PAPER_SIGMA, SIGMA, SeparableSettings,
};
use super::setting::{Definition, Interval, Kind, Setting};
use super::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// ζ of Ding 2015, d of Ding 2013; `None` groups words without a threshold.
    pub distance: Option<f64>,
    /// γ: a word is novel where its margin is at least half of it; `None` for half the median of
    /// the 10 K largest.
    pub margin: Option<f64>,
    /// `None` is pooled, or the paper's own way where a distance is given.
    pub clustering: Option<Clustering>,
    /// σ of spectral clustering; `None` for half the median distance.
    pub sigma: Option<f64>,
    /// How topics are made from groups of novel words.
    pub estimate: Estimate,
    /// n: without a γ the n·K words with the largest margins are novel; `None` for those above the default γ.
    pub novel_per_topic: Option<usize>,
    /// Without a distance a word's margin is over this share of the words, those farthest from it.
    pub far: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            distance: None,
            margin: None,
            clustering: None,
            sigma: None,
            estimate: Estimate::Rows,
            novel_per_topic: None,
            far: FAR,
        }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { formed_matrices: 1, ..Memory::STREAMED },
        ..Card::streamed("ddp", "novel words by data-dependent projections of the whole matrix")
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(
            Definition {
                name: "margin",
                help: "a word is novel from half this margin on (gamma in the paper)",
                placeholder: "G",
                kind: Kind::Real(Interval::Above(0.0)),
                auto: Some("half the median of the 10 K largest margins"),
            },
            |own| &mut own.margin,
        ),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
        Setting::new(
            Definition {
                name: "novel-per-topic",
                help: "without --margin, as many words for each topic are novel, those with the largest positive margins \
                       (s in the paper is 10 K)",
                placeholder: "N",
                kind: Kind::Count { from: 1, to: 10_000 },
                auto: Some("those above the margin"),
            },
            |own| &mut own.novel_per_topic,
        ),
        Setting::new(
            Definition {
                name: "far",
                help: "without --distance, a word's margin is over this share of the words, those farthest from it (r in \
                       the paper is half the words)",
                placeholder: "SHARE",
                kind: Kind::Real(Interval::Between(1e-6, 1.0)),
                auto: None,
            },
            |own| &mut own.far,
        ),
    ];

    fn as_in_paper() -> Self {
        Self {
            clustering: Some(Clustering::Spectral),
            sigma: Some(PAPER_SIGMA),
            estimate: Estimate::Halves,
            novel_per_topic: Some(PAPER_NOVEL_PER_TOPIC),
            ..Self::default()
        }
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        size.separable(size.form_halves())
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(2.4)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        separable::fit(&self.of(input.k), input, progress)
    }
}

impl Settings {
    /// For K topics.
    pub fn of(&self, topics: usize) -> SeparableSettings {
        let own = SeparableSettings {
            margin: self.margin,
            sigma: self.sigma,
            estimate: self.estimate,
            novel_per_topic: self.novel_per_topic,
            far: self.far,
            ..SeparableSettings::new(Detector::DataDependent, topics)
        };
        own.grouped(self.distance, self.clustering)
    }
}
