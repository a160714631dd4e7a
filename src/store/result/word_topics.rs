//! Which topic a word most probably comes from.

use crate::store::Store;
use crate::store::error::Result;

/// p(topic | word) is proportional to p(word | topic) · p(topic). With `max`, SQLite takes the
/// bare column from the row of the largest; of equal ones the first topic.
const MOST_PROBABLE: &str = "SELECT term.text, w.topic, max(w.probability * topic.weight), \
    sum(w.probability * topic.weight) \
    FROM topic_term AS w JOIN topic ON topic.run_id = w.run_id AND topic.topic = w.topic \
    JOIN term ON term.id = w.term_id \
    WHERE w.run_id = ?1 GROUP BY w.term_id";
/// The same with the document's proportions for p(topic), for the words it has.
const MOST_PROBABLE_HERE: &str = "SELECT term.text, w.topic, max(w.probability * about.proportion), \
    sum(w.probability * about.proportion) FROM document_topic AS about \
    CROSS JOIN topic_term AS w ON w.run_id = about.run_id AND w.topic = about.topic \
    JOIN term ON term.id = w.term_id \
    WHERE about.run_id = ?1 AND about.document_id = ?2 AND w.term_id IN (SELECT CAST(key AS INTEGER) \
    FROM document_counts, json_each(counts) WHERE document_counts.document_id = ?2) \
    GROUP BY w.term_id";

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
        self.most_probable(MOST_PROBABLE, [run])
    }

    /// The same of the words of a document, with its saved proportions in place of p(topic). Words
    /// that none of its topics has are left out, so are all when the run did not look at it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn word_topics_in(&self, run: i64, document: i64) -> Result<Vec<WordTopic>> {
        self.most_probable(MOST_PROBABLE_HERE, [run, document])
    }

    fn most_probable(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<WordTopic>> {
        let read = |row: &rusqlite::Row<'_>| {
            let (joint, all): (f64, f64) = (row.get(2)?, row.get(3)?);
            let probability = if all > 0.0 { joint / all } else { 0.0 };
            Ok(WordTopic { word: row.get(0)?, topic: row.get(1)?, probability })
        };
        let mut found = self.rows(sql, values, read)?;
        found.retain(|word| word.probability > 0.0);
        Ok(found)
    }
}
