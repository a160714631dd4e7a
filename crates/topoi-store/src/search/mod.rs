//! The full-text index of a corpus: an FTS5 table without content beside its documents.
//!
//! It is made when first wanted, in batches, each a transaction, and is from then on kept up by whatever
//! adds, replaces or deletes documents, in the same transaction as these. What is a word, those say that
//! know the corpus's tokenizer: they hand over a [`Words`]. The columns of the table are `words`, all
//! words of the text in their order, and `fields`, a `name=word` for each word of the document's key,
//! title and fields.

mod check;
mod encoded;
pub mod expression;
pub mod find;
mod made;

use std::collections::BTreeSet;

use rayon::prelude::*;

pub use self::encoded::Words;
use self::encoded::{Row, read_lengths};
pub(crate) use self::made::{index_number, statements};
use super::Store;
use super::corpus::Corpus;
use super::error::{Result, StoreError};

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

/// Bytes of text that are indexed in one transaction, and read at once: about a second, in which others cannot write.
pub const BATCH: usize = 16 << 20;

/// How far the index of a corpus is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchIndex {
    /// Documents with ids up to this one are in it.
    pub through: i64,
    /// Number of documents in it.
    pub documents: u64,
    /// Names of the fields that can be asked for, sorted.
    pub fields: Vec<String>,
}

/// A document with all that can be looked for in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// Row id.
    pub id: i64,
    /// Its key, unique in its corpus.
    pub key: String,
    /// Its title, where the source gave one.
    pub title: Option<String>,
    /// Its fields, a JSON object.
    pub fields: Option<String>,
    /// Its text, where the source gave one.
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
        // A document costs something without a text too.
        64 + self.text.as_ref().map_or(0, String::len) + self.fields.as_ref().map_or(0, String::len)
    }

    fn searched(&self) -> Searched<'_> {
        let [title, fields, text] = [&self.title, &self.fields, &self.text].map(Option::as_deref);
        Searched { key: &self.key, title, fields, text }
    }
}

/// The parts of a document that the index has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub(crate) key: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) fields: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
}

