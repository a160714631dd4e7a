//! Which way a metric is better.

/// Which values of a metric are the better ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// The larger ones.
    Larger,
    /// The smaller ones.
    Smaller,
    /// Those near 1.
    NearOne,
}

const LARGER: &[&str] = &[
    "umass",
    "uci",
    "npmi",
    "cv",
    "specificity",
    "dissimilarity",
    "log_relative_volume",
    "topic_diversity",
    "inverted_rbo",
    "exclusivity",
    "frex",
    "stability",
    "held_out_log_probability",
    "document_completion",
    "log_likelihood",
];
const SMALLER: &[&str] = &[
    "relative_recovery",
    "relative_approximation",
    "relative_dominancy",
    "factorisation_residual",
    "rectification_change",
    "objective",
    "objective_rise",
    "kkt_gap",
    "document_topics_residual",
    "alpha_change",
    "refine_rise",
    "refine_residual",
    "mst_incoherence",
    "stability_l1",
    "kl_divergence",
    "objective_fall",
    "unstable_topics",
    "rank_one_residual",
];
const NEAR_ONE: &[&str] = &["legality"];

/// Values that differ by less than this share of the larger one are as good as each other: sums in
/// another order differ by more than their last digits.
const ALIKE: f64 = 1e-9;

impl Better {
    /// Which values of the metric `name` are better; `None` where neither are (counts, shares).
    /// A variant (`npmi@gensim`) goes the way of its measure.
    pub fn of(name: &str) -> Option<Self> {
        let measure = name.split('@').next().unwrap_or(name);
        let ways = [(LARGER, Self::Larger), (SMALLER, Self::Smaller), (NEAR_ONE, Self::NearOne)];
        ways.into_iter().find(|(names, _)| names.contains(&measure)).map(|(_, way)| way)
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
        let is_alike = (value - other).abs() <= ALIKE * value.abs().max(other.abs());
        !is_alike && self.merit(value) > self.merit(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_documentation_says() {
        let text = include_str!("../../docs/metrics.md");
        let rows =
            text.lines().filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 5);
        let mut documented = 0;
        for row in rows {
            let cells: Vec<&str> = row.split(" | ").collect();
            let ways: Vec<&str> = cells[4].split(", ").collect();
            let names = cells[0].split('`').skip(1).step_by(2);
            for (index, name) in names.enumerate() {
                let way = ways.get(index).or(ways.last()).copied();
                let expected = match way {
                    Some("↑") => Some(Better::Larger),
                    // Rises of an objective are never below 0.
                    Some("↓" | "0") => Some(Better::Smaller),
                    Some("near 1") => Some(Better::NearOne),
                    _ => None,
                };
                assert_eq!(Better::of(name), expected, "{name}");
                documented += usize::from(expected.is_some());
            }
        }
        assert_eq!(documented, LARGER.len() + SMALLER.len() + NEAR_ONE.len());
    }

    #[test]
    fn variants_go_the_way_of_their_measure() {
        assert_eq!(Better::of("npmi@gensim"), Some(Better::Larger));
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
