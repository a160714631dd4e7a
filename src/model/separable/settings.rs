//! Settings of separable topic discovery.

use serde::{Deserialize, Serialize};

use crate::model::setting::{Choices, Definition, Interval, Kind};

/// Where novel words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detector {
    /// `rp`: extreme rows of Ê along random directions in word space, ranked by solid angle (2015,
    /// algorithm 2).
    SolidAngles,
    /// `rp-doc`: extreme rows of X̄ along random directions in document space (2013, algorithm 2).
    DocumentProjections,
    /// `binning`: one random direction for each of √M groups of documents (2013, algorithm 3).
    Bins,
    /// `ddp`: the rows of Ê themselves as directions (2013, algorithm 1).
    DataDependent,
}

/// How novel words of the same topic are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clustering {
    /// Groups are joined two by two, those first whose averaged rows differ least for the tokens
    /// they stand on, until K are left. Needs no threshold.
    #[default]
    Pooled,
    /// Connected components of D ≤ d/2 (2013, algorithm 4).
    Components,
    /// Spectral clustering of exp(−D/σ), σ half the median distance (2013, §6.1).
    Spectral,
    /// The first K words by rank that are at D ≥ ζ/2 from those before them, each with the words
    /// around it (2015, algorithm 2, lines 14 to 21; 2013, algorithm 3, lines 12 to 20).
    Ranked,
}

impl Choices for Clustering {
    const NAMES: &'static [&'static str] = &["pooled", "components", "spectral", "ranked"];
    const ALL: &'static [Self] = &[Self::Pooled, Self::Components, Self::Spectral, Self::Ranked];
}

/// Settings of separable topic discovery.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeparableSettings {
    /// K, 2 or more.
    pub topics: usize,
    /// Where novel words are looked for.
    pub detector: Detector,
    /// How novel words are grouped by topic.
    pub clustering: Clustering,
    /// ζ of 2015, d of 2013: words are of different topics where D is at least half of it.
    /// `None`: chosen from the data.
    pub distance: Option<f64>,
    /// γ of 2013: a word is novel where its margin is at least half of it. `None`: half the median
    /// of the 10·K largest margins. Only `ddp` uses it.
    pub margin: Option<f64>,
    /// τ: words with a solid angle up to this do not count for K̂ (2015, §VI-A). Only `rp`.
    pub least_angle: f64,
    /// P, the number of random directions. Only `rp` and `rp-doc`.
    pub projections: usize,
}

impl SeparableSettings {
    /// The papers' settings for K topics, thresholds from the data.
    pub fn new(detector: Detector, topics: usize) -> Self {
        let projections = match detector {
            Detector::SolidAngles => 150 * topics,
            Detector::DocumentProjections => 50 * topics,
            Detector::Bins | Detector::DataDependent => 0,
        };
        Self {
            topics,
            detector,
            clustering: Clustering::Pooled,
            distance: None,
            margin: None,
            least_angle: 0.0,
            projections,
        }
    }

    /// Sets the distance and the clustering. Without a clustering, words are grouped as in the paper where
    /// a distance is given, and pooled otherwise.
    pub(crate) fn grouped(self, distance: Option<f64>, clustering: Option<Clustering>) -> Self {
        let by_paper = distance.map(|_| Self::paper_clustering(self.detector));
        let clustering = clustering.or(by_paper).unwrap_or(self.clustering);
        Self { distance, clustering, ..self }
    }

    /// How the detector's paper groups words at a given distance.
    fn paper_clustering(detector: Detector) -> Clustering {
        match detector {
            Detector::SolidAngles | Detector::Bins => Clustering::Ranked,
            Detector::DocumentProjections | Detector::DataDependent => Clustering::Components,
        }
    }
}

/// P, the number of random directions.
pub const PROJECTIONS: Definition = Definition {
    name: "projections",
    help: "random directions",
    placeholder: "P",
    kind: Kind::Count { from: 1, to: 10_000_000 },
    auto: Some("150 K"),
};

/// ζ of Ding 2015, d of Ding 2013.
pub const DISTANCE: Definition = Definition {
    name: "distance",
    help: "words belong to different topics from half this distance on (zeta or d in the papers); \
           without it words are grouped without a threshold",
    placeholder: "D",
    kind: Kind::Real(Interval::Above(0.0)),
    auto: Some("none"),
};

/// How novel words are grouped: a [`Clustering`].
pub const CLUSTERING: Definition = Definition {
    name: "clustering",
    help: "how novel words are grouped by topic",
    placeholder: "WAY",
    kind: Kind::Choice(Clustering::NAMES),
    auto: Some("pooled; with --distance the paper's own"),
};
