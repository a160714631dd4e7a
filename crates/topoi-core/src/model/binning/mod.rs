//! Novel words by a direction for each of some groups of documents: see
//! [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{
    self, CLUSTERING, Clustering, DISTANCE, Detector, ESTIMATE, Estimate, SIGMA, SeparableSettings,
};
use super::setting::Setting;
use super::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// ζ of Ding 2015, d of Ding 2013; `None` groups words without a threshold.
    pub distance: Option<f64>,
    /// `None` is pooled, or the paper's own way where a distance is given.
    pub clustering: Option<Clustering>,
    /// σ of spectral clustering; `None` for half the median distance.
    pub sigma: Option<f64>,
    /// How topics are made from groups of novel words.
    pub estimate: Estimate,
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { columns: 640, ..Memory::STREAMED },
        ..Card::streamed(
            "binning",
            "novel words by a projection for each of some groups of documents: rough, one pass",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
    ];

    fn as_in_paper() -> Self {
        Self { clustering: Some(Clustering::Ranked), estimate: Estimate::Halves, ..Self::default() }
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        size.separable(6e-8 * size.nonzeros + 1.5e-6 * size.documents)
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
            sigma: self.sigma,
            estimate: self.estimate,
            ..SeparableSettings::new(Detector::Bins, topics)
        };
        own.grouped(self.distance, self.clustering)
    }
}
