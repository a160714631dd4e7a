//! DDP: novel words by the rows of Ê as directions.

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Candidates, NovelWordDetector, Search};
use crate::model::ModelError;
use crate::model::plan::Extent;
use crate::model::separable::settings::{
    CLUSTERING, Clustering, DISTANCE, ESTIMATE, Estimate, PAPER_SIGMA, SIGMA, Settings,
};
use crate::model::setting::{Definition, Interval, Kind, Setting};
use crate::model::topic_model::{Card, Memory};
use crate::stream::split::between::cooccurrence_between;

/// r/W and s/K of Ding 2013, §6.1.
const PAPER_FAR: f64 = 0.5;
/// See [`PAPER_FAR`].
const PAPER_NOVEL_PER_TOPIC: usize = 10;

/// `ddp`: the rows of Ê themselves as directions (2013, algorithm 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DataDependent {
    /// γ: a word is novel where its margin is at least half of it; `None` for half the median of
    /// the 10 K largest.
    pub margin: Option<f64>,
    /// n: without a γ the n·K words with the largest positive margins are novel (s of 2013, §6.1, is 10·K); `None` for
    /// those above the default γ.
    pub novel_per_topic: Option<usize>,
    /// Without a distance a word's margin is over this share of the words, those farthest from it (r/W of 2013, §6.1).
    pub far: f64,
}

impl Default for DataDependent {
    fn default() -> Self {
        Self { margin: None, novel_per_topic: None, far: PAPER_FAR }
    }
}

