//! The linear estimate θ̃ of topic proportions, for means and regressions over documents.
//!
//! The posterior mean of θ, which `cvb0` finds for reading a document, is drawn towards α: by a
//! third at 12 tokens a document, and not by any factor that is known in advance, as the topics of
//! tokens are not seen. Means and regressions of it are wrong by as much, however many documents
//! there are. θ̃ is linear in the counts and unbiased given the topics: E\[x/n\] = Bθ, so that
//! E\[Ax/n\] = θ for every A with AB = I. Its error is larger for one document, and its values leave
//! \[0, 1\], which does not matter to a mean over documents.

use ndarray::{Array1, Array2};
use pulp::Arch;

use crate::linalg::dense::{product, symmetric_eigen, transposed_product};

/// Row number of a term outside the vocabulary.
const NO_ROW: u32 = u32::MAX;
/// The smallest eigenvalue of the scaled Gram matrix of topics, whose largest is 1, at which the
/// differences of topics along its eigenvector are estimated: a thousand tokens tell as much of them
/// as one whose topic is seen.
const LEAST_EIGENVALUE: f64 = 1e-3;
/// Share of a topic along eigenvectors that are left out, from which it counts as not told apart.
const NOT_TOLD_APART: f64 = 0.1;
/// Least share of a topic in the reference distribution of words, times K.
const LEAST_SHARE: f64 = 1e-3;

/// How the shares of a document are estimated.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ShareEstimate {
    /// By the linear estimate θ̃, which is unbiased given the topics.
    #[default]
    Linear,
    /// By the posterior mean θ, as runs save it, which is drawn towards the prior.
    Posterior,
}

/// The estimator A = (BᵀDB)⁻¹BᵀD with θ̃ = A x/n, for B (W × K), the word counts x of a document and
/// their sum n.
///
/// D = diag(1/p) is the inverse of the words' probabilities p = Bπ in a document with the topics'
/// mean shares π, which makes A the weighted least-squares estimate of such a document. As πᵀBᵀDB =
/// 1ᵀ, every θ̃ sums to 1.
///
/// Of topics whose words are the same only the sum can be estimated. It is divided in proportion to
/// their mean shares: the least-squares solution of least length in coordinates θ/√π.
#[derive(Debug, Clone)]
pub struct LinearProportions {
    /// The row of A's transpose for each term of the corpus; [`NO_ROW`] outside the vocabulary.
    row_of_term: Vec<u32>,
    /// Aᵀ, a row of `topics` numbers for each word.
    rows: Vec<f64>,
    topics: usize,
    token_variances: Vec<f64>,
    /// π(1 − π) by topic, the variance of a token's topic.
    seen_variances: Vec<f64>,
    /// By topic, whether its words are those of other topics.
    not_told_apart: Vec<bool>,
    condition: f64,
}

