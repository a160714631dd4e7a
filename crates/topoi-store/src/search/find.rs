//! Finding documents with the index.

use super::encoded::{decoded, push_encoded, push_field};
use super::expression::Expression;
use super::pattern::WordPattern;
use super::{StoredDocument, damaged, tables};
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

    /// The words of the index of a corpus that fit a pattern, in texts or in a field; `None` if there are more than
    /// `most`. Reads all words that begin as the pattern does.
    ///
    /// # Errors
    /// As [`Store::find_documents`].
    pub fn words_of_index(
        &self,
        corpus_id: CorpusId,
        field: Option<&str>,
        pattern: &WordPattern,
        most: usize,
    ) -> Result<Option<Vec<String>>> {
        let table = tables::table(corpus_id);
        // A connection that only reads makes no tables, not even temporary ones.
        let is_reading: bool = self.scalar("PRAGMA query_only", [])?;
        let list = format!(
            "PRAGMA query_only = OFF; CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}_words \
             USING fts5vocab(main, {table}, col); PRAGMA query_only = {}",
            if is_reading { "ON" } else { "OFF" }
        );
        self.execute_batch(&list).map_err(|error| damaged(error, corpus_id))?;
        let (column, mut begins) = match field {
            Some(_) => ("fields", String::new()),
            None => ("words", String::new()),
        };
        match field {
            Some(field) => push_field(&mut begins, field, &pattern.beginning()),
            None => push_encoded(&mut begins, &pattern.beginning()),
        }
        let sql = format!("SELECT term FROM temp.{table}_words WHERE term >= ?1 AND col = ?2");
        let mut found = Vec::new();
        let mut read = || -> rusqlite::Result<bool> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query((&begins, column))?;
            while let Some(row) = rows.next()? {
                let term: String = row.get(0)?;
                if !term.starts_with(&begins) {
                    break;
                }
                let word = term.split_once('=').map_or(&*term, |(_, word)| word);
                let word = decoded(word);
                if pattern.fits(&word) {
                    found.push(word);
                }
                if found.len() > most {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let is_all = read().map_err(|source| damaged(self.error(source), corpus_id))?;
        Ok(is_all.then_some(found))
    }

    /// Documents with these ids, with their texts if `has_texts`; those deleted meanwhile are left out.
    pub fn documents_to_look_at(
        &self,
        ids: &[DocumentId],
        has_texts: bool,
    ) -> Result<Vec<StoredDocument>> {
        let text = if has_texts { "t.text" } else { "NULL" };
        let sql = format!(
            "SELECT d.id, d.key, d.title, d.fields, {text} FROM json_each(?1) AS wanted \
             JOIN document AS d ON d.id = wanted.value \
             LEFT JOIN document_text AS t ON t.document_id = d.id"
        );
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        self.rows(&sql, [format!("[{}]", ids.join(","))], StoredDocument::read)
    }

    /// The ids of all documents of a corpus, ascending.
    pub fn ids_of_documents(&self, corpus_id: CorpusId) -> Result<Vec<DocumentId>> {
        self.rows("SELECT id FROM document WHERE corpus_id = ?1 ORDER BY id", [corpus_id], |row| {
            row.get(0)
        })
    }
}
