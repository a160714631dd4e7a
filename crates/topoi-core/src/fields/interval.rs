//! Quantiles of Student's t distribution, for intervals from few documents.

/// Confidence level of two-sided intervals.
pub const CONFIDENCE: f64 = 0.95;

/// The 0.975 quantiles for 1 to 4 degrees of freedom, where the expansion is not accurate enough.
const QUANTILES_BELOW_5: [f64; 4] = [12.706_204_736, 4.302_652_730, 3.182_446_305, 2.776_445_105];

/// The 0.975 quantile of the normal distribution.
pub const NORMAL: f64 = 1.959_963_985;

/// The 0.975 quantile of Student's t distribution with `freedom` degrees of freedom, at least 1 and
/// not necessarily an integer. Expansion in 1/ν (Abramowitz and Stegun 26.7.5), accurate to 0.001.
pub fn t_quantile(freedom: f64) -> f64 {
    if freedom < 5.0 {
        let below = (freedom.floor() as usize).clamp(1, 4);
        let above = QUANTILES_BELOW_5.get(below).copied().unwrap_or_else(|| t_quantile(5.0));
        let share = (freedom - below as f64).clamp(0.0, 1.0);
        return QUANTILES_BELOW_5[below - 1] + share * (above - QUANTILES_BELOW_5[below - 1]);
    }
    let z = NORMAL;
    let terms = [
        z,
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected) in [
            (1.0, 12.706),
            (4.0, 2.776),
            (5.0, 2.571),
            (9.0, 2.262),
            (29.0, 2.045),
            (120.0, 1.980),
            (1e9, 1.960),
        ] {
            assert!(
                (t_quantile(freedom) - expected).abs() < 1e-3,
                "{freedom}: {}",
                t_quantile(freedom)
            );
        }
        let between = t_quantile(2.5);
        assert!(between < t_quantile(2.0) && between > t_quantile(3.0));
    }
}
