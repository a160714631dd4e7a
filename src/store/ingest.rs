//! Writing documents: rows, triples and packed blocks in one transaction.

use std::collections::HashMap;

use rusqlite::OptionalExtension;

use super::Store;
use super::block::Block;
use super::error::{Result, StoreError};

const INSERT_DOCUMENT: &str = "INSERT INTO document \
    (id, corpus_id, key, title, tokens, source, content_hash, ingest_id) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const INSERT_TRIPLE: &str = "INSERT INTO triple (document_id, term_id, count) VALUES (?, ?, ?)";
const INSERT_TERM: &str = "INSERT INTO term (corpus_id, position, text) VALUES (?1, ?2, ?3)";
const INSERT_BLOCK: &str = "INSERT INTO block \
    (corpus_id, first_document_id, documents, nonzeros, data) VALUES (?1, ?2, ?3, ?4, ?5)";
const ADD_TO_TERM: &str = "UPDATE term SET document_frequency = document_frequency + ?2, \
    total_count = total_count + ?3 WHERE id = ?1";
const ADD_TO_CORPUS: &str = "UPDATE corpus SET documents = documents + ?2, terms = ?3, \
    tokens = tokens + ?4, nonzeros = nonzeros + ?5 WHERE id = ?1";

/// Before an ingest. SQLite would look up the document of every triple again, a fifth of the
/// time; here the same writer has just inserted it. The keys of documents can come in any order,
/// hence the larger cache (KiB).
const FAST: &str = "PRAGMA foreign_keys = OFF; PRAGMA cache_size = -65536";
/// After an ingest: as the store opens a connection.
const AS_USUAL: &str = "PRAGMA foreign_keys = ON; PRAGMA cache_size = -2000";

/// Triples one statement inserts.
const ROWS_AT_ONCE: usize = 32;

/// A document as an ingest hands it over.
#[derive(Debug, Clone, Copy)]
pub struct NewDocument<'a> {
    /// Unique in the corpus.
    pub key: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// The text, if the source has text.
    pub text: Option<&'a str>,
    /// The file it came from.
    pub source: &'a str,
    /// Where it stands there, for the ledger: `file:line`, or the file.
    pub place: &'a str,
    /// Identifies the content: the same key and hash again is the same document again.
    pub content_hash: &'a [u8],
    /// (term position, count), ascending by position, counts at least 1.
    pub entries: &'a [(u32, u32)],
}

/// What became of a document that was handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is in the corpus now.
    New,
    /// It was there before, with the same content.
    AlreadyThere,
    /// The key was there before, with other content, which was kept.
    OtherContent,
}

/// What an ingest did, in numbers of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct IngestCounts {
    /// Row id of the ingest.
    pub ingest: i64,
    /// Added to the corpus.
    pub added: u64,
    /// There already, with the same content.
    pub skipped: u64,
    /// Left out, each with a row in the ledger.
    pub left_out: u64,
    /// Tokens of the documents added.
    pub tokens: u64,
    /// (document, term) pairs of the documents added.
    pub nonzeros: u64,
}

#[derive(Debug)]
struct TermTally {
    id: i64,
    document_frequency: u64,
    total_count: u64,
}

/// One ingest in progress: everything it writes is kept by [`IngestWriter::finish`], or nothing.
///
/// Holds the corpus's term dictionary and one block in memory, never the documents.
pub struct IngestWriter<'s> {
    store: &'s Store,
    in_transaction: bool,
    corpus_id: i64,
    next_document_id: i64,
    positions: HashMap<String, u32>,
    tallies: Vec<TermTally>,
    block: Block,
    counts: IngestCounts,
}

impl<'s> IngestWriter<'s> {
    /// Starts an ingest into the corpus called `name`, creating it with `settings` (JSON) if it
    /// is not there. Takes the store's write lock until it is finished or dropped.
    ///
    /// # Errors
    /// When the store cannot be written or another process is writing.
    pub fn begin(
        store: &'s Store,
        name: &str,
        settings: &str,
        source: &str,
        format: &str,
    ) -> Result<Self> {
        store.execute_batch(FAST)?;
        let mut writer = Self {
            store,
            in_transaction: false,
            corpus_id: 0,
            next_document_id: 0,
            positions: HashMap::new(),
            tallies: Vec::new(),
            block: Block::default(),
            counts: IngestCounts::default(),
        };
        store.execute_batch("BEGIN IMMEDIATE")?;
        writer.in_transaction = true;
        writer.open_corpus(name, settings)?;
        store.execute(
            "INSERT INTO ingest (corpus_id, source, format, status, started_at) \
             VALUES (?1, ?2, ?3, 'finished', strftime('%Y-%m-%dT%H:%M:%fZ'))",
            (writer.corpus_id, source, format),
        )?;
        writer.counts.ingest = store.connection.last_insert_rowid();
        Ok(writer)
    }

