//! Corrections of p-values for many tests.

/// A correction of the p-values of a family of tests.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Serialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Adjustment {
    /// None.
    #[default]
    None,
    /// Holm 1979: the chance of any false alarm is at most the level.
    Holm,
    /// Benjamini and Hochberg 1995: the expected share of false alarms among alarms is at most the
    /// level.
    Bh,
}

impl Adjustment {
    /// Adjusted p-values, in the order of `p`. As R's `p.adjust`.
    pub fn adjusted(self, p: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let count = p.len() as f64;
        let mut adjusted = p.to_vec();
        match self {
            Self::None => {}
            Self::Holm => {
                let mut largest = 0.0_f64;
                for (rank, &at) in order.iter().enumerate() {
                    largest = largest.max((count - rank as f64) * p[at]).min(1.0);
                    adjusted[at] = largest;
                }
            }
            Self::Bh => {
                let mut least = 1.0_f64;
                for (rank, &at) in order.iter().enumerate().rev() {
                    least = least.min(count / (rank as f64 + 1.0) * p[at]);
                    adjusted[at] = least;
                }
            }
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_values_are_those_of_r() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.6];
        let close = |found: Vec<f64>, expected: [f64; 5]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        // p.adjust(p, "holm") and p.adjust(p, "BH"), R 4.2.2.
        close(Adjustment::Holm.adjusted(&p), [0.04, 0.09, 0.09, 0.025, 0.6]);
        close(Adjustment::Bh.adjusted(&p), [0.025, 0.05, 0.05, 0.025, 0.6]);
        close(Adjustment::None.adjusted(&p), p);
    }
}
