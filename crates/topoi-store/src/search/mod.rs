//! The full-text index of a corpus: a contentless FTS5 table.
//!
//! It is created when it is first needed, in batches of one transaction each. From then on every change of
//! documents updates it in the same transaction. Callers know the corpus's tokenizer and pass it as [`Words`].
//! The table has the columns `words`, all words of the text in order, and `fields`, a `name=word` for each word
//! of the document's key, title and fields.

mod check;
mod encoded;
pub mod expression;
pub mod find;
pub mod pattern;
mod tables;

use std::collections::BTreeSet;

use rayon::prelude::*;

pub use self::encoded::Words;
use self::encoded::{IndexRow, read_lengths};
pub(crate) use self::tables::{index_number, statements};
use super::Store;
use super::corpus::Corpus;
use super::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};

const STATE: &str = "SELECT through, documents, fields FROM search_index WHERE corpus_id = ?1 \
    AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'topoi_search_' || ?1)";
const BEGIN: &str = "INSERT OR REPLACE INTO search_index (corpus_id, through, documents, fields) \
    VALUES (?1, 0, 0, '[]')";
const FORGET: &str = "DELETE FROM search_index WHERE corpus_id = ?1";
/// The unary plus keeps SQLite from walking the index of keys, which it would have to sort.
const NEXT: &str = "SELECT d.id, d.key, d.title, d.fields, t.text FROM document AS d \
    LEFT JOIN document_text AS t ON t.document_id = d.id \
    WHERE +d.corpus_id = ?1 AND d.id > ?2 ORDER BY d.id";
const ONE: &str = "SELECT d.id, d.key, d.title, d.fields, t.text FROM document AS d \
    LEFT JOIN document_text AS t ON t.document_id = d.id WHERE d.id = ?1";
const ADDED: &str = "UPDATE search_index SET through = max(through, ?2), \
    documents = documents + 1 WHERE corpus_id = ?1";
const REMOVED: &str = "UPDATE search_index SET documents = documents - 1 \
    WHERE corpus_id = ?1 AND through >= ?2";
const NAME_FIELDS: &str = "UPDATE search_index SET fields = ?2 WHERE corpus_id = ?1";
const LENGTHS: &str = "SELECT octet_length(text) FROM document_text WHERE document_id IN \
    (SELECT id FROM document WHERE corpus_id = ?1 LIMIT 2000)";

/// Bytes of text that are read and indexed in one transaction: about a second, in which others cannot write.
pub const BATCH_BYTES: usize = 16 << 20;

/// The state of a corpus's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchIndex {
    /// Documents with ids up to this one are indexed.
    pub through: DocumentId,
    /// Number of indexed documents.
    pub documents: u64,
    /// Names of the searchable fields, sorted.
    pub fields: Vec<String>,
}

/// A document with all its searchable content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// Row id.
    pub id: DocumentId,
    /// Its key, unique in its corpus.
    pub key: String,
    /// Its title, if the source has one.
    pub title: Option<String>,
    /// Its fields, a JSON object.
    pub fields: Option<String>,
    /// Its text, if the source has one.
    pub text: Option<String>,
}

impl StoredDocument {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            key: row.get(1)?,
            title: row.get(2)?,
            fields: row.get(3)?,
            text: row.get(4)?,
        })
    }

    fn bytes(&self) -> usize {
        // A document without text has a cost too.
        64 + self.text.as_ref().map_or(0, String::len) + self.fields.as_ref().map_or(0, String::len)
    }

    fn searched(&self) -> SearchableDocument<'_> {
        let [title, fields, text] = [&self.title, &self.fields, &self.text].map(Option::as_deref);
        SearchableDocument { key: &self.key, title, fields, text }
    }
}

/// The searchable content of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchableDocument<'a> {
    pub(crate) key: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) fields: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
}