impl NovelWordDetector for DataDependent {
    const CARD: Card = Card {
        memory: Memory { formed_matrices: 1, ..Memory::STREAMED },
        ..Card::streamed(
            "ddp",
            "novel words by data-dependent projections of the whole matrix",
            "Ding, W., Rohban, M. H., Ishwar, P. and Saligrama, V. (2013). Topic \
                discovery through data dependent and random projections. Proceedings of the \
                30th International Conference on Machine Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Settings<Self>>] = &[
        Setting::new(DISTANCE, |own| &mut own.distance),
        Setting::new(
            Definition {
                name: "margin",
                help: "a word is novel from half this margin on (gamma in the paper)",
                placeholder: "G",
                kind: Kind::Real(Interval::Above(0.0)),
                auto: Some("half the median of the 10 K largest margins"),
            },
            |own| &mut own.detector.margin,
        ),
        Setting::new(CLUSTERING, |own| &mut own.clustering),
        Setting::new(SIGMA, |own| &mut own.sigma),
        Setting::new(ESTIMATE, |own| &mut own.estimate),
        Setting::new(
            Definition {
                name: "novel-per-topic",
                help: "without --margin, as many words for each topic are novel, those with the largest positive margins \
                       (s in the paper is 10 K)",
                placeholder: "N",
                kind: Kind::Count { from: 1, to: 10_000 },
                auto: Some("those above the margin"),
            },
            |own| &mut own.detector.novel_per_topic,
        ),
        Setting::new(
            Definition {
                name: "far",
                help: "without --distance, a word's margin is over this share of the words, those farthest from it (r in \
                       the paper is half the words)",
                placeholder: "SHARE",
                kind: Kind::Real(Interval::Between(1e-6, 1.0)),
                auto: None,
            },
            |own| &mut own.detector.far,
        ),
    ];

    const PAPER_CLUSTERING: Clustering = Clustering::Components;
    const DOCUMENTS: f64 = 2.4;

    fn as_in_paper() -> Settings<Self> {
        Settings {
            clustering: Some(Clustering::Spectral),
            sigma: Some(PAPER_SIGMA),
            estimate: Estimate::Halves,
            detector: Self { novel_per_topic: Some(PAPER_NOVEL_PER_TOPIC), ..Self::default() },
            ..Settings::default()
        }
    }

    fn project_seconds(&self, size: Extent) -> f64 {
        size.form_halves()
    }

    fn detect(settings: &Settings<Self>, search: &Search<'_>) -> Result<Candidates, ModelError> {
        search.progress.begin("project", 0, "");
        let all: Vec<usize> = (0..search.split.words()).collect();
        Ok(novel_words(&cooccurrence_between(search.split, &all)?, settings, search.topics))
    }
}

/// The words whose margin min_{j∈J_i}(C_ii − C_ij) is at least γ/2, the largest first.
///
/// With a distance d, J_i = {j : D_ij ≥ d/2}; without one J_i is the given share of the words, those
/// farthest from i. A word with an empty J_i is not novel; as printed it would be, with every margin.
/// Without a γ it is half the median of the 10·K largest margins, which keeps out words
/// in the middle of all others, whose margin is noise about 0; or the n·K words with the largest positive
/// margins are taken. `c` is ½(Ê + Êᵀ), W × W.
///
/// # Cost
/// A few W² operations.
///
/// # Source
/// Ding et al. 2013, algorithm 1 lines 5 to 10, and §6.1 (r = W/2, the s = 10·K largest).
fn novel_words(c: &Array2<f64>, settings: &Settings<DataDependent>, topics: usize) -> Candidates {
    let own = &settings.detector;
    let words = c.nrows();
    let diagonal = c.diag().to_owned();
    let margins: Vec<f64> = (0..words)
        .into_par_iter()
        .map(|i| {
            let row = c.row(i);
            let far = |j: &usize| diagonal[i] - 2.0 * row[*j] + diagonal[*j];
            match settings.distance {
                Some(d) => margin(i, row, (0..words).filter(|j| *j != i && far(j) >= d / 2.0)),
                None => {
                    let mut order: Vec<(f64, usize)> =
                        (0..words).filter(|&j| j != i).map(|j| (far(&j), j)).collect();
                    let half = ((words as f64 * own.far) as usize).clamp(1, order.len().max(1));
                    let half = half.min(order.len());
                    if half < order.len() {
                        order.select_nth_unstable_by(half, |a, b| {
                            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
                        });
                    }
                    margin(i, row, order[..half].iter().map(|&(_, j)| j))
                }
            }
        })
        .collect();
    if let (None, Some(of_topic)) = (own.margin, own.novel_per_topic) {
        let mut largest = Candidates::from_scores(&margins);
        largest.truncate(of_topic * topics);
        return largest;
    }
    let gamma = own.margin.unwrap_or_else(|| usual_margin(&margins, topics));
    let scores: Vec<f64> =
        margins.iter().map(|&margin| if margin >= gamma / 2.0 { margin } else { 0.0 }).collect();
    Candidates { margin: Some(gamma), ..Candidates::from_scores(&scores) }
}

/// C_ii less the largest C_ij; −∞ where there is no j.
fn margin(i: usize, row: ArrayView1<'_, f64>, far: impl Iterator<Item = usize>) -> f64 {
    far.map(|j| row[j]).reduce(f64::max).map_or(f64::NEG_INFINITY, |most| row[i] - most)
}

/// Half the median of the 10·K largest margins.
fn usual_margin(margins: &[f64], topics: usize) -> f64 {
    let mut largest: Vec<f64> = margins.iter().copied().filter(|m| m.is_finite()).collect();
    largest.sort_unstable_by(|a, b| b.total_cmp(a));
    largest.truncate(10 * topics);
    largest.get(largest.len() / 2).map_or(0.0, |median| (median / 2.0).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn margins_are_those_of_the_definition() {
        // Words 0 and 1 are novel for one topic, 2 for another, 3 is a mixture.
        let c = array![
            [10.0, 9.0, 0.0, 5.0],
            [9.0, 10.0, 0.0, 5.0],
            [0.0, 0.0, 8.0, 4.0],
            [5.0, 5.0, 4.0, 4.5]
        ];
        let with = |distance, detector| Settings { distance, detector, ..Settings::default() };
        let usual = DataDependent::default();
        let settings = with(Some(6.0), DataDependent { margin: Some(2.0), ..usual });
        // D: 01 → 2, 02 → 18, 03 → 4.5, 12 → 18, 13 → 4.5, 23 → 4.5.
        let found = novel_words(&c, &settings, 2);
        assert_eq!(found.words, [0, 1, 2]);
        assert_eq!(found.scores, [5.0, 5.0, 4.0]);
        // Without thresholds: the two farthest words of each; margins 5, 5, 8 and −0.5, γ 2.5.
        let found = novel_words(&c, &with(None, usual), 2);
        assert_eq!((found.words, found.margin), (vec![2, 0, 1], Some(2.5)));
        // The two largest margins, and those over the one word that is farthest.
        let top = DataDependent { novel_per_topic: Some(1), ..usual };
        let found = novel_words(&c, &with(None, top), 2);
        assert_eq!((found.words, found.scores, found.margin), (vec![2, 0], vec![8.0, 5.0], None));
        let found = novel_words(&c, &with(None, DataDependent { far: 0.25, ..top }), 2);
        assert_eq!((found.words, found.scores), (vec![0, 1], vec![10.0, 10.0]));
    }

    #[test]
    fn a_word_that_is_far_from_none_is_not_novel() {
        let c = array![[3.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 9.0]];
        let with = |distance, margin| {
            let detector = DataDependent { margin, ..DataDependent::default() };
            Settings { distance: Some(distance), detector, ..Settings::default() }
        };
        let settings = with(18.0, Some(1.0));
        // D: 01 → 3, 02 → 12, 12 → 9: word 1 is far from word 2 alone.
        let found = novel_words(&c, &settings, 2);
        assert_eq!((found.words, found.scores), (vec![2, 0, 1], vec![8.0, 3.0, 1.0]));
        assert!(novel_words(&c, &with(100.0, Some(1.0)), 2).words.is_empty());
        assert!(novel_words(&c, &with(100.0, None), 2).words.is_empty());
    }
}
