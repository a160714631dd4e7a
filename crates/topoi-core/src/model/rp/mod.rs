//! Novel words by solid angles: see [`super::separable`].

use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::plan::{Extent, PlannedStage};
use super::separable::{
    self, CLUSTERING, Clustering, Counting, DISTANCE, Detector, Directions, ESTIMATE, Estimate,
    PAPER_ZETA, PROJECTIONS, SIGMA, SeparableSettings,
};
use super::setting::{Choices, Definition, Interval, Kind, Setting};
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
    /// σ of spectral clustering; `None` for half the median distance.
    pub sigma: Option<f64>,
    /// How topics are made from groups of novel words.
    pub estimate: Estimate,
    /// How directions are drawn.
    pub directions: Directions,
    /// How topics are counted.
    pub k_hat: Counting,
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
            sigma: None,
            estimate: Estimate::Rows,
            directions: Directions::Scaled,
            k_hat: Counting::Steady,
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
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
        Setting::new(
            Definition {
                name: "directions",
                help: "directions are scaled by the roots of the words' shares, so that all columns are as noisy, or \
                       isotropic, as printed",
                placeholder: "WHICH",
                kind: Kind::Choice(Directions::NAMES),
                auto: None,
            },
            |own| &mut own.directions,
        ),
        Setting::new(
            Definition {
                name: "k-hat",
                help: "the number of topics is counted among words with tokens enough and beyond the noise, for the \
                       widest range of thresholds (steady), or as printed at --distance, else at 0.05 (paper)",
                placeholder: "WAY",
                kind: Kind::Choice(Counting::NAMES),
                auto: None,
            },
            |own| &mut own.k_hat,
        ),
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

    fn as_in_paper() -> Self {
        Self {
            distance: Some(PAPER_ZETA),
            estimate: Estimate::Columns,
            directions: Directions::Isotropic,
            k_hat: Counting::Paper,
            ..Self::default()
        }
    }

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        let projections = self.projections(size.k as usize) as f64;
        size.separable((5.2e-10 * size.nonzeros + 1.5e-9 * size.documents) * projections)
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(3.2)
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
            directions: self.directions,
            counting: self.k_hat,
            least_angle: self.least_angle,
            ..SeparableSettings::new(Detector::SolidAngles, topics)
        };
        own.grouped(self.distance, self.clustering)
    }

    /// P for K topics.
    pub fn projections(&self, topics: usize) -> usize {
        let own = SeparableSettings::new(Detector::SolidAngles, topics).projections;
        self.projections.unwrap_or(own)
    }
}
