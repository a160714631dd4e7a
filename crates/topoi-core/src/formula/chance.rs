//! Whether counts differ by chance.

use libm::lgamma;

/// The probability of `found[0]` or more of `found[0] + found[1]` of these documents among the added ones, where documents are
/// `times` as frequent there as among the earlier ones: the conditional test of two Poisson rates (Przyborowski and Wilenski
/// 1940). `all` are the added and the earlier documents.
pub fn by_chance(found: [u64; 2], all: [u64; 2], times: f64) -> f64 {
    let [added, earlier] = [times * all[0] as f64, all[1] as f64];
    let (ln_added, ln_earlier) =
        (libm::log(added / (added + earlier)), libm::log(earlier / (added + earlier)));
    let drawn = found[0] + found[1];
    let ln_choose = |n: u64| {
        let ln_factorial = |n: u64| lgamma(n as f64 + 1.0);
        ln_factorial(drawn) - ln_factorial(n) - ln_factorial(drawn - n)
    };
    (found[0]..=drawn)
        .map(|n| {
            let (n_added, n_earlier) = (n as f64, (drawn - n) as f64);
            libm::exp(ln_choose(n) + n_added * ln_added + n_earlier * ln_earlier)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_the_sum_of_binomial_terms() {
        // 2 or 3 of 3, each among the added with 1.5 · 4 / (1.5 · 4 + 6) = 1/2.
        assert!((by_chance([2, 1], [4, 6], 1.5) - 0.5).abs() < 1e-12);
        assert!((by_chance([0, 3], [4, 6], 1.5) - 1.0).abs() < 1e-12);
        assert!((by_chance([3, 0], [20, 10], 1.0) - 8.0 / 27.0).abs() < 1e-12);
    }
}
