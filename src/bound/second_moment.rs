//! The empirical second moment of a corpus as a streamed operator.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::linalg::block_krylov::SymmetricOperator;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;

/// M̂₂ = C − α₀/(α₀ + 1)·m mᵀ, W × W, symmetric, never formed: C the co-occurrence of words, the
/// mean over documents of (x xᵀ − diag x)/(n(n − 1)), and m = M̂₁ the mean of x/n, which is the
/// row sums of C. Its expectation under LDA is `Σ_k α_k/(α₀(α₀+1)) μ_k μ_kᵀ`.
///
/// # Source
/// Cheng et al. 2015, section 2.1; each document counts the same there, whatever its length.
pub struct SecondMoment<'a> {
    c: &'a CoOccurrence<'a>,
    removed: f64,
}

impl<'a> SecondMoment<'a> {
    /// With α₀, the sum of the prior on topics; infinity takes all of m mᵀ away.
    pub fn new(c: &'a CoOccurrence<'a>, alpha_0: f64) -> Self {
        Self { c, removed: 1.0 - kept_share(alpha_0) }
    }

    /// m = M̂₁, W numbers that sum to 1.
    pub fn mean(&self) -> &Array1<f64> {
        self.c.row_sums()
    }
}

/// 1/(α₀ + 1), the share of m mᵀ that M̂₂ keeps of C's.
pub fn kept_share(alpha_0: f64) -> f64 {
    1.0 / (alpha_0 + 1.0)
}

impl SymmetricOperator for SecondMoment<'_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.c.words()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        let mut product = self.c.apply(v)?;
        let along = (self.mean().dot(&v) * self.removed).insert_axis(Axis(0));
        let mean = self.mean().view().insert_axis(Axis(1));
        product -= &(&mean * &along);
        Ok(product)
    }
}

/// An operator times −1, whose largest eigenvalues are the least of the operator.
pub struct Negated<O>(pub O);

impl<O: SymmetricOperator> SymmetricOperator for Negated<O> {
    type Error = O::Error;

    fn size(&self) -> usize {
        self.0.size()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, O::Error> {
        Ok(-self.0.multiply(v)?)
    }
}
