//! ψ, the derivative of log Γ, and its inverse.

use pulp::{Arch, Simd, WithSimd};

/// From here on the series below is exact to rounding.
const LARGE: f64 = 10.0;

/// ψ(x) for x > 0, to about 2e-14 relative to max(1, |ψ(x)|).
///
/// # Source
/// ψ(x) = ψ(x + 1) − 1/x up to x + 10, from there the asymptotic series (Abramowitz and Stegun
/// 6.3.5, 6.3.18).
pub fn digamma(x: f64) -> f64 {
    libm::log(x + LARGE) + beside_log(x)
}

/// ψ(x) − log(x + 10), without a branch, so that many are found side by side.
#[inline(always)]
fn beside_log(x: f64) -> f64 {
    // Σ 1/(x + i), i = 0 … 9: 1/(x + i) + 1/(x + 9 − i) = (2x + 9)/(x(x + 9) + i(9 − i)).
    let t = x * (x + 9.0);
    let pairs = (1.0 / t + 1.0 / (t + 8.0)) + (1.0 / (t + 14.0) + 1.0 / (t + 18.0));
    let below = (2.0 * x + 9.0) * (pairs + 1.0 / (t + 20.0));
    let z = 1.0 / (x + LARGE);
    let y = z * z;
    let series =
        y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
    -0.5 * z - series - below
}

/// exp ψ(x) of numbers above 0, over that of the largest, so that not all of them underflow.
pub(super) fn exp_digammas(numbers: &[f64], to: &mut [f64]) {
    Arch::new().dispatch(BesideLogs { numbers, to });
    let largest = (0..numbers.len()).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let Some(largest) = largest else { return };
    let (shift, scale) = (to[largest], 1.0 / (numbers[largest] + LARGE));
    for (to, x) in to.iter_mut().zip(numbers) {
        *to = (x + LARGE) * scale * libm::exp((*to - shift).max(-600.0));
    }
}

struct BesideLogs<'a> {
    numbers: &'a [f64],
    to: &'a mut [f64],
}

impl WithSimd for BesideLogs<'_> {
    type Output = ();

    // Plain loops, which become vectors of the processor here.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        self.to.iter_mut().zip(self.numbers).for_each(|(to, &x)| *to = beside_log(x));
    }
}

/// ψ′(x) for x > 0 (6.4.6, 6.4.12).
fn trigamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < LARGE {
        below += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        y * (1.0 / 6.0 - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * 5.0 / 66.0))));
    below + 1.0 / x + y / 2.0 + series / x
}

/// The x > 0 with ψ(x) = y, to rounding: five steps of Newton's method from Minka's start, which
/// double the digits each time.
///
/// # Source
/// Minka 2000, "Estimating a Dirichlet distribution", appendix C.
pub fn inverse_digamma(y: f64) -> f64 {
    let mut x = if y >= -2.22 { libm::exp(y) + 0.5 } else { -1.0 / (y - digamma(1.0)) };
    for _ in 0..5 {
        x -= (digamma(x) - y) / trigamma(x);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let euler = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + euler).abs() < 1e-13);
        assert!((digamma(0.5) + euler + 2.0 * 2.0f64.ln()).abs() < 1e-13);
        assert!((digamma(100.0) - 4.600_161_852_738_087).abs() < 1e-13);
        let numbers = [1e-4, 0.3, 77.0, 2.0, 1e6];
        let mut found = [0.0; 5];
        exp_digammas(&numbers, &mut found);
        for (x, found) in numbers.into_iter().zip(found) {
            // What is below e⁻⁶⁰⁰ is as good as nothing.
            let expected = libm::exp(digamma(x) - digamma(1e6));
            assert!((found - expected).abs() < 1e-12 * expected + 1e-250, "{x}: {found}");
        }
        assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-13);
    }

    #[test]
    fn it_is_the_slope_of_log_gamma_and_the_inverse_undoes_it() {
        for x in [1e-4, 0.01, 0.3, 1.0, 4.5, 30.0, 1e4] {
            let h = 1e-5 * x;
            let slope = (libm::lgamma(x + h) - libm::lgamma(x - h)) / (2.0 * h);
            assert!((digamma(x) - slope).abs() < 1e-6 * slope.abs().max(1.0), "{x}");
            assert!((inverse_digamma(digamma(x)) / x - 1.0).abs() < 1e-10, "{x}");
        }
    }
}
