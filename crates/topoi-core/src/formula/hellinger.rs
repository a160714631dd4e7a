//! The Hellinger distance between two distributions.

/// √(1 − Σ √(pᵢ qᵢ)): 0 for equal distributions, 1 for distributions without common support.
///
/// # Source
/// Hellinger 1909; as a distance between documents' topics, Blei and Lafferty 2009, "Topic models",
/// section 4.
pub fn hellinger(p: &[f64], q: &[f64]) -> f64 {
    from_affinity(p.iter().zip(q).map(|(p, q)| (p * q).sqrt()).sum())
}

/// The Hellinger distance from the affinity Σ √(pᵢ qᵢ); 0 where rounding makes that larger than 1.
pub fn from_affinity(affinity: f64) -> f64 {
    (1.0 - affinity).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_coins_are_as_far_apart_as_their_square_roots() {
        let (p, q) = ([0.36, 0.64], [0.64, 0.36]);
        let by_roots = ((0.6f64 - 0.8).powi(2) + (0.8f64 - 0.6).powi(2)).sqrt() / 2f64.sqrt();
        assert!((hellinger(&p, &q) - by_roots).abs() < 1e-12);
        assert_eq!((hellinger(&p, &p), hellinger(&[1.0, 0.0], &[0.0, 1.0])), (0.0, 1.0));
    }
}
