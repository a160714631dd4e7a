//! Reading a run's result back as it was saved, to calculate with it again.

use super::topic::SavedTopic;
use crate::store::Store;
use crate::store::error::Result;

impl Store {
    /// The topics of a run with every word, as [`Store::finish_run`] wrote them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn saved_topics(&self, run: i64) -> Result<Vec<SavedTopic>> {
        let mut topics = self.rows(
            "SELECT weight, anchor_term_id FROM topic WHERE run_id = ?1 ORDER BY topic",
            [run],
            |row| {
                Ok(SavedTopic {
                    weight: row.get(0)?,
                    anchor_term_id: row.get(1)?,
                    terms: Vec::new(),
                    characteristic: Vec::new(),
                })
            },
        )?;
        for (number, topic) in topics.iter_mut().enumerate() {
            topic.terms = self.saved_words("topic_term", run, number)?;
            topic.characteristic = self.saved_words("characteristic_term", run, number)?;
        }
        Ok(topics)
    }

    fn saved_words(&self, table: &str, run: i64, topic: usize) -> Result<Vec<(i64, f64)>> {
        let sql = format!(
            "SELECT term_id, probability FROM {table} WHERE run_id = ?1 AND topic = ?2 \
             ORDER BY rank"
        );
        self.rows(&sql, (run, topic as i64), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// K × K joint probabilities of a run's topics, row by row; empty for models without them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn saved_correlations(&self, run: i64) -> Result<Vec<f64>> {
        self.rows(
            "SELECT joint FROM topic_correlation WHERE run_id = ?1 ORDER BY topic_a, topic_b",
            [run],
            |row| row.get(0),
        )
    }

    /// The eigenvalues a run computed, largest first, each with its residual norm; empty for
    /// models without them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn spectrum(&self, run: i64) -> Result<Vec<(f64, Option<f64>)>> {
        self.rows(
            "SELECT value, residual FROM spectrum WHERE run_id = ?1 ORDER BY position",
            [run],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }
}
