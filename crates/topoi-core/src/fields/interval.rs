//! Student's t, by which intervals are as wide as few documents make them.

/// What two-sided intervals hold with.
pub const CONFIDENCE: f64 = 0.95;

/// t at 0.975 for 1 to 4 degrees of freedom, for which the expansion is not exact enough.
const FEW: [f64; 4] = [12.706_204_736, 4.302_652_730, 3.182_446_305, 2.776_445_105];

/// The quantile at 0.975 of the normal distribution.
pub const NORMAL: f64 = 1.959_963_985;

/// The quantile at 0.975 of Student's t with so many degrees of freedom, 1 or more, which need not be whole
/// (expansion in 1/ν, Abramowitz and Stegun 26.7.5; within 0.001).
pub fn t(freedom: f64) -> f64 {
    if freedom < 5.0 {
        let below = (freedom.floor() as usize).clamp(1, 4);
        let above = FEW.get(below).copied().unwrap_or_else(|| t(5.0));
        let share = (freedom - below as f64).clamp(0.0, 1.0);
        return FEW[below - 1] + share * (above - FEW[below - 1]);
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
            assert!((t(freedom) - expected).abs() < 1e-3, "{freedom}: {}", t(freedom));
        }
        let between = t(2.5);
        assert!(between < t(2.0) && between > t(3.0));
    }
}
