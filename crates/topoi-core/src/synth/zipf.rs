//! `zipf`: ε-separable corpora, whose documents have one topic and a Zipf length.

use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::corpus::{Generator, KnownCorpus, Topic, numbered, topic_from_weights};
use super::draw::alias_table::AliasTable;
use super::draw::below;
use super::error::{Result, SynthError};
use super::length::ZipfLengths;
use super::limits::{check_range, check_sizes};
use super::mixture::{DOCUMENTS, WordCounter};
use crate::random::stream;

/// Settings of a `zipf` corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ZipfSettings {
    /// n, the number of documents.
    pub documents: u64,
    /// m, the number of words.
    pub words: usize,
    /// t, the number of topics; all are equally likely.
    pub topics: usize,
    /// ε, the probability in a topic of each word of another topic's set.
    pub epsilon: f64,
    /// L; every document has fewer tokens.
    pub longest: u32,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// A `zipf` corpus. The words are partitioned into t sets T₁ … T_t of m/t words (rounded so that
/// they sum to m). Topic k gives each word outside T_k the probability ε and distributes the rest
/// over T_k by Zipf's law, the r-th word in proportion to 1/r (the paper does not specify this). A
/// document has one topic and l tokens, 1 ≤ l < L, with probability proportional to 1/l.
///
/// # Source
/// Biggs, Ghodsi, Vavasis 2008, "Nonnegative matrix factorization via rank-one downdate",
/// section 5.
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn zipf(settings: &ZipfSettings) -> Result<KnownCorpus> {
    let ZipfSettings { documents, words, topics, epsilon, longest, seed } = *settings;
    check_sizes(words, topics, documents)?;
    check_range("longest", longest, 2..=10_000_000)?;
    let most_outside = words - words / topics;
    if !(epsilon >= 0.0 && epsilon * (most_outside as f64) < 1.0) {
        let range =
            format!("0 or more, and below {:.3e}: a topic's sum is 1", 1.0 / most_outside as f64);
        return Err(SynthError::OutOfRange { field: "epsilon", value: epsilon.to_string(), range });
    }
    let truth: Vec<Topic> =
        (0..topics).map(|topic| topic_matrix_column(words, topics, topic, epsilon)).collect();
    let generator = Box::new(SingleTopicGenerator {
        tables: truth.iter().map(|topic| AliasTable::new(topic)).collect(),
        lengths: ZipfLengths::new(longest),
        rng: stream(seed, DOCUMENTS),
        counter: WordCounter::new(words),
    });
    Ok(KnownCorpus::new("zipf", numbered("w", words), truth, documents, settings, generator))
}

/// Topic k of the matrix P.
fn topic_matrix_column(words: usize, topics: usize, topic: usize, epsilon: f64) -> Topic {
    let own = topic * words / topics..(topic + 1) * words / topics;
    let inside = 1.0 - epsilon * (words - own.len()) as f64;
    let harmonic: f64 = (1..=own.len()).map(|rank| 1.0 / rank as f64).sum();
    topic_from_weights((0..words).map(|word| match own.contains(&word) {
        true => (word as u32, inside / harmonic / (word - own.start + 1) as f64),
        false => (word as u32, epsilon),
    }))
}

struct SingleTopicGenerator {
    tables: Vec<AliasTable>,
    lengths: ZipfLengths,
    rng: ChaCha12Rng,
    counter: WordCounter,
}

impl Generator for SingleTopicGenerator {
    fn next_document(&mut self, document: &mut Vec<(u32, u32)>) {
        let topic = below(&mut self.rng, self.tables.len());
        for _ in 0..self.lengths.draw(&mut self.rng) {
            self.counter.add(self.tables[topic].draw(&mut self.rng));
        }
        self.counter.drain_into(document);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> ZipfSettings {
        ZipfSettings {
            documents: 20_000,
            words: 100,
            topics: 7,
            epsilon: 1e-3,
            longest: 30,
            seed: 6,
        }
    }

    #[test]
    fn topics_own_disjoint_words_and_give_all_others_epsilon() {
        let corpus = zipf(&settings()).expect("a corpus");
        let mut owners = [0; 100];
        for topic in &corpus.topics {
            assert!((topic.iter().map(|&(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
            for &(word, probability) in topic {
                match probability > 1.1e-3 {
                    true => owners[word as usize] += 1,
                    false => assert!((probability - 1e-3).abs() < 1e-12),
                }
            }
        }
        assert_eq!(owners, [1; 100]);
        let separate = zipf(&ZipfSettings { epsilon: 0.0, ..settings() }).expect("a corpus");
        assert_eq!(separate.topics.iter().map(Vec::len).sum::<usize>(), 100);
    }

    #[test]
    fn documents_keep_to_one_topic_and_to_the_lengths() {
        let corpus = zipf(&ZipfSettings { epsilon: 0.0, ..settings() }).expect("a corpus");
        let mut topic_of_word = [0; 100];
        for (topic, column) in corpus.topics.iter().enumerate() {
            column.iter().for_each(|&(word, _)| topic_of_word[word as usize] = topic);
        }
        let (mut of_topic, mut of_length) = ([0.0f64; 7], [0.0f64; 31]);
        for document in corpus.collected() {
            let topic = topic_of_word[document[0].0 as usize];
            assert!(document.iter().all(|&(word, _)| topic_of_word[word as usize] == topic));
            of_topic[topic] += 1.0 / 20_000.0;
            let length = document.iter().map(|&(_, count)| count as usize).sum::<usize>();
            of_length[length] += 1.0 / 20_000.0;
        }
        // 20,000 documents. Bounds at 5.5 deviations for 36 shares: a false alarm for about one
        // seed in 700,000.
        let near = |share: f64, p: f64| (share - p).abs() < 5.5 * (p * (1.0 - p) / 20_000.0).sqrt();
        assert!(of_topic.iter().all(|&share| near(share, 1.0 / 7.0)), "{of_topic:?}");
        let harmonic: f64 = (1..30).map(|l| 1.0 / f64::from(l)).sum();
        for (length, &share) in (1..30).zip(&of_length[1..]) {
            assert!(near(share, 1.0 / f64::from(length) / harmonic), "{length}");
        }
        assert_eq!((of_length[0], of_length[30]), (0.0, 0.0));
    }

    #[test]
    fn epsilon_leaves_something_for_the_words_of_the_topic() {
        for epsilon in [-0.1, 0.02, f64::NAN] {
            let error = zipf(&ZipfSettings { epsilon, ..settings() }).err().expect("refused");
            assert!(matches!(error, SynthError::OutOfRange { field: "epsilon", .. }), "{error:?}");
        }
        assert!(zipf(&ZipfSettings { longest: 1, ..settings() }).is_err());
    }
}
