//! Topics from groups of novel words, by regression.

use ndarray::{Array1, Array2, Axis};

use super::settings::Estimate;
use crate::linalg::dense::{symmetric_eigen, transposed_product};
use crate::linalg::simplex_least_squares::{
    SimplexFit, simplex_fit_of_products, simplex_least_squares,
};
use crate::model::jsmf::AnchorTopics;
use crate::stream::StreamError;
use crate::stream::split::{SplitCoOccurrence, half_products};

/// Topics of K groups of novel words (word numbers, each group's best first).
///
/// A topic's row is the average of its words' rows, weighted by their tokens. Every word's row of
/// S = ½(Ê + Êᵀ) is then mixed from the K rows: the b on the simplex that makes
/// Σ_j p_j (S_ij − Σ_k b_k Y_kj)² least, p_j the probability of word j. The noise of S_ij goes with
/// one over p_i·p_j, so this weighs columns by what they are worth. b is p(topic | word), and
/// Bayes' rule gives the topics. R̄, the normalised correlation of topics, is the average of S
/// between the groups' words, and A_kl = a_k·R̄_kl·a_l with a = p(topic).
///
/// The papers as printed take one word a topic, J, here the best of its group:
/// - 2015: row i of Ê in the K columns J is mixed from the rows J there ([`Estimate::Columns`]);
/// - 2013: M(X̄_i − bX̄_J)(X̄′_i − bX̄′_J)ᵀ is made least, which is C_ii − 2·C_iJ·bᵀ + b·C_JJ·bᵀ ([`Estimate::Halves`]).
///   Noise can make C_JJ indefinite; its negative eigenvalues are taken for 0.
///
/// All columns carry more than K do, and averages of several words more than one.
///
/// # Cost
/// Two passes with 2·K columns each way, or one with K or 2·K columns; the simplex least squares. Memory a dozen
/// W × K blocks.
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
    estimate: Estimate,
) -> Result<AnchorTopics, StreamError> {
    let p = split.sums() / split.kept();
    let anchors: Vec<usize> = groups.iter().map(|group| group[0]).collect();
    let (fit, r_bar) = match estimate {
        Estimate::Rows => by_rows(split, groups, &p)?,
        Estimate::Columns => by_columns(split, &anchors)?,
        Estimate::Halves => by_halves(split, &anchors)?,
    };
    let (topics, weights) = AnchorTopics::bayes(&fit.weights, &p);
    Ok(AnchorTopics {
        anchors,
        anchor_distances: scores,
        correlations: correlations(&r_bar, &weights),
        topics,
        topics_of_words: fit.weights,
        weights,
        worst_gap: fit.worst_gap,
    })
}

/// p(topic | word), and R̄ (K × K).
type Fitted = (SimplexFit, Array2<f64>);

fn by_rows(
    split: &SplitCoOccurrence<'_>,
    groups: &[Vec<usize>],
    p: &Array1<f64>,
) -> Result<Fitted, StreamError> {
    let averages = averages(split, groups);
    let rows = split.project_both_ways(averages.view())?;
    let weighted = &rows * &p.view().insert_axis(Axis(1));
    let gram = transposed_product(&rows, &weighted);
    let products = split.project_both_ways(weighted.view())?;
    Ok((simplex_fit_of_products(gram, products), transposed_product(&averages, &rows)))
}

fn by_columns(split: &SplitCoOccurrence<'_>, anchors: &[usize]) -> Result<Fitted, StreamError> {
    let u = split.split_sums().divided(chosen(split.words(), anchors).view());
    let sums = half_products(split.documents(), split.splitter(), u.view())?;
    let columns = split.projected(sums.view());
    let rows = columns.select(Axis(0), anchors);
    Ok((simplex_least_squares(&columns, &rows), rows))
}

fn by_halves(split: &SplitCoOccurrence<'_>, anchors: &[usize]) -> Result<Fitted, StreamError> {
    let linear = split.project_both_ways(chosen(split.words(), anchors).view())?;
    let rows = linear.select(Axis(0), anchors);
    let (values, vectors) = symmetric_eigen(&rows);
    let gram = match values.iter().all(|&value| value >= 0.0) {
        true => rows.clone(),
        false => (&vectors * &values.mapv(|value| value.max(0.0))).dot(&vectors.t()),
    };
    Ok((simplex_fit_of_products(gram, linear), rows))
}

/// W × K: column k has a 1 at anchor k.
fn chosen(words: usize, anchors: &[usize]) -> Array2<f64> {
    let mut chosen = Array2::zeros((words, anchors.len()));
    anchors.iter().enumerate().for_each(|(topic, &word)| chosen[(word, topic)] = 1.0);
    chosen
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::split::test_halves::{Dense, corpus, split};

    #[test]
    fn printed_estimates_are_those_of_the_formed_matrix() {
        let (source, positions) = corpus(120, 23);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let (split, e) = (split(&documents, 7), Dense::new(&documents, 7).e);
        let groups = vec![vec![3, 5], vec![0], vec![11, 2, 8]];
        let anchors = [3, 0, 11];
        let of = |estimate| {
            topics_of(&split, &groups, vec![1.0; 3], estimate).expect("in memory").topics_of_words
        };
        let columns = e.select(Axis(1), &anchors).as_standard_layout().to_owned();
        let expected = simplex_least_squares(&columns, &columns.select(Axis(0), &anchors));
        let off = &of(Estimate::Columns) - &expected.weights;
        assert!(off.iter().all(|off| off.abs() < 1e-9), "{off}");
        // The printed objective, without what noise makes negative: no mixture on a grid is better.
        let found = of(Estimate::Halves);
        let symmetric = (&e + &e.t()) / 2.0;
        let of_anchors = symmetric.select(Axis(0), &anchors).select(Axis(1), &anchors);
        let of_anchors = of_anchors.as_standard_layout().to_owned();
        let (values, vectors) = symmetric_eigen(&of_anchors);
        let gram = (&vectors * &values.mapv(|value| value.max(0.0))).dot(&vectors.t());
        let objective = |word: usize, b: &Array1<f64>| {
            let linear = symmetric.row(word).select(Axis(0), &anchors);
            b.dot(&gram.dot(b)) - 2.0 * b.dot(&linear)
        };
        for word in 0..23 {
            let best = objective(word, &found.row(word).to_owned());
            for (i, j) in (0..=20).flat_map(|i| (0..=20 - i).map(move |j| (i, j))) {
                let (x, y) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                let other = objective(word, &Array1::from(vec![x, y, 1.0 - x - y]));
                assert!(best <= other + 1e-9, "{word}: {best} {other}");
            }
        }
    }
}