impl Store {
    /// How far the index of a corpus is; `None` where there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn search_index(&self, corpus_id: i64) -> Result<Option<SearchIndex>> {
        let read = |row: &rusqlite::Row<'_>| {
            let fields: String = row.get(2)?;
            let fields = serde_json::from_str(&fields).unwrap_or_default();
            Ok(SearchIndex { through: row.get(0)?, documents: row.get(1)?, fields })
        };
        Ok(self.rows(STATE, [corpus_id], read)?.pop())
    }

    /// Whether every document of the corpus is in its index.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn is_indexed(&self, corpus: &Corpus) -> Result<bool> {
        let index = self.search_index(corpus.id)?;
        Ok(index.is_some_and(|index| index.documents == corpus.documents))
    }

    /// About how many bytes the texts of a corpus have, from two thousand of them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn bytes_of_texts(&self, corpus: &Corpus) -> Result<u64> {
        let lengths: Vec<u64> = self.rows(LENGTHS, [corpus.id], |row| row.get(0))?;
        let sum = lengths.iter().map(|&length| u128::from(length)).sum::<u128>();
        let all = sum.saturating_mul(corpus.documents.into()) / lengths.len().max(1) as u128;
        Ok(u64::try_from(all).unwrap_or(u64::MAX))
    }

    /// Bytes that the index of a corpus takes in the file; 0 where there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn bytes_of_search_index(&self, corpus_id: i64) -> Result<u64> {
        if self.search_index(corpus_id)?.is_none() {
            return Ok(0);
        }
        let table = made::table(corpus_id);
        let sql = format!("SELECT coalesce(sum(length(block)), 0) FROM {table}_data");
        self.scalar(&sql, []).map_err(|error| damaged(error, corpus_id))
    }

    /// Takes the next documents of a corpus into its index, which is made where there is none: `bytes` of texts
    /// ([`BATCH`]) in one transaction. How many there were; 0 once all are in it.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn extend_search_index(
        &mut self,
        corpus_id: i64,
        bytes: usize,
        words: Words<'_>,
    ) -> Result<u64> {
        self.transaction(|store| {
            let index = match store.search_index(corpus_id)? {
                Some(index) => index,
                None => store.begin_search_index(corpus_id)?,
            };
            let documents = store.whole_documents(corpus_id, index.through, bytes)?;
            let read = |document: &StoredDocument| Row::of(document.searched(), words);
            let rows: Vec<Row> = documents.par_iter().with_min_len(16).map(read).collect();
            let mut indexer = Indexer::new(corpus_id, index);
            for (document, row) in documents.iter().zip(rows) {
                indexer.insert(store, document.id, row)?;
            }
            indexer.save_names(store)?;
            Ok(documents.len() as u64)
        })
    }

    fn begin_search_index(&self, corpus_id: i64) -> Result<SearchIndex> {
        // One that is damaged, or of a corpus of this number that is gone.
        self.drop_search_table(corpus_id)?;
        self.execute_batch(&made::create(corpus_id))?;
        self.execute(BEGIN, [corpus_id])?;
        Ok(SearchIndex { through: 0, documents: 0, fields: Vec::new() })
    }

    /// The documents of a corpus with ids above `after`, with their texts: up to the one with which these have `most`
    /// bytes together, none at the end.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn whole_documents(
        &self,
        corpus_id: i64,
        after: i64,
        most: usize,
    ) -> Result<Vec<StoredDocument>> {
        let (mut documents, mut bytes) = (Vec::new(), 0);
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(NEXT)?;
            let mut rows = statement.query([corpus_id, after])?;
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
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn drop_search_index(&mut self, corpus_id: i64) -> Result<()> {
        self.transaction(|store| store.forget_search_index(corpus_id))
    }

    /// The same within a transaction.
    pub(crate) fn forget_search_index(&self, corpus_id: i64) -> Result<()> {
        self.execute(FORGET, [corpus_id])?;
        self.drop_search_table(corpus_id)
    }

    fn drop_search_table(&self, corpus_id: i64) -> Result<()> {
        let table = made::table(corpus_id);
        let dropped = self.execute_batch(&format!("DROP TABLE IF EXISTS {table}"));
        dropped.map_err(|error| damaged(error, corpus_id))
    }

    /// Takes a document, which is still there as it was, out of the index of its corpus, should that have it.
    ///
    /// FTS5 wants to be told what the document had. Where nobody can tell, or it is not what was indexed, as after
    /// a change of the tokenizer, the index is forgotten: it is made anew when it is wanted. Whether there is
    /// one then.
    pub(crate) fn unindex(
        &self,
        corpus_id: i64,
        id: i64,
        words: Option<Words<'_>>,
    ) -> Result<bool> {
        let Some(index) = self.search_index(corpus_id)? else { return Ok(false) };
        if id > index.through {
            return Ok(true);
        }
        let document = self.rows(ONE, [id], StoredDocument::read)?.pop();
        let row = document.zip(words).map(|(document, words)| Row::of(document.searched(), words));
        match row {
            Some(row) if self.lengths_in_index(corpus_id, id)? == Some(row.lengths()) => {
                self.delete_from_index(corpus_id, id, &row)?;
                Ok(true)
            }
            _ => self.forget_search_index(corpus_id).map(|()| false),
        }
    }

    fn delete_from_index(&self, corpus_id: i64, id: i64, row: &Row) -> Result<()> {
        let table = made::table(corpus_id);
        let sql = format!(
            "INSERT INTO {table} ({table}, rowid, words, fields) VALUES ('delete', ?1, ?2, ?3)"
        );
        self.execute(&sql, (id, &row.words, &row.fields))
            .map_err(|error| damaged(error, corpus_id))?;
        self.execute(REMOVED, (corpus_id, id))?;
        Ok(())
    }

    /// How many words the index has of each column of a document.
    fn lengths_in_index(&self, corpus_id: i64, id: i64) -> Result<Option<[u64; 2]>> {
        let sql = format!("SELECT sz FROM {}_docsize WHERE id = ?1", made::table(corpus_id));
        let found: Result<Vec<Vec<u8>>> = self.rows(&sql, [id], |row| row.get(0));
        let found = found.map_err(|error| damaged(error, corpus_id))?;
        Ok(found.first().and_then(|sizes| read_lengths(sizes)))
    }
}

/// Adds documents to the index of a corpus within a transaction.
#[derive(Debug)]
pub(crate) struct Indexer {
    corpus_id: i64,
    through: i64,
    names: BTreeSet<String>,
    /// Names that were saved.
    saved: usize,
}

impl Indexer {
    fn new(corpus_id: i64, index: SearchIndex) -> Self {
        let names: BTreeSet<String> = index.fields.into_iter().collect();
        Self { corpus_id, through: index.through, saved: names.len(), names }
    }

    /// Keeps the index of a corpus up; `None` where there is none. Whether it can take new documents:
    /// one that lacks earlier ones is extended when it is wanted next, in their order.
    pub(crate) fn of(store: &Store, corpus_id: i64) -> Result<Option<(Self, bool)>> {
        let Some(index) = store.search_index(corpus_id)? else { return Ok(None) };
        let documents: u64 =
            store.scalar("SELECT documents FROM corpus WHERE id = ?1", [corpus_id])?;
        let is_whole = index.documents == documents;
        Ok(Some((Self::new(corpus_id, index), is_whole)))
    }

    /// Whether the index has the document of this id, or had before it was taken out to be replaced.
    pub(crate) fn covers(&self, id: i64) -> bool {
        id <= self.through
    }

    pub(crate) fn add(
        &mut self,
        store: &Store,
        id: i64,
        document: Searched<'_>,
        words: Words<'_>,
    ) -> Result<()> {
        self.insert(store, id, Row::of(document, words))
    }

    fn insert(&mut self, store: &Store, id: i64, row: Row) -> Result<()> {
        let Row { words, fields, names } = row;
        let table = made::table(self.corpus_id);
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

/// What SQLite calls corrupt is the index where only that was asked.
fn damaged(error: StoreError, corpus_id: i64) -> StoreError {
    let is_corrupt = matches!(&error, StoreError::Sqlite { source, .. } if source.is_damage());
    if is_corrupt { StoreError::DamagedIndex { corpus: corpus_id } } else { error }
}
