//! Solid angles: extreme rows of Ê along random directions in word space (Ding et al. 2015, algorithm 2).

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::leaders::lead;
use super::{Candidates, NovelWordDetector, Search};
use crate::model::ModelError;
use crate::model::plan::Extent;
use crate::model::separable::settings::{
    CLUSTERING, Clustering, DISTANCE, ESTIMATE, Estimate, PROJECTIONS, SIGMA, Settings,
};
use crate::model::setting::shared::KEEP_SUMS;
use crate::model::setting::{Choices, Definition, Interval, Kind, Setting};
use crate::model::topic_model::{Card, Memory, StartsFrom, SumsSettings};

/// ζ of Ding 2015, §VI.
pub const PAPER_ZETA: f64 = 0.05;

/// `rp`: words are ranked by the share of directions along which their rows are extreme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SolidAngles {
    /// P; `None` for 150 K.
    pub projections: Option<usize>,
    /// How directions are drawn.
    pub directions: Directions,
    /// How topics are counted.
    pub k_hat: Counting,
    /// τ: words with a solid angle up to this do not count for K̂ (2015, §VI-A).
    pub least_angle: f64,
    /// Whether a later run can add documents to its sums.
    pub keep_sums: bool,
}

/// How the directions in word space are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Directions {
    /// Components are scaled by the roots of the words' shares, so that the noise of all columns is the same.
    #[default]
    Scaled,
    /// Isotropic (2015, algorithm 2).
    Isotropic,
}

impl Choices for Directions {}

/// How topics are counted (K̂).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Counting {
    /// Among words with tokens enough, beyond the noise of distances, at 61 thresholds; the count that holds longest.
    #[default]
    Steady,
    /// As printed (2015, line 16′), at the threshold ζ of `--distance`.
    Paper,
}

impl Choices for Counting {}

impl SolidAngles {
    /// P for K topics.
    fn projections(&self, topics: usize) -> usize {
        self.projections.unwrap_or(150 * topics)
    }
}

impl NovelWordDetector for SolidAngles {
    const CARD: Card = Card {
        memory: Memory { columns: 2048, ..Memory::STREAMED },
        starts_from: StartsFrom::Sums,
        ..Card::streamed(
            "rp",
            "novel words by solid angles, streamed; also says how many topics there are",
            "Ding, W., Ishwar, P. and Saligrama, V. (2015). Necessary and sufficient \
                conditions and a provably efficient algorithm for separable topic discovery.",
        )
    };

    const SETTINGS: &'static [Setting<Settings<Self>>] = &[
        Setting::new(PROJECTIONS, |own| &mut own.detector.projections),
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
            |own| &mut own.detector.directions,
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
            |own| &mut own.detector.k_hat,
        ),
        Setting::new(
            Definition {
                name: "least-angle",
                help: "words with a solid angle up to this do not count for the number of topics",
                placeholder: "T",
                kind: Kind::Real(Interval::FromToBelow(0.0, 1.0)),
                auto: None,
            },
            |own| &mut own.detector.least_angle,
        ),
        Setting::new(KEEP_SUMS, |own| &mut own.detector.keep_sums),
    ];

    const PAPER_CLUSTERING: Clustering = Clustering::Ranked;
    const DOCUMENTS: f64 = 3.2;

    fn as_in_paper() -> Settings<Self> {
        Settings {
            distance: Some(PAPER_ZETA),
            estimate: Estimate::Columns,
            detector: Self {
                directions: Directions::Isotropic,
                k_hat: Counting::Paper,
                ..Self::default()
            },
            ..Settings::default()
        }
    }

    fn project_seconds(&self, size: Extent) -> f64 {
        let projections = self.projections(size.k as usize) as f64;
        (5.2e-10 * size.nonzeros + 1.5e-9 * size.documents) * projections
    }

    fn counting(&self) -> Option<(Counting, f64)> {
        Some((self.k_hat, self.least_angle))
    }

    fn keeps_sums(&self, k: usize) -> Option<SumsSettings> {
        let projections = self.projections(k);
        Some(SumsSettings { projections, directions: self.directions, are_kept: self.keep_sums })
    }

    fn detect(settings: &Settings<Self>, search: &Search<'_>) -> Result<Candidates, ModelError> {
        let own = &settings.detector;
        let leaders = lead(search, own.projections(search.topics), own.directions)?;
        Ok(leaders.candidates(search.split.words()))
    }
}
