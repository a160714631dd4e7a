//! The choice of the spread that a standard error is computed from.
//!
//! Topic shares are skewed: most documents have nearly nothing of a topic. A few documents near 0
//! have hardly any spread, and errors from that spread alone call chance differences significant: of
//! documents of 12 to 200 tokens, 10% of groups of 3, 14% of 5, 13% of 10 and 9% of 20, with
//! Satterthwaite's degrees of freedom. With the spread of all documents it is 4 to 6% at every size.
//! `effects/tests/small_groups.rs` checks that the rule here stays below 7%.

/// Effective number of documents (or clusters) up to which an estimate has no error, interval or p.
/// A single document never has one.
pub const TOO_FEW_DOCUMENTS: f64 = 1.5;
/// Effective number of documents (or clusters) below which an estimate uses the pooled spread.
pub const ENOUGH_DOCUMENTS: f64 = 100.0;
/// Standard deviations of a variance by which an estimate's own variance has to be above the pooled
/// one to be used instead.
const BEYOND_CHANCE: f64 = 3.0;

/// The spread that a standard error is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SpreadSource {
    /// That of the estimate's own documents (heteroscedasticity-robust) or clusters (cluster-robust).
    Own,
    /// That of all documents, assumed equal everywhere.
    Pooled,
}

impl SpreadSource {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Whether the variance of an estimate by its own spread is larger than the pooled one by more than
/// chance: by three standard deviations of a normal sample's variance. Then its documents differ from
/// the others in their spread, and the pooled one would be too small.
pub fn is_beyond_chance(own: f64, pooled: f64, rests_on: f64) -> bool {
    own > pooled * (1.0 + BEYOND_CHANCE * (2.0 / (rests_on - 1.0).max(f64::MIN_POSITIVE)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_variance_counts_beyond_what_few_documents_have_by_chance() {
        assert!(!is_beyond_chance(5.0, 1.0, 2.0) && is_beyond_chance(5.3, 1.0, 2.0));
        assert!(!is_beyond_chance(1.6, 1.0, 40.0) && is_beyond_chance(1.7, 1.0, 40.0));
        assert!(is_beyond_chance(0.1, 0.0, 40.0) && !is_beyond_chance(0.0, 0.0, 40.0));
    }
}
