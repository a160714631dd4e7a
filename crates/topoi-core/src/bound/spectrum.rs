//! The spectrum of the second moment for every α₀ from one set of eigenpairs.

use ndarray::{Array1, Array2, Axis, concatenate, s};
use rand_chacha::ChaCha12Rng;

use super::second_moment::{Negated, SecondMoment, kept_share};
use crate::linalg::accuracy::{Accuracy, Threshold};
use crate::linalg::block_krylov::{
    Eigenpairs, KrylovSettings, SymmetricOperator, block_krylov, block_krylov_from,
};
use crate::linalg::dense::{product, symmetric_eigen, transposed_product};
use crate::progress::Progress;
use crate::random::stream;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::error::Result;

/// Eigenpairs computed in the first round.
const INITIAL_PAIRS: usize = 24;
/// Largest number of eigenpairs computed.
const MAX_PAIRS: usize = 512;
/// Largest number of f64 in the basis of the eigenpairs: 1 GB.
const MAX_BASIS_NUMBERS: usize = 1 << 27;
/// Extra eigenpairs that make the wanted ones converge.
const OVERSAMPLING: usize = 10;
const BLOCK: usize = 16;
/// Largest residual near and above the threshold, as a share of the threshold. The error of an
/// eigenvalue is of the order of its square.
const NEAR_RESIDUAL: f64 = 1e-3;
/// Largest residual of eigenvalues far below the threshold, as a share of the last eigenvalue.
/// Those are plotted, not counted.
const FAR_RESIDUAL: f64 = 0.1;
/// Largest residual of the smallest eigenvalue, as a share of the threshold.
const LEAST_RESIDUAL: f64 = 0.03;
const MAX_PASSES: usize = 40;

/// The spectrum of M̂₂ = B + m mᵀ/(α₀ + 1), with B = C − m mᵀ, for any α₀. It consists of a basis Q
/// of m and the largest eigenvectors of B, and B projected onto Q.
///
/// Eigenvalues for any α₀ are Ritz values. They never exceed the eigenvalues they approximate
/// (Cauchy interlacing), so a count of them is never too large.
pub struct MomentSpectrum {
    basis: Array2<f64>,
    image: Array2<f64>,
    projected: Array2<f64>,
    mean: Array1<f64>,
    mean_in_basis: Array1<f64>,
    pairs: usize,
    is_complete: bool,
}

impl MomentSpectrum {
    /// Computes eigenpairs of B until one is below `threshold`, or as many as fit into memory.
    /// Reports stage "spectrum".
    ///
    /// # Cost
    /// About ten passes over the corpus with 16 columns, up to 40 where many eigenvalues are near
    /// the threshold. Repeated with twice the pairs, starting from those found, while all are above
    /// it.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn above(
        c: &CoOccurrence<'_>,
        threshold: f64,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin(
            "spectrum",
            MAX_PASSES as u64,
            "largest residual relative to the last eigenvalue",
        );
        let operator = SecondMoment::new(c, f64::INFINITY);
        let words = operator.size();
        let max_columns = MAX_BASIS_NUMBERS / (16 * words.max(1));
        let most = MAX_PAIRS.min(max_columns.max(INITIAL_PAIRS)).min(words);
        let mut pairs = INITIAL_PAIRS.min(most);
        let mut rng = stream(seed, "bounds krylov");
        let mut found =
            block_krylov(&operator, settings(pairs, words, threshold), &mut rng, progress)?;
        while pairs < most && progress.decide(found.values[pairs - 1] > threshold) {
            pairs = (2 * pairs).min(most);
            let start = found.vectors;
            found =
                block_krylov_from(start, &operator, settings(pairs, words, threshold), progress)?;
        }
        let is_complete = pairs == words || found.values[pairs - 1] <= threshold;
        Self::with_mean(&operator, found, pairs, is_complete, progress)
    }

    fn with_mean(
        operator: &SecondMoment<'_>,
        found: Eigenpairs,
        pairs: usize,
        is_complete: bool,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mean = operator.mean().clone();
        let column = mean.view().insert_axis(Axis(1)).to_owned();
        let mut basis = found.vectors;
        let mut rest = column.clone();
        // Two rounds are enough (Kahan, Parlett).
        for _ in 0..2 {
            rest -= &product(&basis, &transposed_product(&basis, &rest));
        }
        let length = norm(&rest);
        if progress.decide(length > 1e-9 * norm(&column)) {
            rest /= length;
            let joined = concatenate(Axis(1), &[basis.view(), rest.view()]);
            basis = joined.expect("the same number of rows").as_standard_layout().into_owned();
        }
        let image = operator.multiply(basis.view())?;
        let projected = transposed_product(&basis, &image);
        let projected = (&projected + &projected.t()) / 2.0;
        let mean_in_basis = transposed_product(&basis, &column).remove_axis(Axis(1));
        Ok(Self { basis, image, projected, mean, mean_in_basis, pairs, is_complete })
    }

    /// Whether every eigenvalue above the threshold was computed.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The largest eigenvalues of M̂₂ for `alpha_0`, largest first.
    pub fn values(&self, alpha_0: f64) -> Array1<f64> {
        let (values, _) = symmetric_eigen(&self.moment(alpha_0));
        values.slice(s![..self.pairs.min(values.len())]).to_owned()
    }

    /// [`Self::values`], each with its residual ‖M̂₂y − θy‖.
    pub fn values_with_residuals(&self, alpha_0: f64) -> Vec<(f64, f64)> {
        let (values, vectors) = symmetric_eigen(&self.moment(alpha_0));
        let shown = self.pairs.min(values.len());
        let vectors = vectors.slice(s![.., ..shown]).as_standard_layout().into_owned();
        let along = self.mean_in_basis.dot(&vectors) * kept_share(alpha_0);
        let ritz = product(&self.basis, &vectors);
        let mut error = product(&self.image, &vectors);
        let mean = self.mean.view().insert_axis(Axis(1));
        error += &(&mean * &along.insert_axis(Axis(0)));
        error -= &(&ritz * &values.slice(s![..shown]));
        let lengths = error.columns().into_iter().map(|column| column.dot(&column).sqrt());
        values.iter().copied().zip(lengths).collect()
    }

    /// M̂₂ projected onto the basis.
    fn moment(&self, alpha_0: f64) -> Array2<f64> {
        let along = self.mean_in_basis.view().insert_axis(Axis(1));
        &self.projected + &(&along * &along.t() * kept_share(alpha_0))
    }
}

