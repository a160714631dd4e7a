//! Which topic a word most probably comes from.

use super::Store;
use super::error::Result;

/// p(topic | word) is proportional to p(word | topic) · p(topic). With `max`, SQLite takes the
/// bare column from the row of the largest; of equal ones the first topic.
const MOST_PROBABLE: &str = "SELECT term.text, w.topic, max(w.probability * topic.weight), \
    sum(w.probability * topic.weight) \
    FROM topic_term AS w JOIN topic ON topic.run_id = w.run_id AND topic.topic = w.topic \
    JOIN term ON term.id = w.term_id \
    WHERE w.run_id = ?1 GROUP BY w.term_id";

/// A word of a run and its most probable topic.
#[derive(Debug, Clone, PartialEq)]
pub struct WordTopic {
    /// The word.
    pub word: String,
    /// The topic t with the largest p(t | word).
    pub topic: u64,
    /// p(t | word), above 0 and at most 1.
    pub probability: f64,
}

impl Store {
    /// For every word of a run that some topic gives a probability above zero: the topic it most
    /// probably comes from, by Bayes' rule from the saved p(word | topic) and p(topic). One pass
    /// over the run's rows of `topic_term`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn word_topics(&self, run: i64) -> Result<Vec<WordTopic>> {
        let read = |row: &rusqlite::Row<'_>| {
            let (joint, all): (f64, f64) = (row.get(2)?, row.get(3)?);
            let probability = if all > 0.0 { joint / all } else { 0.0 };
            Ok(WordTopic { word: row.get(0)?, topic: row.get(1)?, probability })
        };
        let mut found = self.rows(MOST_PROBABLE, [run], read)?;
        found.retain(|word| word.probability > 0.0);
        Ok(found)
    }
}
