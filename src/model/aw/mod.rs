//! AW: the anchor word algorithm on a full co-occurrence, without rectification.
//!
//! The baseline of the family (also known as RecoverL2). It takes C as it is, so rare words
//! with noisy rows become anchors; choose it to see what rectification does, or for data that
//! really come from a separable model.
//!
//! Source: Arora et al. 2013; Lee et al. 2021, algorithm 1.

use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use crate::linalg::extreme_rows::extreme_rows;
use crate::linalg::simplex_least_squares::simplex_least_squares;
use crate::model::error::ModelError;
use crate::model::jsmf::{AnchorTopics, Jsmf, form, topics};
use crate::model::plan::{Extent, PlannedStage};
use crate::model::setting::Setting;
use crate::model::topic_model::{Card, Fit, Input, Memory, TopicModel};
use crate::progress::Progress;

/// The model has no settings of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Settings {}

impl TopicModel for Settings {
    const CARD: Card = Card {
        is_baseline: true,
        memory: Memory { formed_matrices: 2, ..Memory::STREAMED },
        ..Card::streamed("aw", "anchor words without rectification: the classic baseline")
    };

    const SETTINGS: &'static [Setting<Self>] = &[];

    fn plan(&self, size: Extent) -> Vec<PlannedStage> {
        vec![size.form(), size.anchor_words()]
    }

    fn fit(&self, input: &Input<'_>, progress: &dyn Progress) -> Result<Fit, ModelError> {
        Ok(anchor_words_of(|| form(input, progress), input.k, progress)?.into_fit(input.k))
    }
}

/// K anchors and topics from C (W × W, symmetric, no negative entries), which is used up:
/// rows normalised, anchors by column-pivoted QR on C̄ᵀ, W simplex least squares over the
/// anchors' rows, Bayes' rule.
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
pub fn anchor_words(mut c: Array2<f64>, k: usize) -> Result<AnchorTopics, ModelError> {
    let d = normalise_rows(&mut c);
    let found = extreme_rows(&c, k);
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

/// [`anchor_words`] of the unrectified C that `form` gives, as a model of its own, with its stage
/// "topics" reported.
///
/// # Errors
/// Those of `form`; [`ModelError::TooFewAnchors`] when C has a rank below `k`.
pub fn anchor_words_of(
    form: impl Fn() -> Result<Array2<f64>, ModelError>,
    k: usize,
    progress: &dyn Progress,
) -> Result<Jsmf, ModelError> {
    let topics = topics(progress, form, |c| anchor_words(c, k))?;
    Ok(Jsmf { topics, eigenpairs: None, rectification: None, basis: None, factor: None })
}

/// Divides every row by its sum and returns the sums; empty rows stay empty.
fn normalise_rows(c: &mut Array2<f64>) -> Array1<f64> {
    let d = c.sum_axis(Axis(1));
    for (mut row, &sum) in c.rows_mut().into_iter().zip(&d) {
        if sum > 0.0 {
            row /= sum;
        }
    }
    d
}
