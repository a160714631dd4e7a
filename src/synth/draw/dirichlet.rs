//! Draws from symmetric Dirichlet distributions.

use rand_chacha::ChaCha12Rng;

use super::gamma::ln_gamma_variate;

/// Fills `weights` with a draw from the Dirichlet distribution whose parameters are all `alpha`:
/// nonnegative, of sum 1 up to rounding. With `alpha` = 1, uniform on the simplex.
pub(crate) fn dirichlet(rng: &mut ChaCha12Rng, alpha: f64, weights: &mut [f64]) {
    let mut largest = f64::NEG_INFINITY;
    for weight in weights.iter_mut() {
        *weight = ln_gamma_variate(rng, alpha);
        largest = largest.max(*weight);
    }
    // Relative to the largest, so that not all are too small for an f64.
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        *weight = libm::exp(*weight - largest);
        sum += *weight;
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn weights_have_the_moments_of_the_distribution() {
        // K = 4: mean 1/4, E θ² = (α+1)/(K(Kα+1)). θ and θ² lie in [0, 1], so that the
        // deviation of a mean of 40,000 is at most 0.0025; bounds at 5 of them.
        let mut rng = stream(3, "dirichlet");
        for alpha in [1e-6, 0.03, 1.0, 20.0] {
            let n = 40_000;
            let (mut mean, mut square) = (0.0, 0.0);
            for _ in 0..n {
                let mut weights = [0.0; 4];
                dirichlet(&mut rng, alpha, &mut weights);
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                mean += weights[1] / f64::from(n);
                square += weights[1] * weights[1] / f64::from(n);
            }
            let expected = (alpha + 1.0) / (4.0 * (4.0 * alpha + 1.0));
            assert!((mean - 0.25).abs() < 0.0125, "{alpha}: {mean}");
            assert!((square - expected).abs() < 0.0125, "{alpha}: {square} {expected}");
        }
    }
}
