//! FREX: words that are both frequent in a topic and exclusive to it.
//!
//! The harmonic mean of two ranks within the topic: that of φ_kw (frequency F) and that of p(k | w)
//! ∝ φ_kw with equal topics (exclusivity E). Both are shares of the W words; tied words have the
//! mean of their ranks. R's stm uses it twice, with the weight on opposite sides:
//!
//! - `calcfrex` ranks words: 1/(w/F + (1 − w)/E), w = 0.5 on *frequency*, with p(k | w) shrunk
//!   towards 1/K for rare words: [`frex`];
//! - `exclusivity` scores topics: Σ over the 10 most probable words of 1/(w/E + (1 − w)/F),
//!   w = 0.7 on *exclusivity*, without shrinkage: [`exclusivity_stm`].
//!
//! Source: Bischof and Airoldi 2012, "Summarizing topical content with word frequency and
//! exclusivity"; Roberts et al. 2014; the stm package for R; Hausser and Strimmer 2009 for the
//! shrinkage.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::top_words::top_words;
use crate::formula::frex::frex as frex_of_shares;
use crate::metric::better::Better;
use crate::metric::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// Σ over the top 10 words of 1/(0.7/E + 0.3/F), E and F the ranks (as shares) of the word's
    /// exclusivity and frequency within the topic
    pub const FREX {
        id: "frex",
        scope: Scope::Topics,
        better: Some(Better::Larger),
        range: ValueRange::between(0.0, 10.0),
        source: "stm's `exclusivity`; Bischof and Airoldi 2012",
        tags: &[],
    }
}

/// Weight of frequency in `calcfrex`.
const FREQUENCY_WEIGHT: f64 = 0.5;
/// Weight of exclusivity in `exclusivity`.
const EXCLUSIVITY_WEIGHT: f64 = 0.7;
/// Top words of a topic in `exclusivity`.
const EXCLUSIVITY_WORDS: usize = 10;

/// W × K scores in (0, 1] for ranking a topic's words, as stm's `calcfrex` with word counts. Larger
/// values mean more frequent in the topic and more exclusive to it. B is W × K; `counts` are the W
/// words' tokens in the corpus. O(K·W log W).
///
/// # Panics
/// When `counts` does not have W entries.
pub fn frex(topics: &Array2<f64>, counts: &[u64]) -> Array2<f64> {
    assert_eq!(topics.nrows(), counts.len(), "a count for every word");
    let mut shares = topics_of_words(topics);
    for (mut row, &count) in shares.axis_iter_mut(Axis(0)).zip(counts) {
        let shrunk = shrink(row.view(), count);
        row.assign(&shrunk);
    }
    let words = topics.nrows() as f64;
    let mut scores = Array2::zeros(topics.dim());
    for (topic, mut column) in scores.columns_mut().into_iter().enumerate() {
        let by_frequency = ranks(topics.column(topic));
        let by_share = ranks(shares.column(topic));
        for ((score, frequency), share) in column.iter_mut().zip(by_frequency).zip(by_share) {
            *score = frex_of_shares(frequency / words, share / words, 1.0 - FREQUENCY_WEIGHT);
        }
    }
    scores
}

/// A score in (0, 10] for every topic, as stm's `exclusivity`: the sum of FREX over its ten most
/// probable words, with a weight of 0.7 on exclusivity. B is W × K. O(K·W).
pub fn exclusivity_stm(topics: &Array2<f64>) -> Vec<f64> {
    let words = topics.nrows() as f64;
    let sums: Vec<f64> = topics.rows().into_iter().map(|row| row.sum()).collect();
    let score = |topic| {
        let column = topics.column(topic);
        let frequencies = column.to_vec();
        let both = frequencies.iter().zip(&sums);
        let shares: Vec<f64> = both.map(|(&own, &sum)| share(own, sum, topics.ncols())).collect();
        let of_word = |word| {
            let (frequency, share) = (rank(&frequencies, word), rank(&shares, word));
            frex_of_shares(frequency / words, share / words, EXCLUSIVITY_WEIGHT)
        };
        top_words(column, EXCLUSIVITY_WORDS).into_iter().map(of_word).sum()
    };
    (0..topics.ncols()).into_par_iter().map(score).collect()
}

/// φ_kw / Σ_j φ_jw.
fn topics_of_words(topics: &Array2<f64>) -> Array2<f64> {
    let mut shares = topics.to_owned();
    for mut row in shares.axis_iter_mut(Axis(0)) {
        let sum = row.sum();
        row.mapv_inplace(|own| share(own, sum, topics.ncols()));
    }
    shares
}

