//! Exclusivity: a topic's share of its top words.

use ndarray::{Array1, Array2};

use super::top_words::top_words_of_topics;
use crate::metric::better::Better;
use crate::metric::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// mean over the top 20 words of B_wk / Σ_j B_wj
    pub const EXCLUSIVITY {
        id: "exclusivity",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0).called("1/K to 1"),
        source: "MALLET's diagnostics",
        tags: &[],
    }
}

/// Number of top words per topic; MALLET's default.
const EXCLUSIVITY_WORDS: usize = 20;

/// For every topic k, the mean over its 20 most probable words w of φ_kw / Σ_j φ_jw, between about
/// 1/K and 1. B (φᵀ) is W × K. Topics have equal weight, whatever their share of the corpus. 0 for
/// a topic without words.
///
/// # Source
/// MALLET 2, topic diagnostics, "exclusivity".
pub fn exclusivity(topics: &Array2<f64>) -> Vec<f64> {
    let sums: Array1<f64> = topics.rows().into_iter().map(|row| row.sum()).collect();
    let mean = |(topic, words): (usize, &Vec<usize>)| {
        let shares = words.iter().map(|&word| topics[(word, topic)] / sums[word]);
        shares.sum::<f64>() / words.len().max(1) as f64
    };
    top_words_of_topics(topics, EXCLUSIVITY_WORDS).iter().enumerate().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn shares_by_hand() {
        let topics = array![[0.5, 0.25], [0.5, 0.0], [0.0, 0.75]];
        let found = exclusivity(&topics);
        assert!((found[0] - (0.5 / 0.75 + 1.0) / 2.0).abs() < 1e-15);
        assert!((found[1] - (1.0 + 0.25 / 0.75) / 2.0).abs() < 1e-15);
    }

    #[test]
    fn only_the_twenty_most_probable_words_count() {
        // 20 words of its own, then one with nearly all of its probability in the other topic.
        let mut topics = Array2::zeros((21, 2));
        (0..20).for_each(|word| topics[(word, 0)] = 0.0495);
        (topics[(20, 0)], topics[(20, 1)]) = (0.01, 1.0);
        assert!((exclusivity(&topics)[0] - 1.0).abs() < 1e-15);
    }
}
