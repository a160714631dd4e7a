//! `semi`: documents drawn from topics that a model found in real text.

use serde::Serialize;

use super::corpus::{KnownCorpus, Topic, topic_from_weights};
use super::error::Result;
use super::length::Length;
use super::limits::{check_concentration, check_sizes};
use super::mixture::MixtureGenerator;

/// Settings of a `semi` corpus, besides its words and topics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SemiSettings {
    /// Source of the topics, in words, for the description.
    pub from: String,
    /// Whether novel words are added.
    pub novel: NovelWords,
    /// M, the number of documents.
    pub documents: u64,
    /// Distribution of document lengths; 300 tokens in the paper.
    pub length: Length,
    /// Symmetric Dirichlet parameter of a document's topic weights; 0.03 in the paper.
    pub alpha: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Words that are added to make topics separable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NovelWords {
    /// None: the paper's Semi-Syn.
    None,
    /// One for each topic, as probable as the topic's most probable word before normalisation: the
    /// paper's Semi-Syn+Novel.
    OnePerTopic,
}

/// A `semi` corpus of `topics` over `words`. Topics are normalised. Novel words follow the others
/// and are named `novel0`, `novel1`, …, with underscores added until the names are new.
///
/// # Source
/// Ding, Ishwar, Saligrama 2015, section VI-A.
///
/// # Errors
/// [`super::SynthError::OutOfRange`].
pub fn semi(
    mut words: Vec<String>,
    mut topics: Vec<Topic>,
    settings: &SemiSettings,
) -> Result<KnownCorpus> {
    let SemiSettings { novel, documents, length, alpha, seed, .. } = *settings;
    length.check()?;
    check_concentration("alpha", alpha)?;
    if novel == NovelWords::OnePerTopic {
        insert_novel_words(&mut words, &mut topics);
    }
    check_sizes(words.len(), topics.len(), documents)?;
    let topics: Vec<Topic> = topics.into_iter().map(topic_from_weights).collect();
    let generator = MixtureGenerator::new(&topics, words.len(), alpha, length, seed);
    let mut corpus = KnownCorpus::new("semi", words, topics, documents, settings, generator);
    corpus.settings.insert("words".into(), corpus.words.len().into());
    corpus.settings.insert("topics".into(), corpus.topics.len().into());
    Ok(corpus)
}

fn insert_novel_words(words: &mut Vec<String>, topics: &mut [Topic]) {
    let mut prefix = "novel".to_string();
    while words.iter().any(|word| word.starts_with(&prefix)) {
        prefix.push('_');
    }
    for (number, topic) in topics.iter_mut().enumerate() {
        let highest = topic.iter().map(|&(_, probability)| probability).fold(0.0, f64::max);
        topic.push((words.len() as u32, highest));
        words.push(format!("{prefix}{number}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(novel: NovelWords) -> SemiSettings {
        SemiSettings {
            from: "a test".into(),
            novel,
            documents: 3,
            length: Length::Fixed(300),
            alpha: 0.03,
            seed: 1,
        }
    }

    fn corpus(novel: NovelWords) -> KnownCorpus {
        let words = ["ale", "novel", "cap"].map(String::from).to_vec();
        let topics = vec![vec![(0, 0.6), (1, 0.4)], vec![(1, 0.1), (2, 0.9)]];
        semi(words, topics, &settings(novel)).expect("a corpus")
    }

    #[test]
    fn topics_are_those_given() {
        let corpus = corpus(NovelWords::None);
        assert_eq!(corpus.words, ["ale", "novel", "cap"]);
        assert_eq!(corpus.topics[0], [(0, 0.6), (1, 0.4)]);
    }

    #[test]
    fn a_novel_word_is_as_probable_as_the_first_word_and_columns_sum_to_one() {
        let corpus = corpus(NovelWords::OnePerTopic);
        assert_eq!(corpus.words[3..], ["novel_0", "novel_1"]);
        assert_eq!(corpus.topics[0], [(0, 0.6 / 1.6), (1, 0.4 / 1.6), (3, 0.6 / 1.6)]);
        assert_eq!(corpus.topics[1].last(), Some(&(4, 0.9 / 1.9)));
        for topic in &corpus.topics {
            assert!((topic.iter().map(|&(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}
