//! Differences between topics' top words: topic diversity and inverted rank-biased overlap.

use ndarray::Array2;

use super::top_words::top_words_of_topics;
use crate::metric::better::Better;
use crate::metric::definition::{Aspect, MetricDef, Scope, Tag, ValueRange, metric_def};

metric_def! {
    /// number of different words among all topics' top 25, over 25·K
    pub const TOPIC_DIVERSITY {
        id: "topic_diversity",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0).called("1/K to 1"),
        source: "Dieng et al. 2020",
        tags: &[],
    }
}
metric_def! {
    /// distinct words in the top 10: number of different words among all topics' top 10, over 10·K
    pub const TOPIC_DIVERSITY_10 {
        id: "topic_diversity_10",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0).called("1/K to 1"),
        source: "OCTIS's `TopicDiversity`",
        tags: &[],
    }
}
metric_def! {
    /// 1 − mean rank-biased overlap (p = 0.9) of the top 10 words of every two topics
    pub const INVERTED_RBO {
        id: "inverted_rbo",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 1.0),
        source: "Bianchi et al. 2021; OCTIS",
        tags: &[Tag::Sweep, Tag::RecommendsK(Aspect::Distinctness)],
    }
}

/// Topic diversity by its usual numbers of top words, each with a name of its own: 25 in Dieng et
/// al. 2020, 10 in OCTIS and tables made with it.
pub const DIVERSITIES: [(&MetricDef, usize); 2] =
    [(&TOPIC_DIVERSITY, 25), (&TOPIC_DIVERSITY_10, 10)];
/// Number of top words that [`inverted_rank_biased_overlap`] compares, as in OCTIS.
const OVERLAP_WORDS: usize = 10;
/// The weight of each rank relative to the one before it, as in OCTIS.
const PERSISTENCE: f64 = 0.9;

/// The number of different words among the `words` most probable of all topics, over `words`·K. 1
/// when no two topics share a word, 1/K when all have the same words. Topics with fewer words of
/// positive probability lower it. B is W × K.
///
/// # Source
/// Dieng, Ruiz, Blei 2020, "Topic modeling in embedding spaces", with 25 words.
pub fn topic_diversity(topics: &Array2<f64>, words: usize) -> f64 {
    diversity_of_lists(&top_words_of_topics(topics, words), words)
}

/// [`topic_diversity`] of topics given as ordered lists of words.
pub fn diversity_of_lists(lists: &[Vec<usize>], words: usize) -> f64 {
    let mut all: Vec<usize> =
        lists.iter().flat_map(|list| list.iter().take(words)).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.len() as f64 / (words * lists.len()).max(1) as f64
}

/// 1 − the mean rank-biased overlap of the ten top words of every two topics. 1 when no two topics
/// share a word, 0 when all list the same words in the same order, and 0 for one topic. B is W × K.
///
/// The overlap is the extrapolated RBO_ext = x_k/k·pᵏ + (1 − p)/p·Σ_d x_d/d·pᵈ with p = 0.9. x_d is
/// the number of words that both lists have among their first d, and k = 10 (fewer where a topic
/// has fewer words).
///
/// # Source
/// Webber, Moffat, Zobel 2010, "A similarity measure for indefinite rankings", RBO_ext. OCTIS
/// applies it to topics.
pub fn inverted_rank_biased_overlap(topics: &Array2<f64>) -> f64 {
    let lists = top_words_of_topics(topics, OVERLAP_WORDS);
    let (mut sum, mut pairs) = (0.0, 0u32);
    for (at, first) in lists.iter().enumerate() {
        for second in &lists[at + 1..] {
            sum += rank_biased_overlap(first, second);
            pairs += 1;
        }
    }
    if pairs == 0 { 0.0 } else { 1.0 - sum / f64::from(pairs) }
}

fn rank_biased_overlap(first: &[usize], second: &[usize]) -> f64 {
    let depth = first.len().min(second.len());
    let mut shared = 0;
    let (mut sum, mut power, mut agreement) = (0.0, 1.0, 0.0);
    for d in 0..depth {
        shared += usize::from(second[..=d].contains(&first[d]));
        shared += usize::from(first[..d].contains(&second[d]));
        power *= PERSISTENCE;
        agreement = shared as f64 / (d + 1) as f64;
        sum += agreement * power;
    }
    agreement * power + (1.0 - PERSISTENCE) / PERSISTENCE * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn different_words_are_counted_once() {
        let topics = array![[0.5, 0.5, 0.0], [0.3, 0.2, 0.0], [0.2, 0.0, 0.4], [0.0, 0.3, 0.6]];
        // Two top words each: {0, 1}, {0, 3}, {3, 2}.
        assert_eq!(topic_diversity(&topics, 2), 4.0 / 6.0);
        assert_eq!(topic_diversity(&Array2::eye(4), 1), 1.0);
    }

    #[test]
    fn equal_lists_overlap_fully_and_disjoint_ones_not_at_all() {
        let twice = array![[0.6, 0.6], [0.3, 0.3], [0.1, 0.1]];
        assert!(inverted_rank_biased_overlap(&twice).abs() < 1e-15);
        assert_eq!(inverted_rank_biased_overlap(&Array2::eye(3)), 1.0);
    }

    /// The formula with sets, as printed.
    fn naive(first: &[usize], second: &[usize]) -> f64 {
        let k = first.len();
        let shared = |d: usize| {
            let a: BTreeSet<_> = first[..d].iter().collect();
            second[..d].iter().filter(|word| a.contains(word)).count() as f64
        };
        let p: f64 = 0.9;
        let sum: f64 = (1..=k).map(|d| shared(d) / d as f64 * p.powi(d as i32)).sum();
        shared(k) / k as f64 * p.powi(k as i32) + (1.0 - p) / p * sum
    }

    proptest! {
        #[test]
        fn overlap_is_that_of_the_formula_with_sets(
            first in Just((0..14usize).collect::<Vec<_>>()).prop_shuffle(),
            second in Just((0..14usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let (first, second) = (&first[..10], &second[..10]);
            let found = rank_biased_overlap(first, second);
            prop_assert!((found - naive(first, second)).abs() < 1e-14);
            prop_assert!((0.0..=1.0 + 1e-14).contains(&found));
        }
    }
}
