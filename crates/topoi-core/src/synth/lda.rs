//! `lda`: topics and documents of latent Dirichlet allocation.

use serde::Serialize;

use super::corpus::{KnownCorpus, numbered, topic_from_weights};
use super::error::Result;
use super::length::Length;
use super::limits::{check_concentration, check_sizes};
use super::mixture::{MixtureGenerator, TOPICS};
use crate::random::dirichlet::symmetric_dirichlet;
use crate::random::stream;

/// Settings of an `lda` corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LdaSettings {
    /// M, the number of documents.
    pub documents: u64,
    /// W, the number of words.
    pub words: usize,
    /// K, the number of topics.
    pub topics: usize,
    /// Distribution of documents' lengths.
    pub length: Length,
    /// Symmetric Dirichlet parameter of a document's topic weights.
    pub alpha: f64,
    /// Symmetric Dirichlet parameter of a topic's word probabilities.
    pub beta: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// An `lda` corpus: K topics from Dirichlet(β), documents from Dirichlet(α) over them. Words whose
/// probability underflows an f64 are missing from the true topic.
///
/// # Source
/// Blei, Ng, Jordan 2003, "Latent Dirichlet allocation", the smoothed model of section 5.4.
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn lda(settings: &LdaSettings) -> Result<KnownCorpus> {
    let LdaSettings { documents, words, topics, length, alpha, beta, seed } = *settings;
    check_sizes(words, topics, documents)?;
    length.check()?;
    check_concentration("alpha", alpha)?;
    check_concentration("beta", beta)?;
    let mut rng = stream(seed, TOPICS);
    let mut weights = vec![0.0; words];
    let truth: Vec<_> = (0..topics)
        .map(|_| {
            symmetric_dirichlet(&mut rng, beta, &mut weights);
            topic_from_weights((0..).zip(weights.iter().copied()))
        })
        .collect();
    let generator = MixtureGenerator::new(&truth, words, alpha, length, seed);
    Ok(KnownCorpus::new("lda", numbered("w", words), truth, documents, settings, generator))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::SynthError;

    fn settings() -> LdaSettings {
        LdaSettings {
            documents: 4000,
            words: 30,
            topics: 3,
            length: Length::Fixed(40),
            alpha: 0.5,
            beta: 0.3,
            seed: 8,
        }
    }

    #[test]
    fn words_are_as_frequent_as_topics_and_weights_say() {
        let settings = settings();
        let corpus = lda(&settings).expect("a corpus");
        // E θ is 1/K for all topics, so a word's share is the mean of its probabilities.
        let mut expected = vec![0.0; settings.words];
        for &(word, probability) in corpus.topics.iter().flatten() {
            expected[word as usize] += probability / settings.topics as f64;
        }
        let mut shares = vec![0.0; settings.words];
        let n = settings.documents as f64;
        for (word, count) in corpus.collected().concat() {
            shares[word as usize] += f64::from(count) / 40.0 / n;
        }
        // A document's share of a word lies in [0, 1], so its variance is at most p(1 − p). Bounds
        // at 5.5 deviations for 30 words: a false alarm for about one seed in a million.
        for (word, (&share, p)) in shares.iter().zip(expected).enumerate() {
            let deviation = (p * (1.0 - p) / n).sqrt();
            assert!((share - p).abs() <= 5.5 * deviation, "{word}: {share} {p}");
        }
    }

    #[test]
    fn a_seed_repeats_and_the_first_documents_do_not_depend_on_how_many_there_are() {
        let draw = |documents, seed| {
            lda(&LdaSettings { documents, seed, ..settings() }).expect("a corpus").collected()
        };
        let few = draw(5, 8);
        assert_eq!(few, draw(5, 8));
        assert_eq!(few[..], draw(50, 8)[..5]);
        assert_ne!(few, draw(5, 9));
    }

    #[test]
    fn numbers_are_those_of_every_other_machine() {
        // The bits were printed once. A machine or version that differs has a fault.
        let corpus = lda(&LdaSettings { documents: 3, ..settings() }).expect("a corpus");
        let mut hasher = blake3::Hasher::new();
        for &(word, probability) in corpus.topics.iter().flatten() {
            hasher.update(&word.to_le_bytes()).update(&probability.to_bits().to_le_bytes());
        }
        for (word, count) in corpus.collected().concat() {
            hasher.update(&word.to_le_bytes()).update(&count.to_le_bytes());
        }
        assert_eq!(&hasher.finalize().to_hex()[..16], "053dd9e091ee874b");
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let refused = |settings: LdaSettings| match lda(&settings) {
            Err(SynthError::OutOfRange { field, value, .. }) => (field, value),
            _ => panic!("{settings:?} is in range"),
        };
        let zero = |field| (field, "0".to_string());
        assert_eq!(refused(LdaSettings { alpha: 0.0, ..settings() }), zero("alpha"));
        assert_eq!(refused(LdaSettings { beta: f64::NAN, ..settings() }).0, "beta");
        assert_eq!(refused(LdaSettings { topics: 0, ..settings() }), zero("topics"));
        assert_eq!(refused(LdaSettings { words: 2, ..settings() }).0, "words");
        assert_eq!(refused(LdaSettings { documents: 0, ..settings() }), zero("documents"));
        let length = Length::Poisson(0);
        assert_eq!(refused(LdaSettings { length, ..settings() }), zero("tokens"));
    }
}
