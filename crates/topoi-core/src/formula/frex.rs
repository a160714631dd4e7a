//! FREX: the harmonic mean of a word's frequency in a topic and its exclusivity to it.

/// 1 / (w/E + (1 − w)/F), with F and E from 0 to 1. F is the share of words that are at most as
/// frequent in the topic, E the share that are at most as exclusive to it. `weight` w, from 0 to 1,
/// is the weight of exclusivity. The result is 0 where a share with positive weight is 0.
///
/// # Source
/// Bischof and Airoldi 2012, "Summarizing topical content with word frequency and exclusivity",
/// section 2.
pub fn frex(frequency: f64, exclusivity: f64, weight: f64) -> f64 {
    let part = |weight: f64, share: f64| if weight == 0.0 { 0.0 } else { weight / share };
    1.0 / (part(weight, exclusivity) + part(1.0 - weight, frequency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frex_by_hand() {
        assert_eq!(frex(0.5, 1.0, 0.5), 1.0 / 1.5);
        assert_eq!((frex(0.25, 0.75, 0.0), frex(0.25, 0.75, 1.0)), (0.25, 0.75));
        assert_eq!(
            (frex(0.0, 1.0, 0.5), frex(0.0, 0.0, 0.3), frex(0.0, 0.5, 1.0)),
            (0.0, 0.0, 0.5)
        );
        assert!(frex(0.9, 0.2, 0.7) < frex(0.2, 0.9, 0.7));
    }
}
