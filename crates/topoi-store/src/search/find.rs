//! Finding documents by the index.

use super::expression::Expression;
use super::{damaged, made};
use crate::Store;
use crate::error::Result;
use crate::integer::saturated;

/// In which order documents come that were found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FoundOrder {
    /// The most relevant first (BM25), of equal ones the earlier.
    #[default]
    Relevance,
    /// As they were added.
    Document,
}

impl Store {
    /// The ids of all documents that are in the index of a corpus and for which `what` holds, ascending.
    ///
    /// # Errors
    /// [`crate::StoreError::DamagedIndex`]; when the store cannot be read.
    pub fn find_documents(&self, corpus_id: i64, what: &Expression) -> Result<Vec<i64>> {
        let table = made::table(corpus_id);
        let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY rowid");
        let found = self.rows(&sql, [what.matching()], |row| row.get(0));
        found.map_err(|error| damaged(error, corpus_id))
    }

    /// Those of them that are the `limit` most relevant (BM25), the most relevant first, of equal ones the
    /// earlier.
    ///
    /// # Errors
    /// As [`Store::find_documents`].
    pub fn most_relevant(
        &self,
        corpus_id: i64,
        what: &Expression,
        limit: usize,
    ) -> Result<Vec<i64>> {
        let table = made::table(corpus_id);
        let sql = format!(
            "SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}), rowid LIMIT ?2"
        );
        let found = self.rows(&sql, (what.matching(), saturated(limit)), |row| row.get(0));
        found.map_err(|error| damaged(error, corpus_id))
    }
}
