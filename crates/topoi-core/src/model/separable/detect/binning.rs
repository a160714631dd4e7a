//! Binning: one random direction for each of √M groups of documents.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::{Candidates, NovelWordDetector, Search};
use crate::model::ModelError;
use crate::model::plan::Extent;
use crate::model::separable::settings::{
    CLUSTERING, Clustering, DISTANCE, ESTIMATE, Estimate, SIGMA, Settings,
};
use crate::model::setting::{Choices, Definition, Kind, Setting};
use crate::model::topic_model::{Card, Memory};
use crate::stream::StreamError;
use crate::stream::split::bins::{BinDivision, project_bins};

/// Bins that are projected in one pass over the corpus.
const BLOCK: usize = 64;

/// `binning`: one random direction for each of √M groups of documents (2013, algorithm 3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bins {
    /// How documents are divided into groups.
    pub bins: BinSizes,
}

/// How documents are divided into groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum BinSizes {
    /// The group of each document is drawn, so that groups have about the same size.
    #[default]
    Drawn,
    /// Groups of equal size, as printed.
    Equal,
}

impl Choices for BinSizes {}

impl NovelWordDetector for Bins {
    const CARD: Card = Card {
        memory: Memory { columns: 640, ..Memory::STREAMED },
        ..Card::streamed(
            "binning",
            "novel words by a projection for each of some groups of documents: rough, one pass",
            "Ding, W., Rohban, M. H., Ishwar, P. and Saligrama, V. (2013). Topic \
                discovery through data dependent and random projections. Proceedings of the \
                30th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Settings<Self>>] = &[
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
        Setting::new(
            Definition {
                name: "bins",
                help: "the group of each document is drawn, or groups are of equal size, as printed",
                placeholder: "WHICH",
                kind: Kind::Choice(BinSizes::NAMES),
                auto: None,
            },
            |own| &mut own.detector.bins,
        ),
    ];

    const PAPER_CLUSTERING: Clustering = Clustering::Ranked;
    const DOCUMENTS: f64 = 2.4;

    fn as_in_paper() -> Settings<Self> {
        Settings {
            clustering: Some(Self::PAPER_CLUSTERING),
            estimate: Estimate::Halves,
            detector: Self { bins: BinSizes::Equal },
            ..Settings::default()
        }
    }

    fn project_seconds(&self, size: Extent) -> f64 {
        6e-8 * size.nonzeros + 1.5e-6 * size.documents
    }

    fn detect(settings: &Settings<Self>, search: &Search<'_>) -> Result<Candidates, ModelError> {
        Ok(novel_words(search, settings.detector.bins)?)
    }
}

/// The words that have the largest projection in some bin, by the share of bins they win. Stage
/// "project".
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 3, lines 3 to 11.
fn novel_words(search: &Search<'_>, sizes: BinSizes) -> Result<Candidates, StreamError> {
    let Search { split, seed, progress, .. } = *search;
    let bins = split.kept().sqrt().ceil().max(1.0) as usize;
    progress.begin("project", bins as u64, "");
    let division = match sizes {
        BinSizes::Drawn => BinDivision::drawn(bins),
        BinSizes::Equal => BinDivision::equal(split.documents(), bins, seed)?,
    };
    let mut wins = vec![0.0; split.words()];
    for first in (0..bins).step_by(BLOCK) {
        let last = (first + BLOCK).min(bins);
        let projected = project_bins(split, first..last, &division, seed)?;
        for column in projected.columns() {
            let values = column.iter().enumerate().filter(|(_, value)| value.is_finite());
            let winner = values.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            winner.into_iter().for_each(|(word, _)| wins[word] += 1.0 / bins as f64);
        }
        progress.step(last as u64, None);
    }
    Ok(Candidates::from_scores(&wins))
}
