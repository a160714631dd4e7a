//! RP in document space: words at either end of random directions.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::{Candidates, NovelWordDetector, Search};
use crate::model::ModelError;
use crate::model::plan::Extent;
use crate::model::separable::settings::{
    CLUSTERING, Clustering, DISTANCE, ESTIMATE, Estimate, PAPER_SIGMA, PROJECTIONS, SIGMA, Settings,
};
use crate::model::setting::{Definition, Setting};
use crate::model::topic_model::{Card, Memory};
use crate::stream::StreamError;
use crate::stream::split::document_directions::project_on_documents;

/// Directions that are projected on in one pass over the corpus.
const BLOCK: usize = 256;

/// `rp-doc`: extreme rows of X̄ along random directions in document space (2013, algorithm 2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentProjections {
    /// P; `None` for 50 K.
    pub projections: Option<usize>,
}

impl DocumentProjections {
    /// P for K topics.
    fn projections(&self, topics: usize) -> usize {
        self.projections.unwrap_or(50 * topics)
    }
}

impl NovelWordDetector for DocumentProjections {
    const CARD: Card = Card {
        memory: Memory { columns: 2048, ..Memory::STREAMED },
        ..Card::streamed(
            "rp-doc",
            "novel words by random projections over documents; leave rare words out for it",
            "Ding, W., Rohban, M. H., Ishwar, P. and Saligrama, V. (2013). Topic \
                discovery through data dependent and random projections. Proceedings of the \
                30th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Settings<Self>>] = &[
        Setting::new(Definition { auto: Some("50 K"), ..PROJECTIONS }, |own| {
            &mut own.detector.projections
        }),
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
    ];

    const PAPER_CLUSTERING: Clustering = Clustering::Components;
    const DOCUMENTS: f64 = 2.4;

    fn as_in_paper() -> Settings<Self> {
        Settings {
            clustering: Some(Clustering::Spectral),
            sigma: Some(PAPER_SIGMA),
            estimate: Estimate::Halves,
            ..Settings::default()
        }
    }

    fn project_seconds(&self, size: Extent) -> f64 {
        let projections = self.projections(size.k as usize) as f64;
        (3.2e-10 * size.nonzeros + 2.2e-8 * size.documents) * projections
    }

    fn detect(settings: &Settings<Self>, search: &Search<'_>) -> Result<Candidates, ModelError> {
        Ok(novel_words(search, settings.detector.projections(search.topics))?)
    }
}

/// The words that have the largest or the smallest projection along some of `projections` random
/// directions, by the share of the ends they hold. Stage "project".
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 2; line 6 prints arg max twice, the second is arg min (§4.1: "the
/// maximum and minimum").
fn novel_words(search: &Search<'_>, projections: usize) -> Result<Candidates, StreamError> {
    let Search { split, seed, progress, .. } = *search;
    progress.begin("project", projections as u64, "");
    let mut ends = vec![0.0; split.words()];
    for (block, first) in (0..projections).step_by(BLOCK).enumerate() {
        let columns = BLOCK.min(projections - first);
        let projected = project_on_documents(split, columns, block, seed)?;
        count_ends(&projected, |word| split.sums()[word] > 0.0, &mut ends);
        progress.step((first + columns) as u64, None);
    }
    let count = (2 * projections).max(1) as f64;
    ends.iter_mut().for_each(|ends| *ends /= count);
    Ok(Candidates::from_scores(&ends))
}

/// Adds one for the first largest and the first smallest entry of every column.
fn count_ends(projected: &Array2<f64>, occurs: impl Fn(usize) -> bool, ends: &mut [f64]) {
    let columns = projected.ncols();
    let mut most = vec![(f64::NEG_INFINITY, 0); columns];
    let mut least = vec![(f64::INFINITY, 0); columns];
    for (word, row) in projected.rows().into_iter().enumerate().filter(|(word, _)| occurs(*word)) {
        for (column, &value) in row.iter().enumerate() {
            if value > most[column].0 {
                most[column] = (value, word);
            }
            if value < least[column].0 {
                least[column] = (value, word);
            }
        }
    }
    most.iter().chain(&least).for_each(|&(_, word)| ends[word] += 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn fifty_directions_a_topic_are_drawn_unless_a_number_is_given() {
        assert_eq!(DocumentProjections::default().projections(4), 200);
        assert_eq!(DocumentProjections { projections: Some(7) }.projections(4), 7);
    }

    #[test]
    fn both_ends_count() {
        let mut ends = vec![0.0; 3];
        count_ends(&array![[1.0, -5.0], [7.0, 0.0], [9.0, 9.0]], |word| word != 2, &mut ends);
        assert_eq!(ends, [2.0, 2.0, 0.0]);
    }
}
