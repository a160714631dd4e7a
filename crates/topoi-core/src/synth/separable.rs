//! `separable`: the synthetic corpora of Ding et al. 2013, where each topic has novel words.

use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::corpus::{KnownCorpus, numbered, topic_from_weights};
use super::error::{Result, SynthError};
use super::length::Length;
use super::limits::{check_concentration, check_range, check_sizes};
use super::mixture::{MixtureGenerator, TOPICS};
use crate::random::dirichlet::symmetric_dirichlet;
use crate::random::stream;

/// Settings of a `separable` corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeparableSettings {
    /// M, the number of documents.
    pub documents: u64,
    /// W, the number of words.
    pub words: usize,
    /// K, the number of topics.
    pub topics: usize,
    /// ρ = W₁/W, the share of the words that are novel; W₁ is rounded.
    pub rho: f64,
    /// Distribution of document lengths.
    pub length: Length,
    /// Symmetric Dirichlet parameter of a document's topic weights; 0.1 in the paper.
    pub alpha: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// A `separable` corpus. Rows of words that are not novel are uniform on the simplex of topics.
/// Rows of novel words have one entry, uniform on (0, 1]. Then every column is normalised. The W₁
/// novel words come first, grouped by topic, W₁/K each (rounded so that they sum to W₁), and are
/// named after their topic.
///
/// # Source
/// Ding, Rohban, Ishwar, Saligrama 2013, section 6.2.
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn separable(settings: &SeparableSettings) -> Result<KnownCorpus> {
    let SeparableSettings { documents, words, topics, rho, length, alpha, seed } = *settings;
    check_sizes(words, topics, documents)?;
    length.check()?;
    check_concentration("alpha", alpha)?;
    check_range("rho", rho, 0.0..=1.0)?;
    let novel = (rho * words as f64).round() as usize;
    if novel < topics {
        let range = format!(
            "at least {} for {words} words, so that each topic has a novel word",
            topics as f64 / words as f64
        );
        return Err(SynthError::OutOfRange { field: "rho", value: rho.to_string(), range });
    }
    let matrix = matrix(&mut stream(seed, TOPICS), words, topics, novel);
    let truth: Vec<_> =
        matrix.columns().into_iter().map(|c| topic_from_weights((0..).zip(c.to_vec()))).collect();
    let generator = MixtureGenerator::new(&truth, words, alpha, length, seed);
    let names = names(words, topics, novel);
    Ok(KnownCorpus::new("separable", names, truth, documents, settings, generator))
}

/// The topic of novel word number `word`, for `novel` novel words of `topics` topics.
fn topic_of_novel(word: usize, topics: usize, novel: usize) -> usize {
    word * topics / novel
}

/// The W × K matrix before columns are normalised.
fn matrix(rng: &mut ChaCha12Rng, words: usize, topics: usize, novel: usize) -> Array2<f64> {
    let mut matrix = Array2::zeros((words, topics));
    let mut row = vec![0.0; topics];
    for word in novel..words {
        symmetric_dirichlet(rng, 1.0, &mut row);
        matrix.row_mut(word).iter_mut().zip(&row).for_each(|(entry, &weight)| *entry = weight);
    }
    for word in 0..novel {
        matrix[(word, topic_of_novel(word, topics, novel))] = 1.0 - rng.random::<f64>();
    }
    matrix
}

fn names(words: usize, topics: usize, novel: usize) -> Vec<String> {
    let of_topics = numbered("novel", topics);
    let of_novel = numbered("_", novel);
    let name = |word: usize| {
        format!("{}{}", of_topics[topic_of_novel(word, topics, novel)], of_novel[word])
    };
    (0..novel).map(name).chain(numbered("w", words - novel)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn settings() -> SeparableSettings {
        SeparableSettings {
            documents: 10,
            words: 500,
            topics: 10,
            rho: 0.2,
            length: Length::Fixed(100),
            alpha: 0.1,
            seed: 4,
        }
    }

    #[test]
    fn novel_words_are_in_one_topic_and_others_in_all() {
        for (topics, rho, novel) in [(10, 0.2, 100), (7, 0.05, 25)] {
            let corpus =
                separable(&SeparableSettings { topics, rho, ..settings() }).expect("a corpus");
            let mut holders = vec![Vec::new(); 500];
            for (topic, column) in corpus.topics.iter().enumerate() {
                assert!((column.iter().map(|&(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
                column.iter().for_each(|&(word, _)| holders[word as usize].push(topic));
            }
            assert!(holders[..novel].iter().all(|holders| holders.len() == 1));
            assert!(holders[novel..].iter().all(|holders| holders.len() == topics));
            let own = |topic| holders[..novel].iter().filter(|holders| holders[0] == topic).count();
            let each: BTreeSet<usize> = (0..topics).map(own).collect();
            assert!(
                each.iter().all(|&count| count == novel / topics || count == novel / topics + 1)
            );
            assert_eq!(corpus.words.iter().collect::<BTreeSet<_>>().len(), 500);
            assert!(corpus.words[novel - 1].starts_with(&format!("novel{}_", topics - 1)));
        }
    }

    #[test]
    fn entries_have_the_means_of_their_distributions() {
        // 20,000 novel and 20,000 other words: a novel entry's mean is 1/2 (deviation 0.0021). The
        // sum of another row is 1, and the mean of its squared entries 2/(K(K+1)) (each row's sum
        // of squares is in [0, 1]: deviation at most 0.0036). Bounds at 5 deviations.
        let (words, novel, topics) = (40_000, 20_000, 4);
        let matrix = matrix(&mut stream(1, "matrix"), words, topics, novel);
        let n = novel as f64;
        let mean = matrix.rows().into_iter().take(novel).map(|row| row.sum()).sum::<f64>() / n;
        assert!((mean - 0.5).abs() < 0.0105, "{mean}");
        let others = || matrix.rows().into_iter().skip(novel);
        assert!(others().all(|row| (row.sum() - 1.0).abs() < 1e-12));
        let squares = others().map(|row| row.dot(&row)).sum::<f64>() / n;
        assert!((squares - 2.0 / (topics as f64 + 1.0)).abs() < 0.018, "{squares}");
    }

    #[test]
    fn each_topic_needs_a_novel_word() {
        let refused = |rho| separable(&SeparableSettings { rho, ..settings() }).err();
        let error = refused(0.01).expect("refused");
        assert!(matches!(error, SynthError::OutOfRange { field: "rho", .. }), "{error:?}");
        assert!(refused(1.5).is_some() && refused(-0.1).is_some() && refused(f64::NAN).is_some());
        assert!(refused(1.0).is_none());
    }
}
