//! The spectrum of the second moment for every α₀ at once.

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

/// Eigenpairs computed at first.
const FIRST_PAIRS: usize = 24;
/// Eigenpairs computed at most.
const MOST_PAIRS: usize = 512;
/// Numbers the basis of the eigenpairs may hold: 1 GB.
const MOST_NUMBERS: usize = 1 << 27;
/// Eigenpairs beyond those wanted, which make the wanted ones converge.
const OVERSAMPLING: usize = 10;
const BLOCK: usize = 16;
/// Residuals near the threshold and above it, relative to the threshold; eigenvalues are far better,
/// by its square.
const NEAR: f64 = 1e-3;
/// Residuals of values far below the threshold, relative to the last eigenvalue: those are plotted, not
/// counted.
const FAR: f64 = 0.1;
/// Residual of the least eigenvalue relative to the threshold.
const LEAST: f64 = 0.03;
const MOST_PASSES: usize = 40;

/// The spectrum of M̂₂ = B + m mᵀ/(α₀ + 1), B = C − m mᵀ, for any α₀: a basis Q of m and the largest
/// eigenvectors of B, and B projected onto it.
///
/// The values for any α₀ are Ritz values, never above the eigenvalues they approximate
/// (Cauchy's interlacing), so that counting them never counts too many.
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
    /// Computes eigenpairs of B until one is below `threshold`, or as many as fit in memory. Reports stage
    /// "spectrum".
    ///
    /// # Cost
    /// Some ten passes over the corpus with 16 columns, up to forty where many eigenvalues are near
    /// the threshold; again for twice the pairs, from those found, while all are above it.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn above(
        c: &CoOccurrence<'_>,
        threshold: f64,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin(
            "spectrum",
            MOST_PASSES as u64,
            "largest residual relative to the last eigenvalue",
        );
        let operator = SecondMoment::new(c, f64::INFINITY);
        let words = operator.size();
        let room = MOST_NUMBERS / (16 * words.max(1));
        let most = MOST_PAIRS.min(room.max(FIRST_PAIRS)).min(words);
        let mut pairs = FIRST_PAIRS.min(most);
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
        // Twice is enough (Kahan, Parlett).
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

    /// The largest eigenvalues of M̂₂ for this α₀, largest first.
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

    /// M̂₂ in the basis.
    fn moment(&self, alpha_0: f64) -> Array2<f64> {
        let along = self.mean_in_basis.view().insert_axis(Axis(1));
        &self.projected + &(&along * &along.t() * kept_share(alpha_0))
    }
}

/// The least eigenvalue of M̂₂ for this α₀, from above, to some percent of the threshold where it is
/// near −threshold or below. Stage "least" is reported.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
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
    let accuracy = Accuracy::About(Threshold { value: threshold, near: LEAST, far: FAR });
    let settings = KrylovSettings { pairs: 1, kept: 8, block: 8, accuracy, max_passes: 30 };
    Ok(-block_krylov(&operator, settings, &mut rng, progress)?.values[0])
}

fn settings(pairs: usize, words: usize, threshold: f64) -> KrylovSettings {
    KrylovSettings {
        pairs,
        kept: (pairs + OVERSAMPLING).min(words),
        block: BLOCK,
        accuracy: Accuracy::Count(Threshold { value: threshold, near: NEAR, far: FAR }),
        max_passes: MOST_PASSES,
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
    /// The value before the gap over the one after it, above 1.
    pub ratio: f64,
}

/// The largest ratio σ_i/σ_{i+1} among the `counted` first values and the one after them, the
/// first of equals. σ₁ mostly says how far the mean is from 0, so it is passed over where there
/// is more than one. `None` where no two positive values are left.
///
/// `values` are largest first.
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

/// (Σσ)²/Σσ², the number of equal values with the same ratio: between 1 and the number of values. `None`
/// without a positive value.
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
