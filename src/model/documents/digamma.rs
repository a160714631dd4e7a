//! ψ, the derivative of log Γ, and its inverse.

/// From here on the series below is exact to rounding.
const LARGE: f64 = 10.0;

/// ψ(x) for x > 0, to about 2e-14 relative to max(1, |ψ(x)|).
///
/// # Source
/// ψ(x) = ψ(x + 1) − 1/x up to x = 10, from there the asymptotic series (Abramowitz and Stegun
/// 6.3.5, 6.3.18).
pub fn digamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < LARGE {
        below -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
    below + libm::log(x) - 0.5 / x - series
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
