//! The empirical second moment of a corpus as a streamed operator, and the bound on its error.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::linalg::block_krylov::SymmetricOperator;
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;

/// M̂₂ = C − α₀/(α₀ + 1)·m mᵀ, W × W, symmetric, never formed. C is the co-occurrence of words, the
/// mean over documents of (x xᵀ − diag x)/(n(n − 1)). m = M̂₁ is the mean of x/n, which equals the
/// row sums of C. The expectation under LDA is `Σ_k α_k/(α₀(α₀+1)) μ_k μ_kᵀ`.
///
/// # Source
/// Cheng et al. 2015, section 2.1. As there, all documents have equal weight, whatever their
/// length.
pub struct SecondMoment<'a> {
    c: &'a CoOccurrence<'a>,
    removed: f64,
}

impl<'a> SecondMoment<'a> {
    /// The moment for α₀, the sum of the topics' prior. At α₀ = ∞ all of m mᵀ is subtracted.
    pub fn new(c: &'a CoOccurrence<'a>, alpha_0: f64) -> Self {
        Self { c, removed: 1.0 - kept_share(alpha_0) }
    }

    /// m = M̂₁, W numbers that sum to 1.
    pub fn mean(&self) -> &Array1<f64> {
        self.c.row_sums()
    }
}

/// 1/(α₀ + 1), the share of m mᵀ that is not subtracted.
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

/// An operator times −1. Its largest eigenvalues are the negated smallest ones of the operator.
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

/// The mean over the documents of at least two tokens of 1/(n_m(n_m − 1)), with n_m their lengths. Its inverse root
/// is the common length L with the same effect as the unequal lengths. One pass.
///
/// The variance of a document's x xᵀ − diag x is of size 1/(n(n − 1)), and documents are
/// independent, so this mean replaces the paper's 1/L². By Jensen's inequality it is never below
/// the value at the mean length: short documents weigh more.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn mean_pair_rate(documents: &Documents<'_>) -> Result<f64, StreamError> {
    let of_lane = |lane| {
        let (mut sum, mut kept) = (0.0, 0u64);
        documents.visit(lane, |batch| {
            for &length in batch.lengths.iter().filter(|&&length| length > 1.0) {
                sum += 1.0 / (length * (length - 1.0));
                kept += 1;
            }
        })?;
        Ok((sum, kept))
    };
    let (mut sum, mut kept) = documents.sum_by_lane(of_lane, |(sum, kept), more| {
        *sum += more.0;
        *kept += more.1;
    })?;
    documents.add_up(std::slice::from_mut(&mut sum))?;
    documents.add_up_counts(std::slice::from_mut(&mut kept))?;
    Ok(sum / kept.max(1) as f64)
}

/// δ_R, the bound that the error of every singular value of M̂₂ stays below with probability 1 − δ.
/// As in the paper, higher orders of 1/D, 1/L and 1/V are left out.
///
/// D is `documents`, V is `words`, and `pair_rate`, the result of [`mean_pair_rate`], replaces
/// 1/L².
///
/// # Source
/// Cheng et al. 2015, theorem 2.1, `δ_R = √((2/L² + 2/V²) / (Dδ))`.
pub fn deviation(documents: u64, words: usize, pair_rate: f64, delta: f64) -> f64 {
    let words = words as f64;
    ((2.0 * pair_rate + 2.0 / (words * words)) / (documents as f64 * delta)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::memory::MatrixSource;
    use sprs::TriMat;

    #[test]
    fn the_rate_is_the_mean_over_documents_and_not_that_of_the_mean_length() {
        // Lengths 2, 5 and 1 (left out).
        let mut counts = TriMat::new((3, 3));
        for (document, word, count) in [(0, 0, 1), (0, 1, 1), (1, 1, 4), (1, 2, 1), (2, 0, 1)] {
            counts.add_triplet(document, word, count);
        }
        let source = MatrixSource::new(counts.to_csr(), 2);
        let documents = Documents::new(&source, &[0, 1, 2], 2, &Silent);
        let rate = mean_pair_rate(&documents).expect("in memory");
        assert!((rate - (1.0 / 2.0 + 1.0 / 20.0) / 2.0).abs() < 1e-15);
        assert!(rate > 1.0 / (3.5 * 2.5));
    }

    #[test]
    fn the_papers_threshold_comes_out_for_its_setting() {
        // D = 12,800, V = 1000, L = 500, δ = 0.5.
        let delta_r = deviation(12_800, 1000, 1.0 / (500.0 * 500.0), 0.5);
        assert!((delta_r - 3.952_847e-5).abs() < 1e-10, "{delta_r}");
    }
}
