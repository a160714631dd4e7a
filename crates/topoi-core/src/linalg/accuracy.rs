//! Stopping rules of eigensolvers.

use ndarray::Array1;

/// Required accuracy of eigenpairs. θ is a Ritz value and r its residual ‖Cy − θy‖.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accuracy {
    /// Every r is at most this share of the K-th eigenvalue.
    Relative(f64),
    /// Every θ is certainly above or below a threshold.
    About(Threshold),
    /// The number of eigenvalues above a threshold is certain, or certain to be at least K. Ritz
    /// values never exceed the eigenvalues they approximate.
    Count(Threshold),
}

/// A number that eigenvalues are compared with, and the accuracy needed near it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The threshold itself, above 0.
    pub value: f64,
    /// Largest r for θ above the threshold or less than `NEAR_RESIDUALS` residuals below it, as a share of
    /// the threshold.
    pub near: f64,
    /// Largest r for all other θ, as a share of the K-th eigenvalue.
    pub far: f64,
}

/// Distance in residuals beyond which θ is far from the threshold. An eigenvector whose eigenvalue
/// is this many residuals above θ has a share below 1% in the Ritz vector.
const NEAR_RESIDUALS: f64 = 10.0;

impl Accuracy {
    /// Whether the first `pairs` Ritz pairs are accurate enough. Values are sorted, largest first.
    pub fn is_reached(&self, values: &Array1<f64>, residuals: &Array1<f64>, pairs: usize) -> bool {
        let relative = worst_residual(residuals, values, pairs);
        match self {
            Self::Relative(most) => relative <= *most,
            Self::About(threshold) => threshold.is_certain(values, residuals, pairs),
            Self::Count(threshold) => {
                let is_above = |pair: usize| values.get(pair).is_some_and(|&x| x > threshold.value);
                is_above(pairs.max(1) - 1) || threshold.is_certain(values, residuals, pairs)
            }
        }
    }
}

impl Threshold {
    fn is_certain(&self, values: &Array1<f64>, residuals: &Array1<f64>, pairs: usize) -> bool {
        let Some(last) = values.get(pairs.max(1) - 1) else { return false };
        values.iter().zip(residuals).take(pairs).all(|(&value, &residual)| {
            let is_far = value + NEAR_RESIDUALS * residual < self.value;
            residual <= if is_far { self.far * last.abs() } else { self.near * self.value }
        })
    }
}

/// The largest of the first `pairs` residuals over the size of the last of their values. Infinite
/// with fewer values than `pairs`.
pub fn worst_residual(residuals: &Array1<f64>, values: &Array1<f64>, pairs: usize) -> f64 {
    if values.len() < pairs {
        return f64::INFINITY;
    }
    let largest = residuals.iter().take(pairs).fold(0.0, |most: f64, &r| most.max(r));
    // A K-th eigenvalue of zero (rank below K) is measured against the first.
    let floor = values[0].abs() * 1e-9;
    largest / values[pairs.max(1) - 1].abs().max(floor).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    const ABOUT_ONE: Threshold = Threshold { value: 1.0, near: 1e-3, far: 0.1 };

    #[test]
    fn residuals_matter_where_the_threshold_is_near() {
        let settled = |values, residuals| {
            Accuracy::About(ABOUT_ONE).is_reached(&Array1::from_vec(values), &residuals, 2)
        };
        assert!(settled(vec![3.0, 0.5], array![1e-3, 0.04]));
        // Above the threshold and too rough; below it but possibly above; below it and rougher than
        // allowed.
        assert!(!settled(vec![3.0, 0.5], array![2e-3, 0.04]));
        assert!(!settled(vec![3.0, 0.95], array![1e-3, 0.01]));
        assert!(!settled(vec![3.0, 0.1], array![1e-3, 0.02]));
    }

    #[test]
    fn counting_ends_when_all_wanted_are_above() {
        let (values, rough) = (array![3.0, 1.5, 0.2], array![0.5, 0.5, 0.5]);
        assert!(Accuracy::Count(ABOUT_ONE).is_reached(&values, &rough, 2));
        assert!(!Accuracy::Count(ABOUT_ONE).is_reached(&values, &rough, 3));
        assert!(!Accuracy::About(ABOUT_ONE).is_reached(&values, &rough, 2));
        // Fewer than the wanted pairs are known.
        assert!(!Accuracy::Count(ABOUT_ONE).is_reached(&values, &rough, 4));
    }
}
