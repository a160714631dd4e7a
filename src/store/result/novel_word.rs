//! What separable models find on their way to topics.

use crate::store::Store;
use crate::store::error::Result;

/// A word that may be novel, as a run saved it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SavedNovelWord {
    /// The word.
    pub word: String,
    /// The topic whose novel word it is.
    pub topic: Option<u64>,
    /// Its solid angle, share of directions or bins, or margin.
    pub score: f64,
}

impl Store {
    /// The words of a run that may be novel, best first, at most `limit`; none for models that
    /// look for no novel words.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn novel_words(&self, run: i64, limit: usize) -> Result<Vec<SavedNovelWord>> {
        self.rows(
            "SELECT term.text, novel.topic, novel.score FROM novel_word AS novel \
             JOIN term ON term.id = novel.term_id \
             WHERE novel.run_id = ?1 ORDER BY novel.rank LIMIT ?2",
            (run, limit as i64),
            |row| Ok(SavedNovelWord { word: row.get(0)?, topic: row.get(1)?, score: row.get(2)? }),
        )
    }

    /// (ζ, K̂) of a run, ascending by ζ; none for models without solid angles.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn topic_estimates(&self, run: i64) -> Result<Vec<(f64, u64)>> {
        let sql = "SELECT distance, topics FROM topic_estimate WHERE run_id = ?1 ORDER BY distance";
        self.rows(sql, [run], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// `words` are (term row id, topic, score), best first.
    pub(crate) fn insert_novel_words(
        &self,
        run: i64,
        words: &[(i64, Option<u64>, f64)],
        estimates: &[(f64, u64)],
    ) -> Result<()> {
        for (index, (term_id, topic, score)) in words.iter().enumerate() {
            self.execute(
                "INSERT INTO novel_word (run_id, rank, term_id, topic, score) \
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                (run, index as i64 + 1, term_id, topic.map(|topic| topic as i64), score),
            )?;
        }
        for (distance, topics) in estimates {
            self.execute(
                "INSERT INTO topic_estimate (run_id, distance, topics) VALUES (?1, ?2, ?3)",
                (run, distance, *topics as i64),
            )?;
        }
        Ok(())
    }
}
