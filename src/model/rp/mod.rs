//! Novel words by solid angles: see [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{
    self, CLUSTERING, Clustering, DISTANCE, Detector, PROJECTIONS, SeparableSettings,
};
use super::setting::{Definition, Interval, Kind, Setting};
use super::topic_model::{Card, Fit, Input, Memory, StartsFrom, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its own defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// P; `None` for 150 K.
    pub projections: Option<usize>,
    /// ζ of Ding 2015, d of Ding 2013; `None` groups words without a threshold.
    pub distance: Option<f64>,
    /// `None` is pooled, or the paper's own way where a distance is given.
    pub clustering: Option<Clustering>,
    /// τ: words with a solid angle up to this do not count for K̂ (2015, §VI-A).
    pub least_angle: f64,
    /// Whether a later run can add documents to its sums.
    pub keep_sums: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            projections: None,
            distance: None,
            clustering: None,
            least_angle: 0.0,
            keep_sums: false,
        }
    }
}

impl TopicModel for Settings {
    const CARD: Card = Card {
        memory: Memory { columns: 2048, ..Memory::STREAMED },
        starts_from: StartsFrom::Sums,
        ..Card::streamed(
            "rp",
            "novel words by solid angles, streamed; also says how many topics there are",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(PROJECTIONS, |own| &mut own.projections),
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(
            Definition {
                name: "least-angle",
                help: "words with a solid angle up to this do not count for the number of topics",
                placeholder: "T",
                kind: Kind::Real(Interval::FromToBelow(0.0, 1.0)),
                auto: None,
            },
            |own| &mut own.least_angle,
        ),
        Setting::new(
            Definition {
                name: "keep-sums",
                help: "keep the sums of its projections, so that topoi update reads new documents \
                       only for them; takes 4 bytes a term and direction in the store",
                placeholder: "",
                kind: Kind::Flag,
                auto: None,
            },
            |own| &mut own.keep_sums,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let projections = self.projections(size.k as usize) as f64;
        size.separable((4.9e-10 * size.nonzeros + 5e-9 * size.documents) * projections)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let own = SeparableSettings::new(Detector::SolidAngles, input.k);
        let own = SeparableSettings {
            projections: self.projections(input.k),
            least_angle: self.least_angle,
            ..own
        };
        separable::fit(&own.grouped(self.distance, self.clustering), input, progress)
    }
}

impl Settings {
    /// P for K topics.
    pub fn projections(&self, topics: usize) -> usize {
        let own = SeparableSettings::new(Detector::SolidAngles, topics).projections;
        self.projections.unwrap_or(own)
    }
}