impl Store {
    /// The state of a corpus's index; `None` if there is no index.
    pub fn search_index(&self, corpus_id: CorpusId) -> Result<Option<SearchIndex>> {
        let read = |row: &rusqlite::Row<'_>| {
            let fields: String = row.get(2)?;
            let fields = serde_json::from_str(&fields).unwrap_or_default();
            Ok(SearchIndex { through: row.get(0)?, documents: row.get(1)?, fields })
        };
        Ok(self.rows(STATE, [corpus_id], read)?.pop())
    }

    /// Whether every document of the corpus is indexed.
    pub fn is_indexed(&self, corpus: &Corpus) -> Result<bool> {
        let index = self.search_index(corpus.id)?;
        Ok(index.is_some_and(|index| index.documents == corpus.documents))
    }

    /// Approximate bytes of all texts of a corpus, extrapolated from two thousand.
    pub fn bytes_of_texts(&self, corpus: &Corpus) -> Result<u64> {
        let lengths: Vec<u64> = self.rows(LENGTHS, [corpus.id], |row| row.get(0))?;
        let sum = lengths.iter().map(|&length| u128::from(length)).sum::<u128>();
        let all = sum.saturating_mul(corpus.documents.into()) / lengths.len().max(1) as u128;
        Ok(u64::try_from(all).unwrap_or(u64::MAX))
    }

    /// Bytes of a corpus's index in the file; 0 if there is none.
    pub fn bytes_of_search_index(&self, corpus_id: CorpusId) -> Result<u64> {
        if self.search_index(corpus_id)?.is_none() {
            return Ok(0);
        }
        let table = tables::table(corpus_id);
        let sql = format!("SELECT coalesce(sum(length(block)), 0) FROM {table}_data");
        self.scalar(&sql, []).map_err(|error| damaged(error, corpus_id))
    }

    /// Indexes the next documents of a corpus, up to `bytes` of text ([`BATCH_BYTES`]), in one transaction. The index
    /// is created if there is none. Returns the number of documents; 0 if all are indexed.
    pub fn extend_search_index(
        &mut self,
        corpus_id: CorpusId,
        bytes: usize,
        words: Words<'_>,
    ) -> Result<u64> {
        self.transaction(|store| {
            let index = match store.search_index(corpus_id)? {
                Some(index) => index,
                None => store.begin_search_index(corpus_id)?,
            };
            let documents = store.documents_with_text(corpus_id, index.through, bytes)?;
            let read = |document: &StoredDocument| IndexRow::new(document.searched(), words);
            let rows: Vec<IndexRow> = documents.par_iter().with_min_len(16).map(read).collect();
            let mut indexer = Indexer::new(corpus_id, index);
            for (document, row) in documents.iter().zip(rows) {
                indexer.insert(store, document.id, row)?;
            }
            indexer.save_names(store)?;
            Ok(documents.len() as u64)
        })
    }

    fn begin_search_index(&self, corpus_id: CorpusId) -> Result<SearchIndex> {
        // Drops a damaged table, or that of a deleted corpus with the same id.
        self.drop_search_table(corpus_id)?;
        self.execute_batch(&tables::create(corpus_id))?;
        self.execute(BEGIN, [corpus_id])?;
        Ok(SearchIndex { through: DocumentId(0), documents: 0, fields: Vec::new() })
    }

    /// The documents of a corpus with ids above `after`, with their texts, until they have `most` bytes
    /// together; empty after the last document.
    pub fn documents_with_text(
        &self,
        corpus_id: CorpusId,
        after: DocumentId,
        most: usize,
    ) -> Result<Vec<StoredDocument>> {
        let (mut documents, mut bytes) = (Vec::new(), 0);
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(NEXT)?;
            let mut rows = statement.query((corpus_id, after))?;
            while let Some(row) = rows.next()? {
                let document = StoredDocument::read(row)?;
                bytes += document.bytes();
                documents.push(document);
                if bytes >= most {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(|source| self.error(source))?;
        Ok(documents)
    }

    /// Removes the index of a corpus.
    pub fn drop_search_index(&mut self, corpus_id: CorpusId) -> Result<()> {
        self.transaction(|store| store.forget_search_index(corpus_id))
    }

    /// As [`Store::drop_search_index`], within a transaction.
    pub(crate) fn forget_search_index(&self, corpus_id: CorpusId) -> Result<()> {
        self.execute(FORGET, [corpus_id])?;
        self.drop_search_table(corpus_id)
    }

    fn drop_search_table(&self, corpus_id: CorpusId) -> Result<()> {
        let table = tables::table(corpus_id);
        let dropped = self.execute_batch(&format!("DROP TABLE IF EXISTS {table}"));
        dropped.map_err(|error| damaged(error, corpus_id))
    }

    /// Removes an unchanged, existing document from the index of its corpus, if it is indexed.
    ///
    /// FTS5 needs the words that were indexed. If they are not known or differ, as after a change of the
    /// tokenizer, the whole index is dropped and is rebuilt when it is next needed. Returns whether there is an
    /// index afterwards.
    pub(crate) fn unindex(
        &self,
        corpus_id: CorpusId,
        id: DocumentId,
        words: Option<Words<'_>>,
    ) -> Result<bool> {
        let Some(index) = self.search_index(corpus_id)? else { return Ok(false) };
        if id > index.through {
            return Ok(true);
        }
        let document = self.rows(ONE, [id], StoredDocument::read)?.pop();
        let row =
            document.zip(words).map(|(document, words)| IndexRow::new(document.searched(), words));
        match row {
            Some(row) if self.lengths_in_index(corpus_id, id)? == Some(row.lengths()) => {
                self.delete_from_index(corpus_id, id, &row)?;
                Ok(true)
            }
            _ => self.forget_search_index(corpus_id).map(|()| false),
        }
    }

    fn delete_from_index(&self, corpus_id: CorpusId, id: DocumentId, row: &IndexRow) -> Result<()> {
        let table = tables::table(corpus_id);
        let sql = format!(
            "INSERT INTO {table} ({table}, rowid, words, fields) VALUES ('delete', ?1, ?2, ?3)"
        );
        self.execute(&sql, (id, &row.words, &row.fields))
            .map_err(|error| damaged(error, corpus_id))?;
        self.execute(REMOVED, (corpus_id, id))?;
        Ok(())
    }

    /// Number of words in each column of an indexed document.
    fn lengths_in_index(&self, corpus_id: CorpusId, id: DocumentId) -> Result<Option<[u64; 2]>> {
        let sql = format!("SELECT sz FROM {}_docsize WHERE id = ?1", tables::table(corpus_id));
        let found: Result<Vec<Vec<u8>>> = self.rows(&sql, [id], |row| row.get(0));
        let found = found.map_err(|error| damaged(error, corpus_id))?;
        Ok(found.first().and_then(|sizes| read_lengths(sizes)))
    }
}

/// Adds documents to the index of a corpus within a transaction.
#[derive(Debug)]
pub(crate) struct Indexer {
    corpus_id: CorpusId,
    through: DocumentId,
    names: BTreeSet<String>,
    /// Number of saved names.
    saved: usize,
}

impl Indexer {
    fn new(corpus_id: CorpusId, index: SearchIndex) -> Self {
        let names: BTreeSet<String> = index.fields.into_iter().collect();
        Self { corpus_id, through: index.through, saved: names.len(), names }
    }

    /// The indexer of a corpus; `None` if there is no index. The flag tells whether new documents can be added:
    /// an index that lacks earlier documents is extended later, in document order.
    pub(crate) fn open(store: &Store, corpus_id: CorpusId) -> Result<Option<(Self, bool)>> {
        let Some(index) = store.search_index(corpus_id)? else { return Ok(None) };
        let documents: u64 =
            store.scalar("SELECT documents FROM corpus WHERE id = ?1", [corpus_id])?;
        let is_whole = index.documents == documents;
        Ok(Some((Self::new(corpus_id, index), is_whole)))
    }

    /// Whether the document with this id is indexed, or was before it was removed to be replaced.
    pub(crate) fn covers(&self, id: DocumentId) -> bool {
        id <= self.through
    }

    pub(crate) fn add(
        &mut self,
        store: &Store,
        id: DocumentId,
        document: SearchableDocument<'_>,
        words: Words<'_>,
    ) -> Result<()> {
        self.insert(store, id, IndexRow::new(document, words))
    }

    fn insert(&mut self, store: &Store, id: DocumentId, row: IndexRow) -> Result<()> {
        let IndexRow { words, fields, names } = row;
        let table = tables::table(self.corpus_id);
        let sql = format!("INSERT INTO {table} (rowid, words, fields) VALUES (?1, ?2, ?3)");
        let inserted = store.execute(&sql, (id, words, fields));
        inserted.map_err(|error| damaged(error, self.corpus_id))?;
        store.execute(ADDED, (self.corpus_id, id))?;
        self.names.extend(names);
        self.through = self.through.max(id);
        Ok(())
    }

    pub(crate) fn save_names(&mut self, store: &Store) -> Result<()> {
        if self.names.len() > self.saved {
            let names = serde_json::to_string(&self.names).unwrap_or_else(|_| "[]".into());
            store.execute(NAME_FIELDS, (self.corpus_id, names))?;
            self.saved = self.names.len();
        }
        Ok(())
    }
}

/// SQLite reports the index itself as corrupt if only the index was read.
fn damaged(error: StoreError, corpus_id: CorpusId) -> StoreError {
    let is_corrupt = matches!(&error, StoreError::Sqlite { source, .. } if source.is_damage());
    if is_corrupt { StoreError::DamagedIndex { corpus: corpus_id } } else { error }
}