    fn open_corpus(&mut self, name: &str, settings: &str) -> Result<()> {
        self.store.execute(
            "INSERT OR IGNORE INTO corpus (name, created_at, settings) \
             VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ'), ?2)",
            (name, settings),
        )?;
        self.corpus_id = self.store.scalar("SELECT id FROM corpus WHERE name = ?1", [name])?;
        for (position, term) in self.store.terms(self.corpus_id)?.into_iter().enumerate() {
            self.positions.insert(term.text, position as u32);
            self.tallies.push(TermTally { id: term.id, document_frequency: 0, total_count: 0 });
        }
        self.next_document_id =
            self.store.scalar::<i64>("SELECT coalesce(max(id), 0) FROM document", [])? + 1;
        Ok(())
    }

    /// The position of `text` among the corpus's terms; a new term gets the next position.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn term(&mut self, text: &str) -> Result<u32> {
        if let Some(&position) = self.positions.get(text) {
            return Ok(position);
        }
        let position = self.tallies.len() as u32;
        self.store.execute(INSERT_TERM, (self.corpus_id, position, text))?;
        let id = self.store.connection.last_insert_rowid();
        self.tallies.push(TermTally { id, document_frequency: 0, total_count: 0 });
        self.positions.insert(text.to_string(), position);
        Ok(position)
    }

    /// Whether the corpus has a document of this key, and if so whether it is the same one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn find(&self, key: &str, content_hash: &[u8]) -> Result<Added> {
        let find = || -> rusqlite::Result<Option<bool>> {
            let sql = "SELECT content_hash = ?3 FROM document WHERE corpus_id = ?1 AND key = ?2";
            let mut statement = self.store.connection.prepare_cached(sql)?;
            statement.query_row((self.corpus_id, key, content_hash), |row| row.get(0)).optional()
        };
        Ok(match find().map_err(|e| self.store.error(e))? {
            None => Added::New,
            Some(true) => Added::AlreadyThere,
            Some(false) => Added::OtherContent,
        })
    }

    /// Adds a document, unless one with its key is there. One with other content is left out
    /// and noted in the ledger.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add(&mut self, document: NewDocument<'_>) -> Result<Added> {
        let found = self.find(document.key, document.content_hash)?;
        match found {
            Added::New => self.insert(document)?,
            Added::AlreadyThere => self.counts.skipped += 1,
            Added::OtherContent => self.leave_out(
                document.key,
                document.place,
                "a document with this key and other content is there already",
                1,
            )?,
        }
        Ok(found)
    }

    /// Notes a document that is left out: its key, where it stands in the source, and why. One
    /// note can stand for `documents` neighbours; its key then is the first and last of them.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn leave_out(
        &mut self,
        key: &str,
        place: &str,
        reason: &str,
        documents: u64,
    ) -> Result<()> {
        self.counts.left_out += documents;
        self.store.execute(
            "INSERT INTO ingest_note (ingest_id, key, place, reason) VALUES (?1, ?2, ?3, ?4)",
            (self.counts.ingest, key, place, reason),
        )?;
        Ok(())
    }

    fn insert(&mut self, document: NewDocument<'_>) -> Result<()> {
        let id = self.next_document_id;
        self.next_document_id += 1;
        let tokens: u64 = document.entries.iter().map(|&(_, count)| u64::from(count)).sum();
        self.store.execute(
            INSERT_DOCUMENT,
            (
                id,
                self.corpus_id,
                document.key,
                document.title,
                tokens as i64,
                document.source,
                document.content_hash,
                self.counts.ingest,
            ),
        )?;
        if let Some(text) = document.text {
            self.store.execute(
                "INSERT INTO document_text (document_id, text) VALUES (?1, ?2)",
                (id, text),
            )?;
        }
        self.block.push(id, document.entries);
        self.counts.added += 1;
        self.counts.tokens += tokens;
        self.counts.nonzeros += document.entries.len() as u64;
        if self.block.is_full() { self.write_block() } else { Ok(()) }
    }

    fn write_block(&mut self) -> Result<()> {
        if let Some(&first) = self.block.document_ids.first() {
            self.write_triples().map_err(|e| self.store.error(e))?;
            self.store.execute(
                INSERT_BLOCK,
                (
                    self.corpus_id,
                    first,
                    self.block.document_ids.len() as i64,
                    self.block.terms.len() as i64,
                    self.block.pack(),
                ),
            )?;
        }
        self.block.clear();
        Ok(())
    }

    /// Writes the rows of the block, many at a time: the work around a statement costs as much
    /// as a row.
    fn write_triples(&mut self) -> rusqlite::Result<()> {
        let tallies = &mut self.tallies;
        let mut rows = self.block.documents().flat_map(|(id, terms, counts)| {
            terms.iter().zip(counts).map(move |(&position, &count)| (id, position, count))
        });
        let mut left = self.block.terms.len();
        for rows_at_once in [ROWS_AT_ONCE, 1] {
            let sql = format!("{INSERT_TRIPLE}{}", ", (?, ?, ?)".repeat(rows_at_once - 1));
            let mut statement = self.store.connection.prepare_cached(&sql)?;
            while left >= rows_at_once {
                for (row, (id, position, count)) in rows.by_ref().take(rows_at_once).enumerate() {
                    let tally = &mut tallies[position as usize];
                    tally.document_frequency += 1;
                    tally.total_count += u64::from(count);
                    statement.raw_bind_parameter(3 * row + 1, id)?;
                    statement.raw_bind_parameter(3 * row + 2, tally.id)?;
                    statement.raw_bind_parameter(3 * row + 3, count)?;
                }
                statement.raw_execute()?;
                left -= rows_at_once;
            }
        }
        Ok(())
    }

    /// Writes what is left, brings all counts up to date and commits.
    ///
    /// # Errors
    /// When the store cannot be written; then nothing of the ingest is kept.
    pub fn finish(mut self) -> Result<IngestCounts> {
        self.write_block()?;
        for tally in self.tallies.iter().filter(|tally| tally.document_frequency > 0) {
            self.store.execute(
                ADD_TO_TERM,
                (tally.id, tally.document_frequency as i64, tally.total_count as i64),
            )?;
        }
        let counts = self.counts;
        self.store.execute(
            ADD_TO_CORPUS,
            (
                self.corpus_id,
                counts.added as i64,
                self.tallies.len() as i64,
                counts.tokens as i64,
                counts.nonzeros as i64,
            ),
        )?;
        self.store.execute(
            "UPDATE ingest SET documents = ?2, skipped = ?3, left_out = ?4, \
             finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ?1",
            (counts.ingest, counts.added as i64, counts.skipped as i64, counts.left_out as i64),
        )?;
        self.store.execute_batch("COMMIT")?;
        self.in_transaction = false;
        Ok(counts)
    }
}

impl Drop for IngestWriter<'_> {
    fn drop(&mut self) {
        if self.in_transaction {
            // SQLite may have rolled back by itself (a full disk does that).
            let _: std::result::Result<(), StoreError> = self.store.execute_batch("ROLLBACK");
        }
        // Only an interrupted connection refuses this, and that one is not used again.
        let _: std::result::Result<(), StoreError> = self.store.execute_batch(AS_USUAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_keys_are_on_again_however_an_ingest_ends() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("topica.db")).expect("open");
        let begin = || IngestWriter::begin(&store, "news", "{}", "news.txt", "lines");
        let enforced = || store.scalar::<i64>("PRAGMA foreign_keys", []).expect("pragma");
        drop(begin().expect("begin"));
        assert_eq!((enforced(), store.corpora().expect("corpora").len()), (1, 0));
        begin().expect("begin").finish().expect("finish");
        assert_eq!((enforced(), store.corpora().expect("corpora").len()), (1, 1));
        store.execute_batch("BEGIN").expect("begin");
        assert!(begin().is_err());
        store.execute_batch("ROLLBACK").expect("rollback");
        assert_eq!(enforced(), 1);
    }
}
