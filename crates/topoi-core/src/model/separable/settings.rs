//! Settings of separable topic discovery.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

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
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Clustering {
    /// Groups are joined two by two, those first whose averaged rows differ least for the tokens
    /// they stand on, until K are left. Needs no threshold.
    #[default]
    Pooled,
    /// Connected components of D ≤ d/2 (2013, algorithm 4).
    Components,
    /// Spectral clustering of exp(−D/σ) (2013, §6.1, where σ is 1).
    Spectral,
    /// The first K words by rank that are at D ≥ ζ/2 from those before them, each with the words
    /// around it (2015, algorithm 2, lines 14 to 21; 2013, algorithm 3, lines 12 to 20).
    Ranked,
}

/// How topics are made from groups of novel words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Estimate {
    /// A topic's row is the average of its words'; every word's whole row is mixed from those rows.
    #[default]
    Rows,
    /// A topic has one word, its best; a word's entries in the K columns of these words are mixed from their own
    /// (2015, algorithm 3).
    Columns,
    /// A topic has one word, its best; a word's row in one half of the documents and in the other are mixed from
    /// theirs, so that the distance's products have independent noise (2013, algorithm 5).
    Halves,
}

impl Choices for Estimate {}

/// How the directions in word space are drawn that `rp` projects on.
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

impl Choices for Clustering {}

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
    /// n: without a γ the n·K words with the largest positive margins are novel (s of 2013, §6.1, is 10·K).
    /// `None`: those above γ. Only `ddp`.
    pub novel_per_topic: Option<usize>,
    /// Without a distance a word's margin is over this share of the words, those farthest from it (r/W of
    /// 2013, §6.1). Only `ddp`.
    pub far: f64,
    /// σ of spectral clustering. `None`: half the median of the positive distances.
    pub sigma: Option<f64>,
    /// How topics are made from groups of novel words.
    pub estimate: Estimate,
    /// How directions are drawn. Only `rp`.
    pub directions: Directions,
    /// How topics are counted. Only `rp`.
    pub counting: Counting,
    /// τ: words with a solid angle up to this do not count for K̂ (2015, §VI-A). Only `rp`.
    pub least_angle: f64,
    /// P, the number of random directions. Only `rp` and `rp-doc`.
    pub projections: usize,
}

impl SeparableSettings {
    /// The default settings for K topics: the papers' numbers of directions, thresholds from the data.
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
            novel_per_topic: None,
            far: FAR,
            sigma: None,
            estimate: Estimate::Rows,
            directions: Directions::Scaled,
            counting: Counting::Steady,
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

/// r/W of Ding 2013, §6.1.
pub const FAR: f64 = 0.5;

/// ζ of Ding 2015, §VI, and σ and s/K of Ding 2013, §6.1.
pub const PAPER_ZETA: f64 = 0.05;
/// See [`PAPER_ZETA`].
pub const PAPER_SIGMA: f64 = 1.0;
/// See [`PAPER_ZETA`].
pub const PAPER_NOVEL_PER_TOPIC: usize = 10;

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

/// σ of spectral clustering.
pub const SIGMA: Definition = Definition {
    name: "sigma",
    help: "spectral clustering weighs pairs of words by exp(-D/sigma), D their distance, and by 1 where noise makes \
           it negative; 1 in the paper",
    placeholder: "S",
    kind: Kind::Real(Interval::Above(0.0)),
    auto: Some("half the median distance"),
};

/// How topics are made from groups of novel words: an [`Estimate`].
pub const ESTIMATE: Definition = Definition {
    name: "estimate",
    help: "topics by regression of whole rows on averages of each group (rows), or as printed on one word of each \
           topic: the columns of these words (2015, algorithm 3), or both halves of the documents (2013, algorithm 5)",
    placeholder: "WAY",
    kind: Kind::Choice(Estimate::NAMES),
    auto: None,
};
