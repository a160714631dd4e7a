//! LAW, the low-rank anchor word algorithm: topics from a compressed co-occurrence.

use ndarray::Array2;

use super::AnchorRequest;
use super::compressed::{Anchor, CompressedCoOccurrence, NegativeEntries, WordMixtures};
use crate::model::error::ModelError;
use crate::model::jsmf::AnchorTopics;

/// Computes K anchors and topics from Y (W × K′, K′ ≥ K) with C* ≈ Y·Yᵀ, without forming C*: algorithm 5 as printed.
///
/// # Errors
/// As [`law_with`].
pub fn law(y: &Array2<f64>, k: usize) -> Result<AnchorTopics, ModelError> {
    let candidates = Vec::from_iter(0..y.nrows());
    let negative_entries = NegativeEntries::Kept;
    law_with(y, AnchorRequest { rank: k, candidates: &candidates, seeds: &[], negative_entries })
}

/// Computes K anchors and topics from Y (W × K′, K′ ≥ K) with C* ≈ Y·Yᵀ, without forming C*. Topics of given anchors
/// come first; the others are the candidates farthest from them and from each other.
///
/// With Y = Q·R the normalised rows of C* are those of X·Qᵀ, X = diag(d)⁻¹ Y Rᵀ, so distances
/// between rows of X are distances between rows of C̄*. Y·Yᵀ can have negative entries: [`NegativeEntries`].
///
/// # Cost
/// About 8·W·K² flops and the simplex least squares; memory 8·W·K.
///
/// # Errors
/// [`ModelError::TooFewAnchors`] when the candidates' rows of Y have a rank below K;
/// [`ModelError::SeedsApart`] and [`ModelError::SeedsDepend`] for given anchors that define no topic.
///
/// # Source
/// Lee et al. 2021, algorithm 5 and lemma 2.
pub fn law_with(
    y: &Array2<f64>,
    AnchorRequest { rank: k, candidates, seeds: given, negative_entries }: AnchorRequest<'_>,
) -> Result<AnchorTopics, ModelError> {
    let compressed = CompressedCoOccurrence::with_negative_entries(y.to_owned(), negative_entries);
    let apart = |at: usize| ModelError::SeedsApart { topic: at };
    if let Some(topic) = compressed.first_dependent_row(given).map_err(|found| apart(found.0))? {
        return Err(ModelError::SeedsDepend { topic });
    }
    let free = k.saturating_sub(given.len());
    let found = compressed.farthest(given, candidates, free).map_err(|found| apart(found.0))?;
    if found.rows.len() < free {
        let found = given.len() + found.rows.len();
        return Err(ModelError::TooFewAnchors { found, asked: k });
    }
    if given.is_empty() {
        return Ok(compressed.topics_of_words(found.rows, found.distances).into_distributions());
    }
    let anchors: Vec<Anchor> =
        given.iter().cloned().chain(found.rows.iter().map(|&word| vec![word])).collect();
    let WordMixtures { weights, d, worst_gap } =
        compressed.mixtures(&anchors, &[], None).map_err(|found| apart(found.0))?;
    let (topics, shares) = AnchorTopics::bayes(&weights, &d);
    let found = AnchorTopics {
        anchors: anchors.iter().map(|words| words[0]).collect(),
        anchor_distances: std::iter::repeat_n(0.0, given.len()).chain(found.distances).collect(),
        correlations: compressed.correlations(&topics, words_alone(&anchors).as_deref()),
        topics,
        topics_of_words: weights,
        weights: shares,
        worst_gap,
    };
    Ok(found.into_distributions())
}

/// The words of the anchors, if each has exactly one.
pub fn words_alone(anchors: &[Anchor]) -> Option<Vec<usize>> {
    let alone = |anchor: &Anchor| if let [word] = anchor[..] { Some(word) } else { None };
    anchors.iter().map(alone).collect()
}
