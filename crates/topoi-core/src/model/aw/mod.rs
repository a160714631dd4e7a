//! AW: the anchor word algorithm on the full co-occurrence, without rectification.
//!
//! The baseline of the family. It uses C as it is, so rare words with noisy rows become anchors.
//! Choose it to see the effect of rectification, or for data from a separable model. With the
//! anchors of Arora et al. ([`Anchors::Arora`]) it is their RecoverL2.
//!
//! Source: Lee et al. 2021, algorithm 1; Arora et al. 2013, "A practical algorithm for topic
//! modeling with provable guarantees", algorithms 3 (RecoverL2) and 4.

use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::linalg::extreme_rows::{affinely_extreme_rows, extreme_rows};
use crate::linalg::simplex_least_squares::simplex_least_squares;
use crate::model::error::ModelError;
use crate::model::jsmf::{AnchorTopics, Jsmf, form, topics};
use crate::model::lr_jsmf::anchor_candidates;
use crate::model::plan::{Extent, PlannedStage};
use crate::model::setting::shared::ANCHOR_DOCUMENTS;
use crate::model::setting::{Choices, Definition, Kind, Setting};
use crate::model::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// Settings of the model, with its defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The search for anchors.
    pub anchors: Anchors,
    /// Smallest share of the documents that contain an anchor.
    pub anchor_documents: f64,
}

/// The search for anchors among the normalised rows of C.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Anchors {
    /// The row farthest from the span of those before it: column-pivoted QR (Lee et al. 2021,
    /// algorithm 1).
    #[default]
    Pivoted,
    /// The row farthest from the affine hull of those before it (Arora et al. 2013, algorithm 4,
    /// without its random projection, which only saves time).
    Arora,
}

impl Choices for Anchors {}

impl TopicModel for Settings {
    const CARD: Card = Card {
        is_baseline: true,
        memory: Memory { formed_matrices: 2, ..Memory::STREAMED },
        ..Card::streamed(
            "aw",
            "anchor words without rectification: the classic baseline",
            "Arora, S., Ge, R., Halpern, Y., Mimno, D., Moitra, A., Sontag, D., Wu, Y. \
                and Zhu, M. (2013). A practical algorithm for topic modeling with provable \
                guarantees. Proceedings of the 30th International Conference on Machine \
                Learning.",
        )
    };

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting::new(
            Definition {
                name: "anchors",
                help: "an anchor is the row farthest from the span of those before it (pivoted), or from the affine \
                       space through them (arora: RecoverL2)",
                placeholder: "WAY",
                kind: Kind::Choice(Anchors::NAMES),
                auto: None,
            },
            |own| &mut own.anchors,
        ),
        Setting::new(
            Definition {
                help: "anchors are words of at least this share of the documents, or of fewer where that leaves less \
                       than 5 K words; the program of Arora et al. has 100 documents",
                ..ANCHOR_DOCUMENTS
            },
            |own| &mut own.anchor_documents,
        ),
    ];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![size.form(), size.anchor_words()]
    }

    fn documents(&self, size: Extent) -> PlannedStage {
        size.documents(5.0)
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        let candidates = anchor_candidates(input.c, input.k, self.anchor_documents);
        let topics = topics(
            progress,
            || form(input, progress),
            |c| anchor_words_among(c, input.k, &candidates, self.anchors),
        )?;
        let fit = Jsmf { topics, eigenpairs: None, rectification: None, basis: None, factor: None };
        Ok(fit.into_fit(input.k))
    }
}

/// K anchors and topics from C (W × W, symmetric, no negative entries). C is consumed: its rows are
/// normalised. Anchors are found by column-pivoted QR on C̄ᵀ, words as mixtures of anchors by W
/// simplex least squares, and topics by Bayes' rule.
///
/// Words whose row of C is empty get probability 0 in every topic.
///
/// # Cost
/// 4·W²·K flops for the anchors, 2·W²·K for the products; memory 2·W² numbers.
///
/// # Errors
/// [`ModelError::TooFewAnchors`] when C has a rank below `k`.
///
/// # Source
/// Lee et al. 2021, algorithm 1.
pub fn anchor_words(c: Array2<f64>, k: usize) -> Result<AnchorTopics, ModelError> {
    let all = Vec::from_iter(0..c.nrows());
    anchor_words_among(c, k, &all, Anchors::Pivoted)
}

/// [`anchor_words`] with anchors only among `candidates` (word numbers, ascending, at least K),
/// found by the search `anchors`.
///
/// # Errors
/// [`ModelError::TooFewAnchors`] when the candidates' rows have a rank below `k`.
pub fn anchor_words_among(
    mut c: Array2<f64>,
    k: usize,
    candidates: &[usize],
    anchors: Anchors,
) -> Result<AnchorTopics, ModelError> {
    let d = normalise_rows(&mut c);
    let search = match anchors {
        Anchors::Pivoted => extreme_rows,
        Anchors::Arora => affinely_extreme_rows,
    };
    let found = match candidates.len() == c.nrows() {
        true => search(&c, k),
        false => search(&c.select(Axis(0), candidates), k).renumbered(candidates),
    };
    if found.rows.len() < k {
        return Err(ModelError::TooFewAnchors { found: found.rows.len(), asked: k });
    }
    let vertices = c.select(Axis(0), &found.rows);
    let fit = simplex_least_squares(&c, &vertices);
    let mut anchor_cooccurrence = vertices.select(Axis(1), &found.rows);
    for (mut row, &word) in anchor_cooccurrence.rows_mut().into_iter().zip(&found.rows) {
        row *= d[word];
    }
    Ok(AnchorTopics::by_bayes(
        found.rows,
        found.distances,
        fit.weights,
        fit.worst_gap,
        &d,
        &anchor_cooccurrence,
    ))
}

/// Divides every row by its sum and returns the sums. Empty rows stay empty.
fn normalise_rows(c: &mut Array2<f64>) -> Array1<f64> {
    let d = c.sum_axis(Axis(1));
    for (mut row, &sum) in c.rows_mut().into_iter().zip(&d) {
        if sum > 0.0 {
            row /= sum;
        }
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_found_both_ways_and_only_among_candidates() {
        // Words 0 to 2 belong to one topic each, word 3 almost only to topic 0, the others to all.
        let b = ndarray::array![
            [0.5, 0.0, 0.0],
            [0.0, 0.5, 0.0],
            [0.0, 0.0, 0.5],
            [0.3, 0.01, 0.0],
            [0.1, 0.3, 0.2],
            [0.1, 0.19, 0.3]
        ];
        let a = ndarray::array![[0.2, 0.05, 0.05], [0.05, 0.25, 0.05], [0.05, 0.05, 0.25]];
        let c = b.dot(&a).dot(&b.t());
        for anchors in [Anchors::Pivoted, Anchors::Arora] {
            let of = |candidates: &[usize]| {
                let found = anchor_words_among(c.clone(), 3, candidates, anchors).expect("rank 3");
                let mut words = found.anchors.clone();
                words.sort_unstable();
                (words, found)
            };
            let (words, found) = of(&[0, 1, 2, 3, 4, 5]);
            assert_eq!(words, [0, 1, 2], "{anchors:?}");
            for (topic, &word) in found.anchors.iter().enumerate() {
                let off = &found.topics.column(topic) - &b.column(word);
                assert!(off.iter().all(|off| off.abs() < 1e-9), "{anchors:?}: {off}");
            }
            assert_eq!(of(&[1, 2, 3, 4, 5]).0, [1, 2, 3], "{anchors:?}");
        }
    }
}
