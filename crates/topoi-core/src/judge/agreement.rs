//! Agreement between judges.

/// The scale of values, which defines their distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Values are equal or different.
    Nominal,
    /// The distance is the number of values between them.
    Ordinal,
}

/// Krippendorff's α of `units`. Each unit contains the values, below `values`, that different
/// judges gave it. 1 is full agreement, 0 agreement by chance, below 0 less than by chance. `None`
/// where no unit has two values, or all values are equal.
///
/// α = 1 − (n − 1) Σ_cd o_cd δ²_cd / Σ_cd n_c n_d δ²_cd. o_cd = Σ_u (ordered pairs of c and d in
/// unit u) / (m_u − 1), with m_u ≥ 2 the number of values of unit u; n_c = Σ_d o_cd, n = Σ_c n_c.
/// Nominal δ² is 1 for c ≠ d; ordinal δ_cd = Σ_{g = c..d} n_g − (n_c + n_d) / 2.
///
/// # Source
/// Krippendorff 2011, "Computing Krippendorff's alpha-reliability".
///
/// # Panics
/// When a value is not below `values`.
pub fn krippendorff_alpha(units: &[Vec<usize>], values: usize, scale: Scale) -> Option<f64> {
    let mut coincidences = vec![vec![0.0; values]; values];
    for unit in units.iter().filter(|unit| unit.len() > 1) {
        let mut counts = vec![0.0; values];
        unit.iter().for_each(|&value| counts[value] += 1.0);
        for (one, row) in coincidences.iter_mut().enumerate() {
            for (other, cell) in row.iter_mut().enumerate() {
                let itself = if one == other { 1.0 } else { 0.0 };
                *cell += counts[one] * (counts[other] - itself) / (unit.len() - 1) as f64;
            }
        }
    }
    let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let all: f64 = totals.iter().sum();
    let square = |one: usize, other: usize| -> f64 {
        let (low, high) = (one.min(other), one.max(other));
        match scale {
            _ if low == high => 0.0,
            Scale::Nominal => 1.0,
            Scale::Ordinal => {
                let between: f64 = totals[low..=high].iter().sum();
                (between - (totals[low] + totals[high]) / 2.0).powi(2)
            }
        }
    };
    let (mut observed, mut expected) = (0.0, 0.0);
    for one in 0..values {
        for other in 0..values {
            observed += coincidences[one][other] * square(one, other);
            expected += totals[one] * totals[other] * square(one, other);
        }
    }
    (expected > 0.0).then(|| 1.0 - (all - 1.0) * observed / expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Krippendorff 2011, example C: twelve units by four observers, 9 where there is no value.
    const EXAMPLE: [[usize; 12]; 4] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 9, 9, 9],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 9, 3],
        [9, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 9],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 9],
    ];

    fn example() -> Vec<Vec<usize>> {
        let unit = |at: usize| {
            let values = EXAMPLE.iter().map(|row| row[at]).filter(|&value| value != 9);
            values.map(|value| value - 1).collect()
        };
        (0..12).map(unit).collect()
    }

    #[test]
    fn it_is_that_of_the_published_example() {
        let nominal = krippendorff_alpha(&example(), 5, Scale::Nominal).expect("a value");
        assert!((nominal - 0.743).abs() < 5e-4, "{nominal}");
        let ordinal = krippendorff_alpha(&example(), 5, Scale::Ordinal).expect("a value");
        assert!((ordinal - 0.815).abs() < 5e-4, "{ordinal}");
    }

    #[test]
    fn full_agreement_is_one_and_what_cannot_be_told_is_none() {
        assert_eq!(krippendorff_alpha(&[vec![0, 0], vec![2, 2, 2]], 3, Scale::Nominal), Some(1.0));
        assert_eq!(
            krippendorff_alpha(&[vec![1, 1], vec![1, 1]], 3, Scale::Ordinal),
            None,
            "one value"
        );
        assert_eq!(
            krippendorff_alpha(&[vec![0], vec![1], Vec::new()], 3, Scale::Nominal),
            None,
            "no pairs"
        );
        assert_eq!(krippendorff_alpha(&[], 3, Scale::Nominal), None);
        let less =
            krippendorff_alpha(&[vec![0, 1], vec![1, 0]], 2, Scale::Nominal).expect("a value");
        assert!(less < 0.0, "{less}");
    }

    /// The definition implemented literally: the mean disagreement of all pairs within units over
    /// that of all possible pairs of values.
    fn naive(units: &[Vec<usize>], scale: Scale) -> Option<f64> {
        let units: Vec<&Vec<usize>> = units.iter().filter(|unit| unit.len() > 1).collect();
        let pool: Vec<usize> = units.iter().flat_map(|unit| unit.iter().copied()).collect();
        let apart = |a: usize, b: usize| match scale {
            Scale::Nominal => f64::from(u8::from(a != b)),
            Scale::Ordinal if a == b => 0.0,
            Scale::Ordinal => {
                let (low, high) = (a.min(b), a.max(b));
                let weight = |value: usize| match value {
                    value if value == low || value == high => 0.5,
                    value if low < value && value < high => 1.0,
                    _ => 0.0,
                };
                pool.iter().map(|&value| weight(value)).sum::<f64>().powi(2)
            }
        };
        let pairs = |values: &[usize]| {
            let mut sum = 0.0;
            for (at, &a) in values.iter().enumerate() {
                for (other, &b) in values.iter().enumerate() {
                    sum += if at == other { 0.0 } else { apart(a, b) };
                }
            }
            sum
        };
        let within = units.iter().map(|unit| pairs(unit) / (unit.len() - 1) as f64).sum::<f64>();
        let observed = within / pool.len() as f64;
        let expected = pairs(&pool) / (pool.len() as f64 * (pool.len() as f64 - 1.0));
        (expected > 0.0).then(|| 1.0 - observed / expected)
    }

    proptest! {
        #[test]
        fn it_is_what_its_definition_says(
            units in prop::collection::vec(prop::collection::vec(0..4usize, 0..5), 0..8),
        ) {
            for scale in [Scale::Nominal, Scale::Ordinal] {
                match (krippendorff_alpha(&units, 4, scale), naive(&units, scale)) {
                    (Some(fast), Some(slow)) => prop_assert!((fast - slow).abs() < 1e-9),
                    (fast, slow) => prop_assert_eq!(fast.is_some(), slow.is_some()),
                }
            }
        }
    }
}
