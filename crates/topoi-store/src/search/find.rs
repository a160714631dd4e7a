//! Finding documents with the index.

use super::expression::Expression;
use super::{damaged, tables};
use crate::Store;
use crate::error::Result;
use crate::id::{CorpusId, DocumentId};
use crate::integer::saturated;

/// The order of search results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// Most relevant first (BM25); ties go to the earlier document.
    #[default]
    Relevance,
    /// Order of ingestion.
    Document,
}

impl Store {
    /// The ids of all documents in the index of a corpus that match `what`, ascending.
    ///
    /// # Errors
    /// [`crate::StoreError::DamagedIndex`].
    pub fn find_documents(
        &self,
        corpus_id: CorpusId,
        what: &Expression,
    ) -> Result<Vec<DocumentId>> {
        let table = tables::table(corpus_id);
        let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY rowid");
        let found = self.rows(&sql, [what.to_fts5()], |row| row.get(0));
        found.map_err(|error| damaged(error, corpus_id))
    }

    /// The ids of the `limit` most relevant matching documents (BM25), most relevant first; ties go to the
    /// earlier document.
    ///
    /// # Errors
    /// As [`Store::find_documents`].
    pub fn most_relevant(
        &self,
        corpus_id: CorpusId,
        what: &Expression,
        limit: usize,
    ) -> Result<Vec<DocumentId>> {
        let table = tables::table(corpus_id);
        let sql = format!(
            "SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}), rowid LIMIT ?2"
        );
        let found = self.rows(&sql, (what.to_fts5(), saturated(limit)), |row| row.get(0));
        found.map_err(|error| damaged(error, corpus_id))
    }
}
