//! How well B·A·Bᵀ explains the co-occurrence.

use ndarray::Array2;

use crate::linalg::dense::transposed_product;
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

/// Relative approximation, ‖C − B·A·Bᵀ‖_F / ‖C‖_F with C unrectified and never formed:
/// ‖C − BABᵀ‖² = ‖C‖² − 2 tr(A·BᵀCB) + tr(A·G·A·G), G = BᵀB.
///
/// `squared_norm` is ‖C‖²_F, `topics` B (W × K), `correlations` A (K × K).
///
/// # Cost
/// One pass with K columns.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Lee et al. 2021, §5.
pub fn relative_approximation(
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
