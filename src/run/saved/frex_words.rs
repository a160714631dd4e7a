//! A finished run's topics by the words that are frequent in them and exclusive to them.

use crate::metric::words::frex::frex;
use crate::metric::words::top_words::top_words;
use crate::run::work::recompute::{read_topics, vocabulary};
use crate::run::work::work_error::WorkError;
use crate::store::Store;
use crate::store::result::topic::Word;
use crate::store::run::Run;

/// The `count` words of the highest FREX of every topic, with their probabilities, as stm's
/// `labelTopics` lists them.
///
/// # Errors
/// When the run has no topics or the store cannot be read.
///
/// # Source
/// Bischof and Airoldi 2012; the stm package's `calcfrex` (`metric::frex`).
pub fn frex_words(store: &Store, run: &Run, count: usize) -> Result<Vec<Vec<Word>>, WorkError> {
    let vocabulary = vocabulary(store, run)?;
    let topics = read_topics(run, &store.saved_topics(run.id)?, &vocabulary)?;
    let scores = frex(&topics, &vocabulary.counts);
    let by_score = scores.columns().into_iter().zip(topics.columns());
    let words = by_score.map(|(scores, probabilities)| {
        let best = top_words(scores, count).into_iter();
        let word =
            |at: usize| Word { word: vocabulary.words[at].clone(), probability: probabilities[at] };
        best.map(word).collect()
    });
    Ok(words.collect())
}