impl LinearProportions {
    /// The estimator for `topics` (W × K, columns that sum to 1) with mean shares `shares`. Word w is
    /// the term at `positions[w]` of the corpus. A topic without words has the estimate 0. Cost: K²·W.
    pub fn new(topics: &Array2<f64>, shares: &[f64], positions: &[u32]) -> Self {
        let k = topics.ncols();
        let has_words: Vec<bool> = topics.columns().into_iter().map(|b| b.sum() > 0.0).collect();
        let least = LEAST_SHARE / k.max(1) as f64;
        let mut pi: Array1<f64> = (0..k)
            .map(|topic| match has_words[topic] {
                true => shares.get(topic).map_or(least, |share| share.max(least)),
                false => 0.0,
            })
            .collect();
        pi /= pi.sum().max(f64::MIN_POSITIVE);
        let p = topics.dot(&pi);
        // N = √π BᵀDB √π has 1 as its largest eigenvalue.
        let mut scaled = topics * &pi.mapv(f64::sqrt);
        for (mut row, p) in scaled.rows_mut().into_iter().zip(&p) {
            row /= if *p > 0.0 { p.sqrt() } else { 1.0 };
        }
        let gram = transposed_product(&scaled, &scaled);
        let (values, vectors) = symmetric_eigen(&gram);
        let mut inverse: Array2<f64> = Array2::zeros((k, k));
        let (mut smallest, mut left_out) = (1.0, vec![0.0; k]);
        for (value, vector) in values.iter().zip(vectors.columns()) {
            if *value < LEAST_EIGENVALUE {
                left_out.iter_mut().zip(vector).for_each(|(sum, v)| *sum += v * v);
                continue;
            }
            smallest = value.min(smallest);
            for (a, mut row) in inverse.rows_mut().into_iter().enumerate() {
                row.scaled_add(vector[a] / value, &vector);
            }
        }
        let not_told_apart =
            left_out.iter().zip(&has_words).map(|(out, has)| *has && *out > NOT_TOLD_APART);
        let not_told_apart = not_told_apart.collect();
        // Aᵀ = D^½ (scaled N⁻¹) √π; `scaled` is D^½ B √π.
        let mut a = product(&scaled, &inverse);
        a *= &pi.mapv(f64::sqrt);
        for (mut row, p) in a.rows_mut().into_iter().zip(&p) {
            row /= if *p > 0.0 { p.sqrt() } else { 1.0 };
        }
        let token_variances = (0..k)
            .map(|topic| {
                let second: f64 = a.column(topic).iter().zip(&p).map(|(a, p)| a * a * p).sum();
                (second - pi[topic] * pi[topic]).max(0.0)
            })
            .collect();
        let terms = positions.iter().max().map_or(0, |last| *last as usize + 1);
        let mut row_of_term = vec![NO_ROW; terms];
        positions.iter().zip(0..).for_each(|(&at, row)| row_of_term[at as usize] = row);
        let rows = a.into_raw_vec_and_offset().0;
        let seen_variances = pi.iter().map(|pi| pi * (1.0 - pi)).collect();
        let condition = 1.0 / smallest;
        Self {
            row_of_term,
            rows,
            topics: k,
            token_variances,
            seen_variances,
            not_told_apart,
            condition,
        }
    }

    /// The estimator of these topics alone, in this order.
    pub fn only(&self, topics: &[usize]) -> Self {
        let words = self.rows.chunks_exact(self.topics.max(1));
        Self {
            row_of_term: self.row_of_term.clone(),
            rows: words.flat_map(|row| topics.iter().map(|&topic| row[topic])).collect(),
            topics: topics.len(),
            token_variances: topics.iter().map(|&topic| self.token_variances[topic]).collect(),
            seen_variances: topics.iter().map(|&topic| self.seen_variances[topic]).collect(),
            not_told_apart: topics.iter().map(|&topic| self.not_told_apart[topic]).collect(),
            condition: self.condition,
        }
    }

    /// By topic, whether its words are those of other topics, so that only their sum is estimated.
    pub fn not_told_apart(&self) -> &[bool] {
        &self.not_told_apart
    }

    /// Number of topics that are estimated.
    pub fn topics(&self) -> usize {
        self.topics
    }

    /// The variance of a topic's estimate from one token of a document with mean shares. That of n
    /// independent tokens is an n-th of it. If topics of tokens were seen it would be π(1 − π).
    pub fn token_variances(&self) -> &[f64] {
        &self.token_variances
    }

