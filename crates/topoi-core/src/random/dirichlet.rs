//! Draws from Dirichlet distributions.
//!
//! Written by hand, as a crate's draws may change with its version and results must not.

use rand_chacha::ChaCha12Rng;

use super::{ln_uniform, standard_normal};

/// Fills `weights` with a draw from the symmetric Dirichlet distribution with parameter `alpha`.
/// The draw is nonnegative and sums to 1 up to rounding; `alpha` = 1 is uniform on the simplex.
pub(crate) fn symmetric_dirichlet(rng: &mut ChaCha12Rng, alpha: f64, weights: &mut [f64]) {
    weights.fill(alpha);
    dirichlet(rng, weights);
}

/// Replaces the parameters `weights` (above 0) by a draw from their Dirichlet distribution. The
/// draw is nonnegative and sums to 1 up to rounding.
pub fn dirichlet(rng: &mut ChaCha12Rng, weights: &mut [f64]) {
    let mut largest = f64::NEG_INFINITY;
    for weight in weights.iter_mut() {
        *weight = ln_gamma_variate(rng, *weight);
        largest = largest.max(*weight);
    }
    // Relative to the largest, because all may be too small for an f64.
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        *weight = libm::exp(*weight - largest);
        sum += *weight;
    }
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

/// ln of a draw from Gamma(shape, 1), shape > 0. The logarithm avoids underflow at small shapes:
/// with shape 0.03, one draw in a billion is below 1e-300.
///
/// # Source
/// Marsaglia and Tsang 2000, "A simple method for generating gamma variables"; shapes below 1 by
/// Gamma(a) = Gamma(a + 1)·U^(1/a) (their section 6).
fn ln_gamma_variate(rng: &mut ChaCha12Rng, shape: f64) -> f64 {
    if shape >= 1.0 {
        return ln_of_large_shape(rng, shape);
    }
    let larger = ln_of_large_shape(rng, shape + 1.0);
    larger + ln_uniform(rng) / shape
}

fn ln_of_large_shape(rng: &mut ChaCha12Rng, shape: f64) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = standard_normal(rng);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let ln_v = 3.0 * libm::log(root);
        let v = root * root * root;
        if ln_uniform(rng) < 0.5 * x * x + d - d * v + d * ln_v {
            return libm::log(d) + ln_v;
        }
    }
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
                symmetric_dirichlet(&mut rng, alpha, &mut weights);
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                mean += weights[1] / f64::from(n);
                square += weights[1] * weights[1] / f64::from(n);
            }
            let expected = (alpha + 1.0) / (4.0 * (4.0 * alpha + 1.0));
            assert!((mean - 0.25).abs() < 0.0125, "{alpha}: {mean}");
            assert!((square - expected).abs() < 0.0125, "{alpha}: {square} {expected}");
        }
    }

    #[test]
    fn moments_are_those_of_the_distribution() {
        // Mean a, variance a, E ln g = ψ(a), variance of ln g = ψ′(a): from tables. 100,000
        // draws; bounds at 5 deviations, and two-sided, so that each of the 8 fails by chance
        // for fewer than one seed in a million (the seed is fixed).
        let cases = [
            (0.03, -33.862_254_42, 1_112.686_736),
            (0.5, -1.963_510_026, 4.934_802_2),
            (1.0, -0.577_215_665, 1.644_934_067),
            (7.5, 1.946_757_484_2, 0.142_615_9),
        ];
        let mut rng = stream(11, "gamma");
        for (shape, mean_of_ln, variance_of_ln) in cases {
            let n = 100_000.0;
            let lns: Vec<f64> =
                (0..n as usize).map(|_| ln_gamma_variate(&mut rng, shape)).collect();
            let mean = lns.iter().map(|ln| ln.exp()).sum::<f64>() / n;
            assert!((mean - shape).abs() < 5.0 * (shape / n).sqrt(), "{shape}: {mean}");
            let mean = lns.iter().sum::<f64>() / n;
            let bound = 5.0 * f64::sqrt(variance_of_ln / n);
            assert!((mean - mean_of_ln).abs() < bound, "{shape}: {mean} {mean_of_ln}");
        }
    }
}
