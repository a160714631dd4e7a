//! Comparison of a run's topics with the true topics of its corpus.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use ndarray::Array2;

use super::compare::TOP_WORDS;
use super::known_topics::{KnownTopics, TruthError};
use topoi_core::metric::words::l1_error::l1_errors;
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Why a run cannot be compared with the truth.
#[derive(Debug, thiserror::Error)]
pub enum TruthComparisonError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The file of the truth could not be read.
    #[error("{0}")]
    Truth(#[from] TruthError),
    /// The run is not finished, or saved no topics.
    #[error("run {run} is {status} and has no topics to compare; leave it out")]
    NoTopics {
        /// Row id of the run.
        run: RunId,
        /// One word for its status.
        status: &'static str,
    },
    /// No word of the truth is in the run's vocabulary.
    #[error("run {run} and {} have no word in common; give the truth of corpus {corpus}", path.display())]
    NothingShared {
        /// Row id of the run.
        run: RunId,
        /// Name of its corpus.
        corpus: String,
        /// The file of the truth.
        path: PathBuf,
    },
}

/// A run compared with the truth.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TruthComparison {
    /// Row id of the run.
    pub run: RunId,
    /// Name of its model, as on the command line.
    pub model: String,
    /// Number of its topics.
    pub k: u64,
    /// Number of true topics.
    pub true_topics: u64,
    /// Words of nonzero probability in a true topic that the run's vocabulary lacks.
    pub missing_words: u64,
    /// The mean ℓ1 error of the matched topics, from 0 to 2.
    pub l1_error: f64,
    /// The matched topics, by true topic.
    pub topics: Vec<TopicError>,
    /// Unmatched true topics.
    pub only_true: Vec<TopicNumber>,
    /// Unmatched topics of the run.
    pub only_run: Vec<TopicNumber>,
}

/// A topic of a run and the true topic that it is matched with.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TopicError {
    pub true_topic: TopicNumber,
    pub topic: TopicNumber,
    /// The ℓ1 distance of their word probabilities, from 0 to 2.
    pub l1_error: f64,
    /// The share of the true topic's most probable words ([`TOP_WORDS`], or all if it has fewer) that are among as
    /// many of the topic's.
    pub overlap: f64,
    /// The true topic's most probable words.
    pub true_words: Vec<String>,
    /// The topic's most probable words.
    pub words: Vec<String>,
}

/// Probabilities of a topic by word.
type Words = BTreeMap<String, f64>;

/// Matches the topics of run `run` with the true topics so that the sum of the ℓ1 distances is minimal. Words are the
/// same if they are spelled the same. A word missing on one side counts with its whole probability.
///
/// # Cost
/// O(K·K̂·W) time for the union of W words, and 8·(K + K̂)·W bytes.
pub fn compare_with_truth(
    store: &Store,
    run: RunId,
    truth: &KnownTopics,
) -> Result<TruthComparison, TruthComparisonError> {
    let row = store.run(run)?;
    let topics = topics_of(store, &row)?;
    let rows = rows_of_words(truth.topics.iter().chain(&topics));
    let vocabulary = words_of_vocabulary(store, &row)?;
    let true_words = rows_of_words(&truth.topics);
    let missing = true_words.keys().filter(|word| !vocabulary.contains(**word)).count();
    if missing == true_words.len() {
        let (corpus, path) = (row.corpus, truth.path.clone());
        return Err(TruthComparisonError::NothingShared { run, corpus, path });
    }
    let errors = l1_errors(&matrix(&truth.topics, &rows), &matrix(&topics, &rows));
    let numbers =
        |topics: &[usize]| topics.iter().map(|&topic| TopicNumber::from_index(topic)).collect();
    Ok(TruthComparison {
        run,
        model: row.model,
        k: topics.len() as u64,
        true_topics: truth.topics.len() as u64,
        missing_words: missing as u64,
        l1_error: errors.mean(),
        topics: errors
            .pairs
            .iter()
            .map(|&(k, l, error)| topic_error((k, &truth.topics[k]), (l, &topics[l]), error))
            .collect(),
        only_true: numbers(&errors.only_true),
        only_run: numbers(&errors.only_estimated),
    })
}

