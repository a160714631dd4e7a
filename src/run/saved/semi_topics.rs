//! The topics of a saved run, as the topics that a synthetic corpus is drawn from.

use std::collections::HashMap;

use crate::store::{Store, StoreError};
use crate::synth::Topic;

/// Why no corpus can be drawn from a run's topics.
#[derive(Debug, thiserror::Error)]
pub enum SemiTopicsError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run without topics.
    #[error("run {run} is {status} and has no topics to draw from; give --from a finished run")]
    NoTopics {
        /// The run.
        run: i64,
        /// The word for how it stands.
        status: &'static str,
    },
}

/// The words of a run's vocabulary, by position, and its topics over them: what
/// [`crate::synth::semi::semi`] takes.
///
/// # Errors
/// When there is no such run, it has no topics, or the store cannot be read.
pub fn semi_topics(store: &Store, run: i64) -> Result<(Vec<String>, Vec<Topic>), SemiTopicsError> {
    let row = store.run(run)?;
    let saved = store.saved_topics(run)?;
    let vocabulary = row.vocabulary_id.filter(|_| !saved.is_empty());
    let Some(vocabulary) = vocabulary else {
        return Err(SemiTopicsError::NoTopics { run, status: row.status.as_str() });
    };
    let ids = store.vocabulary(vocabulary)?.term_ids;
    let mut texts: HashMap<i64, String> =
        store.terms(row.corpus_id)?.into_iter().map(|term| (term.id, term.text)).collect();
    let numbers: HashMap<i64, u32> = ids.iter().copied().zip(0..).collect();
    let words = ids.iter().map(|id| texts.remove(id).unwrap_or_default()).collect();
    let topic = |terms: &[(i64, f64)]| {
        let mut topic: Topic =
            terms.iter().filter_map(|(id, p)| Some((*numbers.get(id)?, *p))).collect();
        topic.sort_by_key(|&(word, _)| word);
        topic
    };
    Ok((words, saved.iter().map(|saved| topic(&saved.terms)).collect()))
}
