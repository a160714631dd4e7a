//! Vocabularies: named choices of a corpus's terms, made when a run starts.

use super::Store;
use super::error::Result;

/// A vocabulary as saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedVocabulary {
    /// Row id.
    pub id: i64,
    /// Term row ids in vocabulary order (ascending position in the corpus).
    pub term_ids: Vec<i64>,
}

impl Store {
    /// Saves a vocabulary, or returns the id of the one that is there already with the same
    /// settings and terms. `hash` identifies the ordered term ids.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save_vocabulary(
        &mut self,
        corpus_id: i64,
        settings: &str,
        hash: &[u8],
        term_ids: &[i64],
    ) -> Result<i64> {
        self.transaction(|store| {
            let there = store.rows(
                "SELECT id FROM vocabulary WHERE corpus_id = ?1 AND settings = ?2 AND hash = ?3",
                (corpus_id, settings, hash),
                |row| row.get(0),
            )?;
            if let Some(&id) = there.first() {
                return Ok(id);
            }
            store.execute(
                "INSERT INTO vocabulary (corpus_id, settings, terms, hash, created_at) \
                 VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ'))",
                (corpus_id, settings, term_ids.len() as i64, hash),
            )?;
            let id = store.connection.last_insert_rowid();
            for (position, term_id) in term_ids.iter().enumerate() {
                store.execute(
                    "INSERT INTO vocabulary_term (vocabulary_id, position, term_id) \
                     VALUES (?1, ?2, ?3)",
                    (id, position as i64, term_id),
                )?;
            }
            Ok(id)
        })
    }

    /// The saved vocabulary with row id `id`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn vocabulary(&self, id: i64) -> Result<SavedVocabulary> {
        let term_ids = self.rows(
            "SELECT term_id FROM vocabulary_term WHERE vocabulary_id = ?1 ORDER BY position",
            [id],
            |row| row.get(0),
        )?;
        Ok(SavedVocabulary { id, term_ids })
    }
}