/// A topic's share of a word whose sum over topics is `sum`; 1/K for a word that no topic has.
fn share(own: f64, sum: f64, topics: usize) -> f64 {
    if sum > 0.0 { own / sum } else { 1.0 / topics as f64 }
}

/// James–Stein shrinkage of the shares of a word seen `count` times towards 1/K: by the ratio of
/// their sampling error to their squared distance from it.
fn shrink(shares: ArrayView1<'_, f64>, count: u64) -> Array1<f64> {
    let uniform = 1.0 / shares.len() as f64;
    if count <= 1 {
        return Array1::from_elem(shares.len(), uniform);
    }
    let error = shares.iter().map(|p| p * (1.0 - p)).sum::<f64>() / (count - 1) as f64;
    let distance: f64 = shares.iter().map(|p| (p - uniform).powi(2)).sum();
    if distance == 0.0 {
        return shares.to_owned();
    }
    let share = (error / distance).clamp(0.0, 1.0);
    shares.mapv(|p| share * uniform + (1.0 - share) * p)
}

/// Ranks from 1 for the smallest value; equal values share their mean rank.
fn ranks(values: ArrayView1<'_, f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = start as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&at| ranks[at] = mean);
        start += tied.len();
    }
    ranks
}

/// The rank of value number `at`, as in [`ranks`].
fn rank(values: &[f64], at: usize) -> f64 {
    let own = values[at];
    let below = values.iter().filter(|&&value| value < own).count();
    let equal = values.iter().filter(|&&value| value == own).count();
    below as f64 + (equal + 1) as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    /// Rank by counting: the values below, and half of the equal ones.
    fn naive_rank(values: &[f64], at: usize) -> f64 {
        let below = values.iter().filter(|&&x| x < values[at]).count() as f64;
        let equal = values.iter().filter(|&&x| x == values[at]).count() as f64;
        below + (equal + 1.0) / 2.0
    }

    proptest! {
        #[test]
        fn ranks_are_those_of_counting(values in prop::collection::vec(0u8..6, 1..30)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let found = ranks(Array1::from(values.clone()).view());
            for (at, rank) in found.into_iter().enumerate() {
                prop_assert_eq!(rank, naive_rank(&values, at));
                prop_assert_eq!(rank, super::rank(&values, at));
            }
        }

        #[test]
        fn scores_of_topics_are_those_of_the_definition(
            values in prop::collection::vec(0.01f64..1.0, 36),
        ) {
            let topics = Array2::from_shape_vec((12, 3), values).expect("shape");
            for (topic, found) in exclusivity_stm(&topics).into_iter().enumerate() {
                let column = topics.column(topic).to_vec();
                let shares: Vec<f64> =
                    (0..12).map(|w| topics[(w, topic)] / topics.row(w).sum()).collect();
                let mut order: Vec<usize> = (0..12).collect();
                order.sort_by(|&a, &b| column[b].total_cmp(&column[a]));
                let expected: f64 = order[..10]
                    .iter()
                    .map(|&word| {
                        let e = naive_rank(&shares, word) / 12.0;
                        let f = naive_rank(&column, word) / 12.0;
                        1.0 / (0.7 / e + 0.3 / f)
                    })
                    .sum();
                prop_assert!((found - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn frex_prefers_the_exclusive_of_two_frequent_words_and_distrusts_rare_ones() {
        // Word 0 is frequent and shared, word 1 frequent and exclusive, word 2 rare and exclusive.
        let topics = array![[0.45, 0.45], [0.44, 0.01], [0.01, 0.0], [0.1, 0.54]];
        let scores = frex(&topics, &[1000, 1000, 1, 1000]);
        assert!(scores[(1, 0)] > scores[(0, 0)]);
        // By hand: F = 4/4, 3/4, 1/4, 2/4; shrunk shares 0.5, 0.977…, 0.5, 0.157….
        let expected = [1.0 / (0.5 + 0.5 / 0.625), 1.0 / (0.5 / 0.75 + 0.5)];
        assert!((scores[(0, 0)] - expected[0]).abs() < 1e-15);
        assert!((scores[(1, 0)] - expected[1]).abs() < 1e-15);
    }

    #[test]
    fn shrinkage_by_hand() {
        // Error Σp(1 − p)/(n − 1) = 0.375/5, distance 2·0.25²: share 0.6 of the way to 1/2.
        let found = shrink(array![0.25, 0.75].view(), 6);
        assert!((found[0] - 0.4).abs() < 1e-15 && (found[1] - 0.6).abs() < 1e-15, "{found}");
        assert_eq!(shrink(array![0.0, 1.0].view(), 1), array![0.5, 0.5]);
        assert_eq!(shrink(array![0.25, 0.75].view(), 2), array![0.5, 0.5]);
    }
}
