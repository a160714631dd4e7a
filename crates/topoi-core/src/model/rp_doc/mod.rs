//! Novel words by random projections over documents: see [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{
    self, CLUSTERING, Clustering, DISTANCE, Detector, ESTIMATE, Estimate, PAPER_SIGMA, PROJECTIONS,
    SIGMA, SeparableSettings,
};
use super::setting::{Definition, Setting};
use super::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// P; `None` for 50 K.
    pub projections: Option<usize>,
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
        memory: Memory { columns: 2048, ..Memory::STREAMED },
        ..Card::streamed(
            "rp-doc",
            "novel words by random projections over documents; leave rare words out for it",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(Definition { auto: Some("50 K"), ..PROJECTIONS }, |own| &mut own.projections),
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
    ];

    fn as_in_paper() -> Self {
        Self {
            clustering: Some(Clustering::Spectral),
            sigma: Some(PAPER_SIGMA),
            estimate: Estimate::Halves,
            ..Self::default()
        }
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let projections = self.projections(size.k as usize) as f64;
        size.separable((3.2e-10 * size.nonzeros + 2.2e-8 * size.documents) * projections)
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
            projections: self.projections(topics),
            sigma: self.sigma,
            estimate: self.estimate,
            ..SeparableSettings::new(Detector::DocumentProjections, topics)
        };
        own.grouped(self.distance, self.clustering)
    }

    /// P for K topics.
    pub fn projections(&self, topics: usize) -> usize {
        let own = SeparableSettings::new(Detector::DocumentProjections, topics).projections;
        self.projections.unwrap_or(own)
    }
}
