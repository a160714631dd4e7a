//! Specificity, dissimilarity, dominancy and legality of topics.

use ndarray::{Array1, Array2};

use super::top_words::top_words_of_topics;
use crate::metric::better::Better;
use crate::metric::definition::{Scope, Tag, ValueRange, metric_def};

metric_def! {
    /// KL(B_k ‖ p) in nats: how far a topic is from the whole corpus
    pub const SPECIFICITY {
        id: "specificity",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::from(0.0),
        source: "Lee et al. 2021, §5",
        tags: &[Tag::Summary, Tag::Sweep, Tag::TopicList],
    }
}
metric_def! {
    /// how many of a topic's top 20 words are among no other topic's top 20
    pub const DISSIMILARITY {
        id: "dissimilarity",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 20.0),
        source: "Lee et al. 2021, §5",
        tags: &[Tag::Summary],
    }
}
metric_def! {
    /// (1/K) Σ_k A_kk / ‖A‖_F: how much topics keep to themselves; small means correlated topics
    /// were learnt
    pub const RELATIVE_DOMINANCY {
        id: "relative_dominancy",
        scope: Scope::Run,
        better: Some(Better::Smaller),
        range: ValueRange::between(0.0, 1.0).called("0 to 1/√K"),
        source: "Lee et al. 2021, §5",
        tags: &[],
    }
}
metric_def! {
    /// Σ_kl A_kl, 1 for a joint distribution
    pub const LEGALITY {
        id: "legality",
        scope: Scope::Run,
        better: Some(Better::NearOne),
        range: ValueRange::REAL,
        source: "JSMF's `distributionLegality`",
        tags: &[],
    }
}

/// Number of top words that dissimilarity compares (Lee et al. 2021, §5, as in Lee et al. 2015).
const DISSIMILARITY_WORDS: usize = 20;

/// KL(B_k ‖ p) in nats for every topic k, the divergence from the corpus as a whole: p are the word
/// probabilities C·e. B is W × K. Larger is more specific.
///
/// # Source
/// Lee et al. 2021, §5. The authors' code takes the logarithm to base 2, which gives values 1.44
/// times as large.
pub fn specificity(topics: &Array2<f64>, word_probabilities: &Array1<f64>) -> Vec<f64> {
    let mut divergences = vec![0.0; topics.ncols()];
    for (row, &p) in topics.rows().into_iter().zip(word_probabilities) {
        for (divergence, &b) in divergences.iter_mut().zip(row) {
            *divergence += if b > 0.0 { b * (b / p).ln() } else { 0.0 };
        }
    }
    divergences
}

/// For every topic, the number of its 20 most probable words that are in no other topic's 20.
///
/// # Source
/// Lee et al. 2021, §5.
pub fn dissimilarity(topics: &Array2<f64>) -> Vec<f64> {
    let top = top_words_of_topics(topics, DISSIMILARITY_WORDS);
    let mut seen = vec![0u32; topics.nrows()];
    top.iter().flatten().for_each(|&word| seen[word] += 1);
    top.iter().map(|words| words.iter().filter(|&&word| seen[word] == 1).count() as f64).collect()
}

/// (1/K) Σ_k A_kk / ‖A‖_F. Smaller values mean more correlated topics.
///
/// # Source
/// Lee et al. 2021, §5.
pub fn relative_dominancy(correlations: &Array2<f64>) -> f64 {
    let norm = correlations.iter().map(|a| a * a).sum::<f64>().sqrt();
    correlations.diag().mean().unwrap_or(0.0) / norm
}

/// Σ_kl A_kl, which is 1 for a joint distribution of two topics.
///
/// # Source
/// The authors' code, `distributionLegality`.
pub fn legality(correlations: &Array2<f64>) -> f64 {
    correlations.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_topic_equal_to_the_corpus_has_no_specificity_and_one_word_of_a_quarter_has_log_4() {
        let topics = array![[0.25, 1.0], [0.25, 0.0], [0.5, 0.0]];
        let found = specificity(&topics, &array![0.25, 0.25, 0.5]);
        assert_eq!(found, [0.0, 4.0f64.ln()]);
    }

    #[test]
    fn shared_top_words_do_not_count() {
        let topics = array![[0.5, 0.5, 0.0], [0.5, 0.2, 0.0], [0.0, 0.3, 0.4], [0.0, 0.0, 0.6]];
        assert_eq!(dissimilarity(&topics), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn dominancy_and_legality_of_a_diagonal() {
        let a = array![[0.5, 0.0], [0.0, 0.5]];
        assert!((relative_dominancy(&a) - 0.5 / 0.5f64.sqrt()).abs() < 1e-15);
        assert_eq!(legality(&a), 1.0);
    }
}