    /// By topic, how many tokens tell as much of its share as one whose topic is seen: 1 for a topic
    /// without common words with others.
    pub fn tokens_for_one(&self) -> impl Iterator<Item = f64> + '_ {
        self.token_variances
            .iter()
            .zip(&self.seen_variances)
            .map(|(token, seen)| if *seen > 0.0 { token / seen } else { 1.0 })
    }

    /// The condition number of the scaled Gram matrix √π BᵀDB √π without what is not estimated: 1 for
    /// topics without common words.
    pub fn condition(&self) -> f64 {
        self.condition
    }

    /// Writes θ̃ of a document to `into` and returns n, the number of its tokens in the vocabulary. At
    /// n = 0 there is no estimate, and `into` is 0. Cost: K for each of its words.
    pub fn estimate(&self, terms: &[u32], counts: &[u32], into: &mut [f64]) -> f64 {
        Arch::new().dispatch(|| self.add_up(terms, counts, into))
    }

    /// As [`Self::estimate`], with the variances of the estimates from the draw of the document's tokens, (Σ
    /// a²x/n − θ̃²)/(n − 1): those of tokens that are drawn independently. 0 for a single token.
    pub fn estimate_with_variances(
        &self,
        terms: &[u32],
        counts: &[u32],
        into: &mut [f64],
        variances: &mut [f64],
    ) -> f64 {
        let tokens = self.estimate(terms, counts, into);
        variances.fill(0.0);
        if tokens <= 1.0 {
            return tokens;
        }
        for (&term, &count) in terms.iter().zip(counts) {
            let row = self.row_of_term.get(term as usize).filter(|row| **row != NO_ROW);
            let Some(&row) = row else { continue };
            let row = &self.rows[row as usize * self.topics..][..self.topics];
            variances.iter_mut().zip(row).for_each(|(sum, a)| *sum += f64::from(count) * a * a);
        }
        for (variance, share) in variances.iter_mut().zip(into) {
            *variance = (*variance / tokens - *share * *share).max(0.0) / (tokens - 1.0);
        }
        tokens
    }

    /// A diag(u) Aᵀ, K × K, for numbers u by term of the corpus.
    pub fn weighted_products(&self, numbers: &[f64]) -> Array2<f64> {
        let mut sum = Array2::zeros((self.topics, self.topics));
        for (&row, number) in self.row_of_term.iter().zip(numbers) {
            if row == NO_ROW || *number == 0.0 {
                continue;
            }
            let row = &self.rows[row as usize * self.topics..][..self.topics];
            for (a, mut to) in row.iter().zip(sum.outer_iter_mut()) {
                to.iter_mut().zip(row).for_each(|(to, b)| *to += number * a * b);
            }
        }
        sum
    }

    #[inline(always)]
    fn add_up(&self, terms: &[u32], counts: &[u32], into: &mut [f64]) -> f64 {
        into.fill(0.0);
        let mut tokens = 0.0;
        for (&term, &count) in terms.iter().zip(counts) {
            let Some(&row) = self.row_of_term.get(term as usize).filter(|row| **row != NO_ROW)
            else {
                continue;
            };
            let count = f64::from(count);
            tokens += count;
            let row = &self.rows[row as usize * self.topics..][..self.topics];
            into.iter_mut().zip(row).for_each(|(sum, a)| *sum += count * a);
        }
        if tokens > 0.0 {
            into.iter_mut().for_each(|sum| *sum /= tokens);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// W × K topics from numbers above 0.
    fn topics(words: usize, k: usize, numbers: &[f64]) -> Array2<f64> {
        let mut b =
            Array2::from_shape_fn((words, k), |(w, t)| numbers[(w * k + t) % numbers.len()]);
        for mut column in b.columns_mut() {
            let sum = column.sum();
            column /= sum;
        }
        b
    }

    proptest! {
            /// AB = I: a document with the expected words of θ has the estimate θ. And A is what the
            /// definition says, by naive inversion.
            #[test]
            fn the_expected_words_of_a_document_have_its_proportions(
                numbers in prop::collection::vec(0.001..1.0_f64, 61),
                k in 2_usize..5, words in 12_usize..20,
            ) {
                let b = topics(words, k, &numbers);
                let shares: Vec<f64> = numbers[..k].iter().map(|n| n / 9.0).collect();
                let positions: Vec<u32> = (0..words as u32).map(|word| 3 * word + 1).collect();
    let linear = LinearProportions::new(&b, &shares, &positions);
                // Of topics that nearly repeat each other only sums are estimated.
                prop_assume!(!linear.not_told_apart().contains(&true));
                // Counts in proportion to Bθ, for θ in millionths.
                let mut theta = Array1::from(numbers[k..2 * k].to_vec());
                theta /= theta.sum();
                let counts: Vec<u32> = b.dot(&theta).iter().map(|p| (1e9 * p).round() as u32).collect();
                let mut found = vec![0.0; k];
                let tokens = linear.estimate(&positions, &counts, &mut found);
                prop_assert!((tokens - 1e9).abs() < 100.0);
                for (found, theta) in found.iter().zip(&theta) {
                    prop_assert!((found - theta).abs() < 1e-6 * linear.condition(), "{found} {theta}");
                }
                // Words that are not in the vocabulary say nothing.
                let with_others: Vec<u32> = [&[0, 2][..], &positions[..1]].concat();
                linear.estimate(&with_others, &[5, 7, 2], &mut found);
                prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }

    #[test]
    fn topics_without_common_words_have_the_shares_of_their_words() {
        let b = ndarray::arr2(&[[0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let linear = LinearProportions::new(&b, &[0.25, 0.75, 0.0], &[0, 1, 2]);
        let mut found = [0.0; 3];
        assert_eq!(linear.estimate(&[0, 2], &[1, 3], &mut found), 4.0);
        assert!((found[0] - 0.25).abs() < 1e-12 && (found[1] - 0.75).abs() < 1e-12);
        // The third topic has no words.
        assert_eq!(found[2], 0.0);
        assert!((linear.token_variances()[0] - 0.1875).abs() < 1e-12);
        assert!((linear.condition() - 1.0).abs() < 1e-9);
        assert_eq!(linear.estimate(&[7], &[2], &mut found), 0.0);
        assert_eq!(found, [0.0; 3]);
        let mut second = [0.0];
        linear.only(&[1]).estimate(&[0, 2], &[1, 3], &mut second);
        assert!((second[0] - 0.75).abs() < 1e-12);
    }

    /// The mean of the variances is the variance of the estimates, over 4,000 documents. Both are within
    /// 10% of each other for all but one seed in a million.
    #[test]
    fn variances_are_those_of_drawn_documents() {
        let b = ndarray::arr2(&[[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]]);
        let linear = LinearProportions::new(&b, &[0.5, 0.5], &[0, 1, 2]);
        let word = b.dot(&Array1::from(vec![0.3, 0.7]));
        let (mut sum, mut square, mut variance) = (0.0, 0.0, 0.0);
        let documents = 4000_u32;
        for seed in 0..documents {
            let mut random = crate::random::ShortStream::new(3, seed.into());
            let mut counts = [0; 3];
            for _ in 0..20 {
                let mut left = random.below(1 << 50) as f64 / (1_u64 << 50) as f64;
                let drawn = word.iter().position(|p| {
                    left -= p;
                    left < 0.0
                });
                counts[drawn.unwrap_or(2)] += 1;
            }
            let (mut found, mut variances) = ([0.0; 2], [0.0; 2]);
            linear.estimate_with_variances(&[0, 1, 2], &counts, &mut found, &mut variances);
            sum += found[0];
            square += found[0] * found[0];
            variance += variances[0];
        }
        let n = f64::from(documents);
        let of_estimates = square / n - (sum / n).powi(2);
        assert!((sum / n - 0.3).abs() < 0.02, "{}", sum / n);
        assert!((variance / n / of_estimates - 1.0).abs() < 0.1, "{variance} {of_estimates}");
    }

    #[test]
    fn of_topics_of_the_same_words_the_sum_is_estimated_and_divided_by_their_shares() {
        let b = ndarray::arr2(&[[0.5, 0.1, 0.5], [0.3, 0.1, 0.3], [0.2, 0.8, 0.2]]);
        let linear = LinearProportions::new(&b, &[0.2, 0.4, 0.4], &[0, 1, 2]);
        assert_eq!(linear.not_told_apart(), [true, false, true]);
        let mut found = [0.0; 3];
        // A quarter of the second topic, of words in proportion to Bθ.
        linear.estimate(&[0, 1, 2], &[400, 250, 350], &mut found);
        for (found, expected) in found.iter().zip([0.25, 0.25, 0.5]) {
            assert!((found - expected).abs() < 1e-9, "{found}");
        }
        assert!(linear.condition() < 10.0);
    }
}
