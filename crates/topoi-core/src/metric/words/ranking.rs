//! Rankings of a topic's words, for lists and for scores of lists.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::frex::frex;
use super::top_words::{largest, top_words};
use crate::formula::relevance::relevance;

/// λ of [`Ranking::Relevance`], the value that people read best in Sievert and Shirley 2014, §4.
pub const RELEVANCE_LAMBDA: f64 = 0.6;

/// A way of ranking the words of a topic. It changes the order of words and not the topics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Ranking {
    /// B_wk, p(word | topic).
    #[default]
    Probability,
    /// B_wk² / Σ_j B_wj: probability times the topic's share of the word, with equal weight for all
    /// topics.
    Exclusive,
    /// λ ln B_wk + (1 − λ) ln(B_wk / p(w)) with λ = 0.6 and p(w) = Σ_k p(k) B_wk.
    ///
    /// # Source
    /// Sievert and Shirley 2014, "LDAvis: A method for visualizing and interpreting topics".
    Relevance,
    /// The harmonic mean of the ranks by frequency and by exclusivity, as stm's `calcfrex` ([`frex`]).
    Frex,
    /// B_wk ln(1 + A / f_w), where f_w is the number of tokens of the word in the corpus and A the mean number of tokens of
    /// a topic: class-based tf·idf. A topic's number of tokens is the same for all of its words.
    ///
    /// # Source
    /// Grootendorst 2022, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure", §3.3.
    #[strum(serialize = "class-tf-idf")]
    ClassTfIdf,
}

/// The input of a ranking.
#[derive(Debug, Clone, Copy)]
pub struct RankingInput<'a> {
    /// B (W × K).
    pub topics: &'a Array2<f64>,
    /// p(topic) (K).
    pub weights: &'a Array1<f64>,
    /// Tokens of each of the W words in the corpus.
    pub counts: &'a [u64],
}

impl Ranking {
    /// The name on the command line and in the store.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A short description for users.
    pub fn help(self) -> &'static str {
        match self {
            Self::Probability => "how probable they are in the topic",
            Self::Exclusive => "that, times the share which the topic has of the word",
            Self::Relevance => {
                "that, and how much more probable they are than in all topics (LDAvis, λ = 0.6)"
            }
            Self::Frex => "how frequent in the topic and exclusive to it they are (stm's FREX)",
            Self::ClassTfIdf => {
                "how probable they are in the topic and how rare in the corpus (BERTopic's class-based tf-idf)"
            }
        }
    }

    /// The `count` first words of every topic; of equal words the lower number is first. Words with
    /// probability 0 in a topic are left out, except by FREX, which ranks them too.
    pub fn top_words(self, of: RankingInput<'_>, count: usize) -> Vec<Vec<usize>> {
        let best = |scores: Array2<f64>| -> Vec<Vec<usize>> {
            scores.columns().into_iter().map(|scores| top_words(scores, count)).collect()
        };
        match self {
            Self::Probability => best(of.topics.clone()),
            Self::Exclusive => best(exclusive(of.topics)),
            Self::Frex => best(frex(of.topics, of.counts)),
            Self::Relevance => by_relevance(of, RELEVANCE_LAMBDA, count),
            Self::ClassTfIdf => best(class_tf_idf(of)),
        }
    }
}

/// B_wk ln(1 + A / f_w); 0 for a word that the corpus does not have.
fn class_tf_idf(of: RankingInput<'_>) -> Array2<f64> {
    let mean = of.counts.iter().sum::<u64>() as f64 / of.topics.ncols().max(1) as f64;
    let mut scores = of.topics.clone();
    for (mut row, &count) in scores.axis_iter_mut(Axis(0)).zip(of.counts) {
        let idf = if count > 0 { libm::log1p(mean / count as f64) } else { 0.0 };
        row.mapv_inplace(|p| p * idf);
    }
    scores
}

/// B_wk² / Σ_j B_wj; 0 for a word that no topic has.
fn exclusive(topics: &Array2<f64>) -> Array2<f64> {
    let mut scores = topics.clone();
    for mut row in scores.axis_iter_mut(Axis(0)) {
        let sum = row.sum();
        if sum > 0.0 {
            row.mapv_inplace(|p| p * (p / sum));
        }
    }
    scores
}

/// The `count` most relevant words of every topic for a λ between 0 and 1.
pub fn by_relevance(of: RankingInput<'_>, lambda: f64, count: usize) -> Vec<Vec<usize>> {
    let marginal = of.topics.dot(of.weights);
    let most = |topic: ArrayView1<'_, f64>| {
        let words = (0..topic.len()).filter(|&word| topic[word] > 0.0).collect();
        let score = |word: usize| {
            relevance(topic[word], marginal[word], lambda).unwrap_or(f64::NEG_INFINITY)
        };
        largest(words, score, count)
    };
    of.topics.columns().into_iter().map(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn every_ranking_has_its_own_first_word() {
        // Word 0 is common to both topics, word 1 is only in the first, word 2 is rare and nearly
        // exclusive.
        let topics = array![[0.50, 0.49], [0.35, 0.00], [0.01, 0.00], [0.14, 0.14], [0.00, 0.37]];
        let weights = array![0.5, 0.5];
        let counts = [1000, 350, 3, 280, 370];
        let of = RankingInput { topics: &topics, weights: &weights, counts: &counts };
        let first = |ranking: Ranking| ranking.top_words(of, 5).swap_remove(0);
        assert_eq!(first(Ranking::Probability), [0, 1, 3, 2]);
        // 0.35²/0.35 = 0.35 > 0.5²/0.99 = 0.2525 > 0.14²/0.28 = 0.07 > 0.01.
        assert_eq!(first(Ranking::Exclusive), [1, 0, 3, 2]);
        // 0.6 ln 0.35 + 0.4 ln 2 = -0.353; 0.6 ln 0.5 + 0.4 ln (0.5/0.495) = -0.412;
        // 0.6 ln 0.14 + 0.4 ln 1 = -1.180; 0.6 ln 0.01 + 0.4 ln 2 = -2.486.
        assert_eq!(first(Ranking::Relevance), [1, 0, 3, 2]);
        assert_eq!(first(Ranking::Frex)[0], 1);
        assert_eq!(first(Ranking::Frex).len(), 5);
        assert_eq!(Ranking::Relevance.top_words(of, 2)[1], [4, 0]);
        // A = 2003/2: 0.35 ln(1 + A/350) = 0.473; 0.5 ln(1 + A/1000) = 0.347; 0.14 ln(1 + A/280) = 0.213;
        // 0.01 ln(1 + A/3) = 0.058.
        assert_eq!(first(Ranking::ClassTfIdf), [1, 0, 3, 2]);
        // 0.37 ln(1 + A/370) = 0.484 > 0.49 ln(1 + A/1000) = 0.340.
        assert_eq!(Ranking::ClassTfIdf.top_words(of, 2)[1], [4, 0]);
        // λ = 1 ranks by probability, λ = 0 by lift, where words of one topic alone are equal.
        assert_eq!(by_relevance(of, 1.0, 5), Ranking::Probability.top_words(of, 5));
        assert_eq!(by_relevance(of, 0.0, 5)[0], [1, 2, 0, 3]);
    }

    #[test]
    fn rankings_are_found_by_their_names() {
        for &ranking in Ranking::VARIANTS {
            assert_eq!(ranking.name().parse(), Ok(ranking));
        }
        assert!("lift".parse::<Ranking>().is_err());
    }
}
