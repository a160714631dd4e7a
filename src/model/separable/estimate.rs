//! Topics from groups of novel words, by regression on whole rows of Ê.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::transposed_product;
use crate::linalg::simplex_least_squares::simplex_fit_of_products;
use crate::model::jsmf::AnchorTopics;
use crate::stream::StreamError;
use crate::stream::split::SplitCoOccurrence;

/// Topics of K groups of novel words (word numbers, each group's best first).
///
/// A topic's row is the average of its words' rows, weighted by their tokens. Every word's row of
/// S = ½(Ê + Êᵀ) is then mixed from the K rows: the b on the simplex that makes
/// Σ_j p_j (S_ij − Σ_k b_k Y_kj)² least, p_j the probability of word j. The noise of S_ij goes with
/// one over p_i·p_j, so this weighs columns by what they are worth. b is p(topic | word), and
/// Bayes' rule gives the topics. R̄, the normalised correlation of topics, is the average of S
/// between the groups' words, and A_kl = a_k·R̄_kl·a_l with a = p(topic).
///
/// Both papers regress on columns that novel words have (2013: C between groups; 2015: the K
/// columns of the novel words); all columns carry more than K do.
///
/// # Cost
/// Two passes with 2·K columns each way; the simplex least squares. Memory a dozen W × K blocks.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 5 and §4.2; Ding et al. 2015, algorithm 3 and lemma 5 (R̄).
pub(super) fn topics_of(
    split: &SplitCoOccurrence<'_>,
    groups: &[Vec<usize>],
    scores: Vec<f64>,
) -> Result<AnchorTopics, StreamError> {
    let averages = averages(split, groups);
    let rows = split.project_both_ways(averages.view())?;
    let p = split.sums() / split.kept();
    let weighted = &rows * &p.view().insert_axis(Axis(1));
    let gram = transposed_product(&rows, &weighted);
    let products = split.project_both_ways(weighted.view())?;
    let fit = simplex_fit_of_products(gram, products);
    let (topics, weights) = AnchorTopics::bayes(&fit.weights, &p);
    let r_bar = transposed_product(&averages, &rows);
    Ok(AnchorTopics {
        anchors: groups.iter().map(|group| group[0]).collect(),
        anchor_distances: scores,
        correlations: correlations(&r_bar, &weights),
        topics,
        topics_of_words: fit.weights,
        weights,
        worst_gap: fit.worst_gap,
    })
}

/// W × K: column k averages the rows of the words of group k.
fn averages(split: &SplitCoOccurrence<'_>, groups: &[Vec<usize>]) -> Array2<f64> {
    let mut averages = Array2::zeros((split.words(), groups.len()));
    for (topic, group) in groups.iter().enumerate() {
        let total: f64 = group.iter().map(|&word| split.sums()[word]).sum();
        for &word in group {
            averages[(word, topic)] = split.sums()[word] / total;
        }
    }
    averages
}

/// A, symmetric, without negative entries.
fn correlations(r_bar: &Array2<f64>, weights: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn(r_bar.dim(), |(k, l)| {
        let mean = (r_bar[(k, l)] + r_bar[(l, k)]) / 2.0;
        (weights[k] * mean * weights[l]).max(0.0)
    })
}
