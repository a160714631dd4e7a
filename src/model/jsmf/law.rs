//! LAW: the low-rank anchor word algorithm, topics from a compressed co-occurrence.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, transposed_product};
use crate::linalg::extreme_rows::extreme_rows;
use crate::linalg::orthonormal::orthonormalise;
use crate::linalg::simplex_least_squares::simplex_least_squares;
use crate::model::error::ModelError;
use crate::model::jsmf::AnchorTopics;

/// Finds K anchors and topics from Y (W × K′, K′ ≥ K) with C* ≈ Y·Yᵀ, without forming C*.
///
/// With Y = Q·R the normalised rows of C* are those of X·Qᵀ, X = diag(d)⁻¹ Y Rᵀ, so distances
/// between rows of X are distances between rows of C̄*. Where Y·Yᵀ has negative entries in the
/// rows that matter — rows whose sum d is not positive, and the anchors' rows — they are set to
/// zero by a correction E (W × few), d is corrected by its column sums, and X by E·Q.
///
/// # Cost
/// About 8·W·K² flops and the simplex least squares; memory 6·W·K.
///
/// # Errors
/// [`ModelError::TooFewAnchors`] when Y has a rank below `k`.
///
/// # Source
/// Lee et al. 2021, algorithm 5 and lemma 2; the corrections follow the authors' published code.
pub fn law(y: &Array2<f64>, k: usize) -> Result<AnchorTopics, ModelError> {
    law_among(y, k, &Vec::from_iter(0..y.nrows()))
}

/// [`law`] with anchors only among `candidates` (word numbers, ascending, K or more).
///
/// # Errors
/// [`ModelError::TooFewAnchors`] when their rows of Y have a rank below `k`.
pub fn law_among(
    y: &Array2<f64>,
    k: usize,
    candidates: &[usize],
) -> Result<AnchorTopics, ModelError> {
    let (q, r) = orthonormalise(y);
    let d = row_sums(y);
    let starved: Vec<usize> = (0..d.len()).filter(|&word| d[word] <= 0.0).collect();
    let first = Corrected::new(y, &q, &r, &d, &starved);
    let found = extreme_rows(&first.x.select(Axis(0), candidates), k).of(candidates);
    if found.rows.len() < k {
        return Err(ModelError::TooFewAnchors { found: found.rows.len(), asked: k });
    }
    let mut corrected_rows = starved;
    corrected_rows.extend(&found.rows);
    corrected_rows.sort_unstable();
    corrected_rows.dedup();
    let c = Corrected::new(y, &q, &r, &d, &corrected_rows);
    let vertices = c.x.select(Axis(0), &found.rows);
    let fit = simplex_least_squares(&c.x, &vertices);
    let anchors_y = y.select(Axis(0), &found.rows);
    let anchor_cooccurrence = anchors_y.dot(&anchors_y.t()).mapv(|joint| joint.max(0.0));
    Ok(AnchorTopics::by_bayes(
        found.rows,
        found.distances,
        fit.weights,
        fit.worst_gap,
        &c.d,
        &anchor_cooccurrence,
    ))
}

/// Y·(Yᵀe): the row sums of Y·Yᵀ.
fn row_sums(y: &Array2<f64>) -> Array1<f64> {
    y.dot(&y.sum_axis(Axis(0)))
}

/// Rows of (Y·Yᵀ + E) normalised and seen in the basis Q, with E the negative part of the rows
/// and columns `rows` of Y·Yᵀ.
struct Corrected {
    /// W × K.
    x: Array2<f64>,
    /// Row sums of Y·Yᵀ + E, made positive.
    d: Array1<f64>,
}

impl Corrected {
    fn new(
        y: &Array2<f64>,
        q: &Array2<f64>,
        r: &Array2<f64>,
        d: &Array1<f64>,
        rows: &[usize],
    ) -> Self {
        let mut x = product(y, &r.t().as_standard_layout().to_owned());
        let mut d = d.to_owned();
        if !rows.is_empty() {
            // E's columns `rows`: W × |rows|.
            let chosen = y.select(Axis(0), rows).t().as_standard_layout().to_owned();
            let e = product(y, &chosen).mapv(|joint| (-joint).max(0.0));
            let mut is_chosen = vec![false; y.nrows()];
            rows.iter().for_each(|&row| is_chosen[row] = true);
            let q_rows = q.select(Axis(0), rows);
            // Rows that are not chosen have E only in the chosen columns…
            let mut shift = product(&e, &q_rows);
            // … and the chosen rows have all of it: E is symmetric.
            let whole = transposed_product(&e, q);
            let sums = e.sum_axis(Axis(0));
            d += &e.sum_axis(Axis(1));
            for (at, &row) in rows.iter().enumerate() {
                shift.row_mut(row).assign(&whole.row(at));
                let twice: f64 = e.row(row).sum();
                d[row] += sums[at] - twice;
            }
            x += &shift;
        }
        // A word whose corrected row is still empty keeps a tiny probability.
        let floor = d.iter().fold(0.0, |most: f64, &x| most.max(x)) * 1e-15;
        d.mapv_inplace(|sum| sum.max(floor));
        for (mut row, &sum) in x.rows_mut().into_iter().zip(&d) {
            row /= sum;
        }
        Self { x, d }
    }
}
