//! Novel words by data-dependent projections: see [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{self, CLUSTERING, Clustering, DISTANCE, Detector, SeparableSettings};
use super::setting::{Definition, Interval, Kind, Setting};
use super::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// ζ of Ding 2015, d of Ding 2013; `None` groups words without a threshold.
    pub distance: Option<f64>,
    /// γ: a word is novel where its margin is at least half of it; `None` for half the median of
    /// the 10 K largest.
    pub margin: Option<f64>,
    /// `None` is pooled, or the paper's own way where a distance is given.
    pub clustering: Option<Clustering>,
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
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        size.separable(2.4e-8 * size.words * size.words + 2.5e-7 * size.nonzeros)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let own = SeparableSettings::new(Detector::DataDependent, input.k);
        let own = SeparableSettings { margin: self.margin, ..own };
        separable::fit(&own.grouped(self.distance, self.clustering), input, progress)
    }
}
