//! Words that distinguish a group of documents from the others: log-odds ratios with an informative
//! Dirichlet prior (Monroe, Colaresi and Quinn 2008, "Fightin' Words", equations 15 to 22).
//!
//! The group has y_w of n tokens of word w, the others y'_w of n'. The prior α_w sums to α₀ and is
//! proportional to the words' tokens in all documents. δ_w = ln (y_w + α_w) / (n + α₀ − y_w − α_w)
//! minus the same for the others, with variance 1/(y_w + α_w) + 1/(y'_w + α_w); z_w = δ_w /
//! √variance.

/// A word and how strongly it distinguishes a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyword {
    /// Word number.
    pub word: usize,
    /// Tokens in the group; expected tokens within a topic.
    pub here: f64,
    /// Tokens in the other documents.
    pub there: f64,
    /// δ, in natural logarithms.
    pub log_odds: f64,
    /// δ divided by its standard deviation.
    pub z: f64,
}

/// The words of a group by descending z; of equal z by word number. `here` and `all` are the tokens
/// of each word in the group and in all documents; `prior` is α₀, in tokens.
pub fn log_odds(here: &[f64], all: &[f64], prior: f64) -> Vec<Keyword> {
    let here: Vec<(usize, f64)> = here.iter().copied().enumerate().collect();
    log_odds_of(&here, all, all.iter().sum(), prior)
}

/// As [`log_odds`], of a few words: `here` has (word number, tokens in the group) of all words that the group has, and
/// `in_all` is the sum of `all`. O(H log H) for H words in `here`.
pub fn log_odds_of(here: &[(usize, f64)], all: &[f64], in_all: f64, prior: f64) -> Vec<Keyword> {
    let n: f64 = here.iter().map(|word| word.1).sum();
    let keyword = |&(word, here): &(usize, f64)| {
        let all = all[word];
        // Expected tokens may sum to slightly less by rounding.
        let there = (all - here).max(0.0);
        let own = prior * all / in_all;
        let logit = |tokens: f64, of: f64| ((tokens + own) / (of + prior - tokens - own)).ln();
        let log_odds = logit(here, n) - logit(there, in_all - n);
        let variance = 1.0 / (here + own) + 1.0 / (there + own);
        Keyword { word, here, there, log_odds, z: log_odds / variance.sqrt() }
    };
    let words = here.iter().filter(|(word, _)| all[*word] > 0.0);
    let mut words: Vec<Keyword> = words.map(keyword).filter(|word| word.z.is_finite()).collect();
    words.sort_by(|a, b| b.z.total_cmp(&a.z).then(a.word.cmp(&b.word)));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Word by word, as the equations are printed.
    fn naive(word: usize, here: &[f64], all: &[f64], prior: f64) -> (f64, f64) {
        let there: Vec<f64> = all.iter().zip(here).map(|(all, here)| all - here).collect();
        let sum = |numbers: &[f64]| numbers.iter().sum::<f64>();
        let alpha: Vec<f64> = all.iter().map(|count| prior * count / sum(all)).collect();
        let alpha_0 = sum(&alpha);
        let odds = |y: &[f64]| (y[word] + alpha[word]) / (sum(y) + alpha_0 - y[word] - alpha[word]);
        let delta = odds(here).ln() - odds(&there).ln();
        let variance = 1.0 / (here[word] + alpha[word]) + 1.0 / (there[word] + alpha[word]);
        (delta, delta / variance.sqrt())
    }

    #[test]
    fn a_word_of_the_group_comes_first_and_one_of_the_others_last() {
        let words = log_odds(&[50.0, 20.0, 0.0], &[55.0, 60.0, 60.0], 100.0);
        assert_eq!(words.iter().map(|word| word.word).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(words[0].z > 3.0 && words[2].z < -3.0);
    }

    proptest! {
        #[test]
        fn figures_are_those_of_the_equations(
            counts in prop::collection::vec((0_u32..50, 0_u32..500), 2..20),
            prior in 1.0_f64..5000.0,
        ) {
            let here: Vec<f64> = counts.iter().map(|pair| pair.0.into()).collect();
            let all: Vec<f64> = counts.iter().map(|pair| f64::from(pair.0 + pair.1)).collect();
            for word in log_odds(&here, &all, prior) {
                let (delta, z) = naive(word.word, &here, &all, prior);
                prop_assert!((word.log_odds - delta).abs() < 1e-9);
                prop_assert!((word.z - z).abs() < 1e-9 * (1.0 + z.abs()));
            }
            // Of the words that the group has alone, they are the same to the last bit.
            let own: Vec<(usize, f64)> =
                here.iter().copied().enumerate().filter(|word| word.1 > 0.0).collect();
            let mut whole = log_odds(&here, &all, prior);
            whole.retain(|word| word.here > 0.0);
            prop_assert_eq!(log_odds_of(&own, &all, all.iter().sum(), prior), whole);
        }
    }
}
