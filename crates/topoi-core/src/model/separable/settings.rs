//! Settings that all four models share, beside those of their detectors.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::detect::NovelWordDetector;
use crate::model::setting::{Choices, Definition, Interval, Kind};

/// Settings of a separable model: the shared ones, and its detector with its own. All are saved in one JSON object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings<D> {
    /// Where novel words are looked for.
    #[serde(flatten)]
    pub detector: D,
    /// ζ of Ding 2015, d of Ding 2013: words are of different topics where D is at least half of it. `None` groups
    /// words without a threshold.
    pub distance: Option<f64>,
    /// `None` is pooled, or the paper's own way where a distance is given.
    pub clustering: Option<Clustering>,
    /// σ of spectral clustering; `None` for half the median of the positive distances.
    pub sigma: Option<f64>,
    /// How topics are made from groups of novel words.
    pub estimate: Estimate,
}

impl<D: NovelWordDetector> Settings<D> {
    /// How novel words are grouped: as given, else as in the detector's paper where a distance is given, else pooled.
    pub fn clustering(&self) -> Clustering {
        let printed = self.distance.map(|_| D::PAPER_CLUSTERING);
        self.clustering.or(printed).unwrap_or_default()
    }
}

/// How novel words of the same topic are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Clustering {
    /// Groups are joined two by two until K are left; each step joins the two whose averaged rows differ least for
    /// their tokens. Needs no threshold.
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

impl Choices for Clustering {}

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

/// σ of Ding 2013, §6.1.
pub(super) const PAPER_SIGMA: f64 = 1.0;

/// P, the number of random directions.
pub(super) const PROJECTIONS: Definition = Definition {
    name: "projections",
    help: "random directions",
    placeholder: "P",
    kind: Kind::Count { from: 1, to: 10_000_000 },
    auto: Some("150 K"),
};

/// ζ of Ding 2015, d of Ding 2013.
pub(super) const DISTANCE: Definition = Definition {
    name: "distance",
    help: "words belong to different topics from half this distance on (zeta or d in the papers); \
           without it words are grouped without a threshold",
    placeholder: "D",
    kind: Kind::Real(Interval::Above(0.0)),
    auto: Some("none"),
};

/// How novel words are grouped: a [`Clustering`].
pub(super) const CLUSTERING: Definition = Definition {
    name: "clustering",
    help: "how novel words are grouped by topic",
    placeholder: "WAY",
    kind: Kind::Choice(Clustering::NAMES),
    auto: Some("pooled; with --distance the paper's own"),
};

/// σ of spectral clustering.
pub(super) const SIGMA: Definition = Definition {
    name: "sigma",
    help: "spectral clustering weighs pairs of words by exp(-D/sigma), D their distance, and by 1 where noise makes \
           it negative; 1 in the paper",
    placeholder: "S",
    kind: Kind::Real(Interval::Above(0.0)),
    auto: Some("half the median distance"),
};

/// How topics are made from groups of novel words: an [`Estimate`].
pub(super) const ESTIMATE: Definition = Definition {
    name: "estimate",
    help: "topics by regression of whole rows on averages of each group (rows), or as printed on one word of each \
           topic: the columns of these words (2015, algorithm 3), or both halves of the documents (2013, algorithm 5)",
    placeholder: "WAY",
    kind: Kind::Choice(Estimate::NAMES),
    auto: None,
};
