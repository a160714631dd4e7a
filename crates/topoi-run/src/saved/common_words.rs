//! Words that are in many documents and in most topics alike: candidates for a list of words to leave out.

use crate::request::RunRequest;
use crate::work::recompute::{read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_store::Store;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::TopicNumber;
use topoi_store::result::topic::SavedTopic;
use topoi_store::run::Run;

/// The least commonness of a word that is suggested. Chosen on parliamentary speeches, presidents' messages and posts
/// with headers: forms of address and header words are above it, words of one subject below.
const LEAST_COMMONNESS: f64 = 0.1;

/// A word that is everywhere.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CommonWord {
    /// The term, as a list for `--stop-list` has it.
    pub word: String,
    /// The share of the documents that it is in.
    pub documents: f64,
    /// Its tokens.
    pub tokens: u64,
    /// Over how many topics it is spread, as a share of those there are: exp H(topic | word) / exp H(topic).
    pub evenness: f64,
    /// The share of documents times the evenness.
    pub commonness: f64,
    /// The topics that begin with it.
    pub first_in: Vec<TopicNumber>,
}

/// The words that are everywhere, and what leaving them out would do.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonWords {
    /// The words, the most common first.
    pub words: Vec<CommonWord>,
    /// Topics of the run.
    pub topics: u64,
    /// The share of the vocabulary's tokens that they are.
    pub tokens: f64,
    /// Documents that would have too few tokens left.
    pub too_short: u64,
}

/// The words of a run that are in many documents and in most topics alike. One pass over the corpus's blocks.
///
/// # Errors
/// [`WorkError::NoTopics`]; when the store cannot be read.
pub fn common_words(store: &Store, run: &Run) -> Result<CommonWords, WorkError> {
    let vocabulary = vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = read_topics(run, &saved, &vocabulary)?;
    let share =
        |topic: &SavedTopic| topic.shares.token_share.unwrap_or(topic.shares.document_share);
    let shares: Vec<f64> = saved.iter().map(share).collect();
    let first: Vec<Option<usize>> =
        saved.iter().map(|topic| vocabulary.word(topic.terms.first()?.0)).collect();
    let terms = store.terms(run.corpus_id)?;
    let all = store.corpus_by_id(run.corpus_id)?.documents.max(1) as f64;
    let spread = effective_number(shares.iter().copied());
    let mut words = Vec::new();
    for (word, &position) in vocabulary.positions.iter().enumerate() {
        let term = &terms[position as usize];
        let joint = topics.row(word).into_iter().zip(&shares).map(|(entry, share)| entry * share);
        let evenness = effective_number(joint) / spread.max(1.0);
        let documents = term.document_frequency as f64 / all;
        if documents * evenness >= LEAST_COMMONNESS {
            let begins = (0..).zip(&first).filter(|(_, first)| **first == Some(word));
            words.push((
                position,
                CommonWord {
                    word: term.text.clone(),
                    documents,
                    tokens: term.total_count,
                    evenness,
                    commonness: documents * evenness,
                    first_in: begins.map(|(topic, _)| TopicNumber(topic)).collect(),
                },
            ));
        }
    }
    words.sort_by(|(_, a), (_, b)| b.commonness.total_cmp(&a.commonness));
    let (positions, words): (Vec<u32>, Vec<CommonWord>) = words.into_iter().unzip();
    let (tokens, too_short) = without(store, run, &vocabulary.positions, &positions)?;
    Ok(CommonWords { words, topics: saved.len() as u64, tokens, too_short })
}

/// The share of the tokens at the positions `all` that are at those of `some`, and the documents that would have too
/// few tokens without these.
fn without(store: &Store, run: &Run, all: &[u32], some: &[u32]) -> Result<(f64, u64), WorkError> {
    let min_tokens = RunRequest::from_run(run)?.settings.min_tokens;
    let mut all: Vec<(u32, bool)> = all.iter().map(|&position| (position, true)).collect();
    for position in some {
        if let Ok(at) = all.binary_search_by_key(position, |(position, _)| *position) {
            all[at].1 = false;
        }
    }
    let (mut tokens, mut left, mut too_short) = (0, 0, 0);
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    blocks.visit::<WorkError>(0..blocks.sizes().len(), &mut |block| {
        for (_, positions, counts) in block.documents() {
            let (mut before, mut after) = (0, 0);
            for (position, &count) in positions.iter().zip(counts) {
                if let Ok(at) = all.binary_search_by_key(position, |(position, _)| *position) {
                    before += u64::from(count);
                    after += u64::from(all[at].1) * u64::from(count);
                }
            }
            too_short += u64::from(before >= min_tokens && after < min_tokens);
            (tokens, left) = (tokens + before, left + after);
        }
        Ok(())
    })?;
    Ok(((tokens - left) as f64 / tokens.max(1) as f64, too_short))
}

/// exp of the entropy of numbers that are proportional to probabilities: over how many they are spread.
fn effective_number(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut weighted) = (0.0, 0.0);
    for number in numbers.filter(|number| *number > 0.0) {
        sum += number;
        weighted += number * number.ln();
    }
    if sum > 0.0 { (sum.ln() - weighted / sum).exp() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_over_as_many_as_are_alike() {
        let number = |of: &[f64]| effective_number(of.iter().copied());
        assert!((number(&[0.2, 0.2, 0.2, 0.0]) - 3.0).abs() < 1e-12);
        assert!((number(&[7.0]) - 1.0).abs() < 1e-12);
        let halves = [0.5f64, 0.25, 0.25];
        let entropy: f64 = halves.iter().map(|p| -p * p.ln()).sum();
        assert!((number(&halves.map(|p| 3.0 * p)) - entropy.exp()).abs() < 1e-12);
        assert_eq!(number(&[]), 0.0);
    }
}