/// The topics of a run: every word of positive probability.
fn topics_of(store: &Store, run: &Run) -> Result<Vec<Words>, TruthComparisonError> {
    let saved = store.saved_topics(run.id)?;
    if saved.is_empty() {
        return Err(TruthComparisonError::NoTopics { run: run.id, status: run.status.as_str() });
    }
    let texts: HashMap<TermId, String> =
        store.terms(run.corpus_id)?.into_iter().map(|term| (term.id, term.text)).collect();
    let word = |(id, probability): &(TermId, f64)| Some((texts.get(id)?.clone(), *probability));
    Ok(saved.iter().map(|topic| topic.terms.iter().filter_map(word).collect()).collect())
}

/// The words of a run's vocabulary.
fn words_of_vocabulary(store: &Store, run: &Run) -> Result<HashSet<String>, StoreError> {
    let Some(id) = run.vocabulary_id else { return Ok(HashSet::new()) };
    let used: HashSet<TermId> = store.vocabulary(id)?.term_ids.into_iter().collect();
    let terms = store.terms(run.corpus_id)?.into_iter();
    Ok(terms.filter(|term| used.contains(&term.id)).map(|term| term.text).collect())
}

/// Row number by word, in alphabetical order.
fn rows_of_words<'a>(topics: impl IntoIterator<Item = &'a Words>) -> BTreeMap<&'a str, usize> {
    let mut rows: BTreeMap<&str, usize> =
        topics.into_iter().flat_map(|topic| topic.keys()).map(|word| (word.as_str(), 0)).collect();
    rows.values_mut().enumerate().for_each(|(at, row)| *row = at);
    rows
}

/// W × K.
fn matrix(topics: &[Words], rows: &BTreeMap<&str, usize>) -> Array2<f64> {
    let mut matrix = Array2::zeros((rows.len(), topics.len()));
    for (column, topic) in topics.iter().enumerate() {
        for (word, &probability) in topic {
            matrix[(rows[word.as_str()], column)] = probability;
        }
    }
    matrix
}

fn topic_error(truth: (usize, &Words), estimate: (usize, &Words), l1_error: f64) -> TopicError {
    let true_words = top_words(truth.1);
    let words = top_words(estimate.1);
    let depth = true_words.len();
    let shared = true_words.iter().filter(|word| words.iter().take(depth).any(|w| w == *word));
    TopicError {
        true_topic: TopicNumber::from_index(truth.0),
        topic: TopicNumber::from_index(estimate.0),
        l1_error,
        overlap: shared.count() as f64 / depth.max(1) as f64,
        true_words,
        words,
    }
}

/// The [`TOP_WORDS`] most probable words; of equal ones, the alphabetically first.
fn top_words(topic: &Words) -> Vec<String> {
    let mut words: Vec<(&String, f64)> =
        topic.iter().filter(|entry| *entry.1 > 0.0).map(|(word, &p)| (word, p)).collect();
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    words.into_iter().take(TOP_WORDS).map(|(word, _)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_of_as_many_words_as_the_true_topic_has() {
        let topic = |words: &[(&str, f64)]| -> Words {
            words.iter().map(|&(word, p)| (word.to_string(), p)).collect()
        };
        let truth = topic(&[("ale", 0.5), ("bee", 0.5)]);
        let estimate = topic(&[("ale", 0.4), ("cap", 0.35), ("bee", 0.25)]);
        let found = topic_error((3, &truth), (1, &estimate), 0.7);
        assert_eq!(
            (found.true_topic, found.topic, found.overlap),
            (TopicNumber(3), TopicNumber(1), 0.5)
        );
        assert_eq!(found.true_words, ["ale", "bee"]);
        assert_eq!(found.words, ["ale", "cap", "bee"]);
    }
}