/// The smallest eigenvalue of M̂₂ for `alpha_0`, approximated from above. Where it is near
/// −threshold or below, its error is a few percent of the threshold. Reports stage "least".
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn least_eigenvalue(
    c: &CoOccurrence<'_>,
    alpha_0: f64,
    threshold: f64,
    seed: u64,
    progress: &dyn Progress,
) -> Result<f64> {
    progress.begin("least", 30, "residual relative to the least eigenvalue");
    let operator = Negated(SecondMoment::new(c, alpha_0));
    let mut rng: ChaCha12Rng = stream(seed, "bounds least");
    let accuracy =
        Accuracy::About(Threshold { value: threshold, near: LEAST_RESIDUAL, far: FAR_RESIDUAL });
    let settings = KrylovSettings { pairs: 1, kept: 8, block: 8, accuracy, max_passes: 30 };
    Ok(-block_krylov(&operator, settings, &mut rng, progress)?.values[0])
}

fn settings(pairs: usize, words: usize, threshold: f64) -> KrylovSettings {
    KrylovSettings {
        pairs,
        kept: (pairs + OVERSAMPLING).min(words),
        block: BLOCK,
        accuracy: Accuracy::Count(Threshold {
            value: threshold,
            near: NEAR_RESIDUAL,
            far: FAR_RESIDUAL,
        }),
        max_passes: MAX_PASSES,
    }
}

fn norm(a: &Array2<f64>) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The largest gap of a spectrum on a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Eigengap {
    /// The number of values before the gap.
    pub after: usize,
    /// The value before the gap over the value after it, above 1.
    pub ratio: f64,
}

/// The largest ratio σ_i/σ_{i+1} among the first `counted` values and the one after them; the first
/// of equal ratios. σ₁ is skipped where `counted` is above 1, because it mostly measures the
/// distance of the mean from 0. `None` where no two positive values remain.
///
/// `values` are sorted, largest first.
pub fn eigengap(values: &[f64], counted: usize) -> Option<Eigengap> {
    let first = usize::from(counted > 1);
    let pairs = values.windows(2).enumerate().take(counted).skip(first);
    let mut best: Option<Eigengap> = None;
    for (at, pair) in pairs.filter(|(_, pair)| pair[1] > 0.0) {
        let ratio = pair[0] / pair[1];
        if best.is_none_or(|gap| ratio > gap.ratio) {
            best = Some(Eigengap { after: at + 1, ratio });
        }
    }
    best
}

/// (Σσ)²/Σσ², an effective number of values: between 1 and the number of values. `None` without a
/// positive value.
pub fn participation_ratio(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    (squares > 0.0).then(|| sum * sum / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_the_largest_ratio_and_the_first_value_is_passed_over() {
        let values = [100.0, 8.0, 6.0, 5.0, 0.5, 0.4];
        assert_eq!(eigengap(&values, 4), Some(Eigengap { after: 4, ratio: 10.0 }));
        assert_eq!(eigengap(&values, 1), Some(Eigengap { after: 1, ratio: 12.5 }));
        assert_eq!(eigengap(&values, 0), None);
        assert_eq!(eigengap(&[3.0], 1), None);
        assert_eq!(eigengap(&[3.0, 2.0, -1.0], 2), None);
    }

    #[test]
    fn equal_values_participate_all_and_one_large_value_alone() {
        assert_eq!(participation_ratio(&[2.0; 7]), Some(7.0));
        assert!((participation_ratio(&[1e9, 1.0]).expect("values") - 1.0).abs() < 1e-8);
        assert_eq!(participation_ratio(&[]), None);
    }
}
