//! ψ, the derivative of log Γ, and its inverse.

use pulp::{Arch, Simd, WithSimd};

/// Argument from which the series below is exact to rounding.
const LARGE: f64 = 10.0;

/// ψ(x) for x > 0, to about 2e-14 relative to max(1, |ψ(x)|).
///
/// # Source
/// ψ(x) = ψ(x + 1) − 1/x up to x + 10, from there the asymptotic series (Abramowitz and Stegun
/// 6.3.5, 6.3.18).
pub fn digamma(x: f64) -> f64 {
    libm::log(x + LARGE) + digamma_minus_log(x)
}

/// ψ(x) − log(x + 10), without a branch, so that it vectorises.
#[inline(always)]
fn digamma_minus_log(x: f64) -> f64 {
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

/// exp ψ(x) of positive numbers, relative to that of the largest to avoid underflow.
pub(super) fn exp_digammas(numbers: &[f64], to: &mut [f64]) {
    let Some(largest) = numbers.iter().copied().max_by(f64::total_cmp) else { return };
    let (shift, scale) = (digamma_minus_log(largest), 1.0 / (largest + LARGE));
    Arch::new().dispatch(ForEach(numbers, to, |x, to: &mut f64| {
        *to = (x + LARGE) * scale * exp_nonpositive(digamma_minus_log(x) - shift);
    }));
}

/// Adds ψ(x) − log(x + 10) of each number to `sums`, and multiplies `products` by x + 10.
pub(super) fn add_digammas(numbers: &[f64], sums: &mut [f64], products: &mut [f64]) {
    Arch::new().dispatch(ForEach(numbers, sums, |x, sum: &mut f64| *sum += digamma_minus_log(x)));
    products.iter_mut().zip(numbers).for_each(|(product, x)| *product *= x + LARGE);
}

/// exp(x) for x ≤ 0, accurate to 2e-16 relative, without a branch: 2ⁿ times a series in the
/// remainder of x. Clamped at e⁻⁶⁰⁰, which is negligible.
#[inline(always)]
fn exp_nonpositive(x: f64) -> f64 {
    // Adding this to a number rounds it to an integer, which is then in its last bits.
    const ROUNDS: f64 = 6_755_399_441_055_744.0;
    let x = x.max(-600.0);
    let rounded = x * std::f64::consts::LOG2_E + ROUNDS;
    let n = rounded - ROUNDS;
    // log 2 in two parts; the first is short enough that its product with n is exact.
    let r = (x - n * 0.693_147_180_369_123_8) - n * 1.908_214_929_270_587_7e-10;
    let series = (1..=12).rev().fold(1.0, |sum, i| 1.0 + sum * r * (1.0 / f64::from(i)));
    series * f64::from_bits((rounded.to_bits() + 1023) << 52)
}

/// Applies a function to each number and its target.
struct ForEach<'a, F>(&'a [f64], &'a mut [f64], F);

impl<F: Fn(f64, &mut f64)> WithSimd for ForEach<'_, F> {
    type Output = ();

    // A plain loop, vectorised here for the processor.
    #[inline(always)]
    fn with_simd<D: Simd>(self, _: D) {
        let Self(numbers, to, each) = self;
        numbers.iter().zip(to).for_each(|(&x, to)| each(x, to));
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

/// The x > 0 with ψ(x) = y, to rounding: five steps of Newton's method from Minka's start. Each
/// step doubles the digits.
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
        let (mut sums, mut products) = ([0.0; 5], [1.0; 5]);
        add_digammas(&numbers, &mut sums, &mut products);
        for (at, (x, found)) in numbers.into_iter().zip(found).enumerate() {
            let expected = libm::exp(digamma(x) - digamma(1e6));
            assert!((found - expected).abs() < 1e-12 * expected + 1e-250, "{x}: {found}");
            assert!((sums[at] + products[at].ln() - digamma(x)).abs() < 1e-12 * digamma(x).abs());
        }
        for x in (0..60_000).map(|step| f64::from(step) * -0.01).chain([-1e-300, -700.0]) {
            let expected = libm::exp(x.max(-600.0));
            assert!((exp_nonpositive(x) / expected - 1.0).abs() < 1e-15, "{x}");
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
