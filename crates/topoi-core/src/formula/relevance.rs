//! Relevance: how well a word describes a topic, between its probability and its lift.

/// λ ln p + (1 − λ) ln(p / marginal), with p = p(word | topic) and marginal = p(word). λ = 1 ranks
/// words by probability, λ = 0 by lift; in Sievert and Shirley's study people read λ = 0.6 best.
/// `None` where p or marginal is not above 0, because the logarithm is not defined.
///
/// # Source
/// Sievert and Shirley 2014, "LDAvis: A method for visualizing and interpreting topics",
/// definition 1.
pub fn relevance(p: f64, marginal: f64, lambda: f64) -> Option<f64> {
    let is_defined = p > 0.0 && marginal > 0.0;
    is_defined.then(|| lambda * p.ln() + (1.0 - lambda) * (p / marginal).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_goes_from_the_logarithm_of_lift_to_that_of_probability() {
        assert_eq!(relevance(0.25, 0.5, 1.0), Some(0.25_f64.ln()));
        assert_eq!(relevance(0.25, 0.5, 0.0), Some(0.5_f64.ln()));
        // By hand: ½ ln ¼ + ½ ln ½ = −1.5 ln 2.
        let half = relevance(0.25, 0.5, 0.5).expect("defined");
        assert!((half + 1.5 * std::f64::consts::LN_2).abs() < 1e-15);
        assert_eq!((relevance(0.0, 0.5, 0.5), relevance(0.5, 0.0, 0.5)), (None, None));
        assert_eq!(relevance(f64::NAN, 0.5, 0.5), None);
    }
}
