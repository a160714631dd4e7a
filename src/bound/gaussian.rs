//! Bounds on the number of components of a mixture of spherical Gaussians.

use ndarray::Array2;

use super::error::{BoundError, positive, probability};
use super::spectrum::{Eigengap, eigengap, participation_ratio};
use crate::linalg::dense::{symmetric_eigen, transposed_product};

/// Assumptions of the bounds, and how often they may fail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianSettings {
    /// α, the Dirichlet prior of each component's weight.
    pub alpha: f64,
    /// δ: the lower bound is wrong at most this often; also δ₁, δ₂ and 2·exp(−t²/2).
    pub delta: f64,
    /// σ, the deviation of the points from their centre in every dimension; `None` estimates it,
    /// as the median eigenvalue of the points' second moment, which takes K < m/2.
    pub sigma: Option<f64>,
    /// σ_μ, the deviation of the centres from 0 in every dimension; `None` estimates it from the
    /// mean square of all coordinates.
    pub sigma_mu: Option<f64>,
}

/// Bounds on the number of components, from the second moment of points.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ComponentBounds {
    /// There are at least this many components, with probability 1 − δ.
    pub lower: usize,
    /// There are at most this many; `None` where there may be as many as dimensions.
    pub upper: Option<usize>,
    /// The true number is between the bounds with at least this probability.
    pub probability: f64,
    /// δ_R, the threshold.
    pub threshold: f64,
    /// σ as given or estimated.
    pub sigma: f64,
    /// σ_μ as given or estimated.
    pub sigma_mu: f64,
    /// All eigenvalues of M̂₂, largest first.
    pub spectrum: Vec<f64>,
    /// The largest gap of the spectrum.
    pub eigengap: Option<Eigengap>,
    /// (Σσ)²/Σσ² of the values above the threshold: an effective number of components.
    pub participation_ratio: Option<f64>,
}

/// Bounds on the number of components K behind `points` (N × m, rows are points), at most m,
/// from M̂₂ = mean of x xᵀ − σ²I. Centres are drawn from N(0, σ_μ²I), weights from a Dirichlet.
///
/// Negative eigenvalues are not counted: M₂ has none.
///
/// # Cost
/// N·m² flops and an eigenproblem of m.
///
/// # Errors
/// [`BoundError::OutOfRange`], [`BoundError::TooFewPoints`].
///
/// # Source
/// Cheng et al. 2015, theorem 4.1, with its denominator corrected from appendix C.3:
/// √(2α·log(1/δ₂)/K) where √(2α·log(1/δ₂))/K is printed.
pub fn component_bounds(
    points: &Array2<f64>,
    settings: &GaussianSettings,
) -> Result<ComponentBounds, BoundError> {
    let (n, m) = points.dim();
    positive("alpha", settings.alpha)?;
    probability("delta", settings.delta)?;
    if n < 2 || m == 0 {
        return Err(BoundError::TooFewPoints { points: n, dimensions: m });
    }
    let (values, _) = symmetric_eigen(&(transposed_product(points, points) / n as f64));
    let sigma = settings.sigma.unwrap_or_else(|| values[m / 2].max(0.0).sqrt());
    let mean_square = values.sum() / m as f64;
    let own = || (mean_square - sigma * sigma).max(0.0).sqrt();
    let sigma_mu = settings.sigma_mu.unwrap_or_else(own);
    positive("sigma", sigma)?;
    positive("sigma-mu", sigma_mu)?;
    let spectrum: Vec<f64> = values.iter().map(|value| value - sigma * sigma).collect();
    let threshold = threshold(n, m, sigma, sigma_mu, settings.delta);
    let lower = spectrum.iter().filter(|&&value| value > threshold).count();
    let is_possible = |&k: &usize| spectrum[0] <= largest(k, m, sigma_mu, settings) + threshold;
    let found = (1..=m).rev().find(is_possible);
    Ok(ComponentBounds {
        lower: lower.max(1),
        upper: found.filter(|&k| k < m),
        // δ for δ_R, δ₁, δ₂ and the centres' own.
        probability: (1.0 - 4.0 * settings.delta).max(0.0),
        threshold,
        sigma,
        sigma_mu,
        eigengap: eigengap(&spectrum, lower),
        participation_ratio: participation_ratio(&spectrum[..lower]),
        spectrum,
    })
}

/// δ_R of theorem 4.1 for N points of m dimensions.
fn threshold(n: usize, m: usize, sigma: f64, sigma_mu: f64, delta: f64) -> f64 {
    let m = m as f64;
    let spread = 2.0 * sigma_mu * sigma_mu + (m + 1.0) / m * sigma * sigma;
    sigma * m * (spread / (n as f64 * delta)).sqrt()
}

/// Upper bound on σ₁(M₂) for K components; infinite where the theorem says nothing.
fn largest(components: usize, m: usize, sigma_mu: f64, settings: &GaussianSettings) -> f64 {
    let (k, m) = (components as f64, m as f64);
    let GaussianSettings { alpha, delta, .. } = *settings;
    let t = (2.0 * (2.0 / delta).ln()).sqrt();
    let most = alpha + 2.0 * (k / delta).ln();
    let all = (alpha - (2.0 * alpha * (1.0 / delta).ln() / k).sqrt()).max(0.0);
    let centres = m.sqrt() + k.sqrt() + t;
    sigma_mu * sigma_mu / k * (most / all) * centres * centres
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_that_of_the_theorem() {
        let expected =
            0.5 * 20.0 / (1000.0_f64 * 0.1).sqrt() * (2.0 * 4.0 + 1.05 * 0.25_f64).sqrt();
        assert!((threshold(1000, 20, 0.5, 2.0, 0.1) - expected).abs() < 1e-12);
    }

    #[test]
    fn wrong_settings_and_too_few_points_are_refused() {
        let settings =
            GaussianSettings { alpha: 1.0, delta: 0.1, sigma: Some(1.0), sigma_mu: Some(2.0) };
        let error = |settings: &GaussianSettings, n| {
            component_bounds(&Array2::ones((n, 3)), settings).expect_err("wrong").to_string()
        };
        assert!(error(&settings, 1).contains("1 points of 3 dimensions"));
        let wrong = GaussianSettings { delta: 0.0, ..settings };
        assert_eq!(
            error(&wrong, 9),
            "delta is 0, but must be above 0 and at most 1; change --delta"
        );
        let wrong = GaussianSettings { sigma: Some(-1.0), ..settings };
        assert!(error(&wrong, 9).contains("--sigma"));
    }
}
