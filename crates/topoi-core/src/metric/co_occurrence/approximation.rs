//! How well B·A·Bᵀ explains the co-occurrence.

use ndarray::{Array2, Axis};

use super::row_norms::RowNorms;
use super::sketch::{Estimate, Sketch, SumOfSquares, jackknife, squares};
use crate::linalg::dense::{product, transposed_product};
use crate::metric::better::Better;
use crate::metric::definition::{Scope, Tag, ValueRange, metric_def};
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::error::Result;

metric_def! {
    /// ‖C − BABᵀ‖_F / ‖C‖_F: how much of C the topics do not explain
    pub const RELATIVE_APPROXIMATION {
        id: "relative_approximation",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::from(0.0),
        source: "Lee et al. 2021, §5",
        tags: &[Tag::Summary],
    }
}

/// Relative approximation, ‖C − B·A·Bᵀ‖_F / ‖C‖_F, for topics B (W × K) and correlations A (K × K).
/// C is unrectified and never formed.
///
/// # Cost
/// One pass with K columns where the norms are exact; none with a sketch.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Source
/// Lee et al. 2021, §5.
pub fn relative_approximation(
    c: &CoOccurrence<'_>,
    norms: &RowNorms,
    topics: &Array2<f64>,
    correlations: &Array2<f64>,
) -> Result<Estimate> {
    match norms {
        RowNorms::Exact(squares) => {
            let value = exact(c, squares.sum(), topics, correlations)?;
            Ok(Estimate { value, error: 0.0 })
        }
        RowNorms::Sketched(sketch) => Ok(estimated(sketch, topics, correlations)),
    }
}

/// ‖C − BABᵀ‖² = ‖C‖² − 2 tr(A·BᵀCB) + tr(A·G·A·G), G = BᵀB.
fn exact(
    c: &CoOccurrence<'_>,
    squared_norm: f64,
    topics: &Array2<f64>,
    correlations: &Array2<f64>,
) -> Result<f64> {
    let image = c.apply(topics.view())?;
    let cross = (correlations * &transposed_product(topics, &image)).sum();
    let ag = correlations.dot(&transposed_product(topics, topics));
    let own = (&ag * &ag.t()).sum();
    Ok(((squared_norm - 2.0 * cross + own).max(0.0) / squared_norm).sqrt())
}

/// The relative approximation with both norms estimated from the same columns.
fn estimated(sketch: &Sketch, topics: &Array2<f64>, correlations: &Array2<f64>) -> Estimate {
    let mixed = product(topics, correlations);
    let norm = |known: &Array2<f64>, random: &Array2<f64>| SumOfSquares {
        known: squares(known).sum(),
        draws: squares(random).sum_axis(Axis(0)),
    };
    let Sketch { subspace, random } = sketch;
    let miss = norm(&subspace.residual(&mixed, topics), &random.residual(&mixed, topics));
    let whole = norm(&subspace.image, &random.image);
    jackknife(sketch.draws(), |draw| (miss.without(draw) / whole.without(draw)).sqrt())
}
