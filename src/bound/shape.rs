//! Two summaries of a spectrum that know no threshold of their own.

/// Where a spectrum falls the most, on a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Eigengap {
    /// The number of values before the gap.
    pub after: usize,
    /// The value before the gap over the one after it, above 1.
    pub ratio: f64,
}

/// The largest ratio σ_i/σ_{i+1} among the `counted` first values and the one after them, the
/// first of equals. σ₁ mostly says how far the mean is from 0, so it is passed over where there
/// is more than one. `None` where no two positive values are left.
///
/// `values` are largest first.
pub fn eigengap(values: &[f64], counted: usize) -> Option<Eigengap> {
    let first = usize::from(counted > 1);
    let pairs = values.windows(2).enumerate().take(counted).skip(first);
    let mut best: Option<Eigengap> = None;
    for (at, pair) in pairs.filter(|(_, pair)| pair[1] > 0.0) {
        let ratio = pair[0] / pair[1];
        if best.is_none_or(|gap| ratio > gap.ratio) {
            best = Some(Eigengap { after: at + 1, ratio });
        }
    }
    best
}

/// (Σσ)²/Σσ²: how many equal values would be as spread out, between 1 and their number. `None`
/// for none.
pub fn participation_ratio(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|value| value * value).sum();
    (squares > 0.0).then(|| sum * sum / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_the_largest_ratio_and_the_first_value_is_passed_over() {
        let values = [100.0, 8.0, 6.0, 5.0, 0.5, 0.4];
        assert_eq!(eigengap(&values, 4), Some(Eigengap { after: 4, ratio: 10.0 }));
        assert_eq!(eigengap(&values, 1), Some(Eigengap { after: 1, ratio: 12.5 }));
        assert_eq!(eigengap(&values, 0), None);
        assert_eq!(eigengap(&[3.0], 1), None);
        assert_eq!(eigengap(&[3.0, 2.0, -1.0], 2), None);
    }

    #[test]
    fn equal_values_participate_all_and_one_large_value_alone() {
        assert_eq!(participation_ratio(&[2.0; 7]), Some(7.0));
        assert!((participation_ratio(&[1e9, 1.0]).expect("values") - 1.0).abs() < 1e-8);
        assert_eq!(participation_ratio(&[]), None);
    }
}
