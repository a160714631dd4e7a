//! The direction in which a metric is better.

/// Which values of a metric are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Larger values are better.
    Larger,
    /// Smaller values are better.
    Smaller,
    /// Values near 1 are better.
    NearOne,
}

/// Relative difference up to which values are equal. Sums in another order differ by more than
/// their last digits.
const RELATIVE_TOLERANCE: f64 = 1e-9;

impl Better {
    /// An arrow, or the value that is best.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Larger => "↑",
            Self::Smaller => "↓",
            Self::NearOne => "1",
        }
    }

    /// A number that is larger for better values.
    pub fn merit(self, value: f64) -> f64 {
        match self {
            Self::Larger => value,
            Self::Smaller => -value,
            Self::NearOne => -(value - 1.0).abs(),
        }
    }

    /// Whether `value` is better than `other` by more than rounding.
    pub fn prefers(self, value: f64, other: f64) -> bool {
        let is_alike = (value - other).abs() <= RELATIVE_TOLERANCE * value.abs().max(other.abs());
        !is_alike && self.merit(value) > self.merit(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_go_the_way_of_their_measure() {
        assert_eq!(Better::for_metric("npmi@gensim"), Some(Better::Larger));
        assert_eq!(Better::for_metric("documents_used"), None);
        assert_eq!(Better::for_metric("of_a_later_version"), None);
        assert!(Better::NearOne.merit(1.1) > Better::NearOne.merit(0.8));
    }

    #[test]
    fn rounding_makes_nothing_better() {
        let sum = (0.1 + 0.2) + 0.3;
        for way in [Better::Larger, Better::Smaller, Better::NearOne] {
            assert!(!way.prefers(sum, 0.1 + (0.2 + 0.3)) && !way.prefers(0.1 + (0.2 + 0.3), sum));
            assert!(!way.prefers(f64::NAN, 1.0) && !way.prefers(0.0, 0.0));
        }
        assert!(Better::Larger.prefers(-1.0, -1.000001) && Better::Smaller.prefers(0.0, 1e-300));
    }
}
