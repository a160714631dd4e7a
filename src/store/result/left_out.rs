//! Documents that a run could not use, and why.

use crate::store::Store;
use crate::store::error::Result;

const INSERT: &str = "INSERT INTO left_out_document (run_id, document_id, reason, tokens) \
    VALUES (?1, ?2, CASE ?3 WHEN 0 THEN 'no term' ELSE 'too short' END, ?3)";
const BY_REASON: &str = "SELECT reason, count(*), total(tokens) FROM left_out_document \
    WHERE run_id = ?1 GROUP BY reason ORDER BY reason";

/// Documents that were left out for one reason.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LeftOut {
    /// "no term" of the vocabulary, or "too short".
    pub reason: String,
    /// How many they are.
    pub documents: u64,
    /// Their tokens of the vocabulary.
    pub tokens: u64,
}

impl Store {
    /// How many documents a run left out, by reason.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn left_out(&self, run: i64) -> Result<Vec<LeftOut>> {
        self.rows(BY_REASON, [run], |row| {
            let tokens: f64 = row.get(2)?;
            Ok(LeftOut { reason: row.get(0)?, documents: row.get(1)?, tokens: tokens as u64 })
        })
    }

    /// Saves which documents (id, tokens) a run left out.
    pub(super) fn insert_left_out(&self, run: i64, documents: &[(i64, u64)]) -> Result<()> {
        documents
            .iter()
            .try_for_each(|&(id, tokens)| self.execute(INSERT, (run, id, tokens as i64)).map(drop))
    }
}
