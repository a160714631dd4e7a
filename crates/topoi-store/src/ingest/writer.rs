//! Adding, replacing and leaving out single documents.

use std::num::NonZeroU32;

use rusqlite::OptionalExtension;

use super::{Added, BATCH_BYTES, IngestCounts, IngestStart, NewDocument, sort_and_sum};
use crate::Store;
use crate::block::block_edits::Edits;
use crate::corpus::content_hash::DocumentsHash;
use crate::corpus::delete::CONTENT_HASH;
use crate::corpus::joined::with_joined;
use crate::corpus::term::TermIndex;
use crate::corpus::term_form::FormTally;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use crate::ingest::ledger::{IngestNote, NoteKind, UnchangedRange};
use crate::ingest::seen::SeenDocuments;
use crate::ingest::source_position::SourcePosition;
use crate::integer::saturated;
use crate::open::{LARGE_CACHE, USUAL_CACHE};
use crate::run::run_lock::RunLock;
use crate::search::{Indexer, SearchableDocument, Words};
use topoi_core::stream::block::Block;

const INSERT_DOCUMENT: &str = "INSERT INTO document \
    (id, corpus_id, key, title, tokens, source, content_hash, ingest_id, fields, \
    own_fields) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (corpus_id, key) DO NOTHING";
const UPDATE_DOCUMENT: &str = "UPDATE document SET title = ?2, tokens = ?3, source = ?4, \
    content_hash = ?5, ingest_id = ?6, fields = ?7, own_fields = ?8 WHERE id = ?1";
const FIND_DOCUMENT: &str = "SELECT id, content_hash = ?3, ingest_id, tokens FROM document \
    WHERE corpus_id = ?1 AND key = ?2";
const INSERT_TEXT: &str = "INSERT INTO document_text (document_id, text, given_tokens) \
    VALUES (?1, ?2, ?3)";
const INSERT_COUNTS: &str = "INSERT INTO document_counts (document_id, counts) \
    VALUES (?1, ?2)";

/// An ingest in progress. At any time the store contains exactly the committed batches.
///
/// Memory: the corpus's term dictionary and one block, never the documents.
pub struct IngestWriter<'s> {
    pub(crate) store: &'s Store,
    pub(crate) start: IngestStart,
    pub(crate) lock: Option<RunLock>,
    pub(crate) in_transaction: bool,
    /// Whether this ingest has a committed row.
    pub(crate) is_saved: bool,
    pub(crate) corpus_id: CorpusId,
    pub(crate) next_document_id: DocumentId,
    pub(crate) terms: TermIndex,
    pub(crate) forms: FormTally,
    pub(crate) block: Block,
    /// Row id and number of documents of `block` as it is saved, where an earlier batch began it.
    pub(crate) saved_block: Option<(i64, usize)>,
    pub(crate) edits: Edits,
    pub(crate) changes: Changes,
    pub(crate) counts: IngestCounts,
    pub(crate) unchanged: UnchangedRange,
    pub(super) seen: SeenDocuments,
    pub(crate) resumed: Vec<SourcePosition>,
    pub(crate) entries: Vec<(u32, u32)>,
    pub(crate) json: String,
    /// Whether a table of metadata is joined to the corpus.
    pub(crate) has_joined_fields: bool,
    /// Bytes of text and counts written in this batch.
    pub(crate) written: usize,
    pub(crate) words: Option<Words<'s>>,
    /// The corpus's full-text index, if it has one, and whether new documents are added to it.
    pub(crate) indexer: Option<(Indexer, bool)>,
}

/// Changes of a corpus's counts by a batch.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Changes {
    pub(crate) documents: i64,
    pub(crate) tokens: i64,
    pub(crate) nonzeros: i64,
    pub(crate) hash: DocumentsHash,
}

/// A document's row.
pub(super) struct ExistingDocument {
    pub(super) id: DocumentId,
    pub(super) same: bool,
    pub(super) ingest: i64,
    pub(super) tokens: u64,
}

/// The unit of text that a row of `document` contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowUnit {
    /// A whole document.
    Document,
    /// A chunk of one.
    Chunk,
}

impl<'s> IngestWriter<'s> {
    /// Begins an ingest into the corpus called `name`, which is created with `settings` (JSON) if it does not
    /// exist. `source` and `format` are for display. The ingest cannot be resumed.
    pub fn begin(
        store: &'s Store,
        name: &str,
        settings: &str,
        source: &str,
        format: &str,
    ) -> Result<Self> {
        let [corpus, settings, source, format] = [name, settings, source, format].map(String::from);
        let (request, batch_bytes) = ("{}".into(), BATCH_BYTES);
        let start = IngestStart { corpus, settings, source, format, request, batch_bytes };
        Self::begin_or_resume(store, start)
    }

    /// Prepares an ingest, or finds the unfinished ingest of the same request if no living process works on it.
    /// Nothing is written and no lock is taken before the first batch.
    pub fn begin_or_resume(store: &'s Store, start: IngestStart) -> Result<Self> {
        if let Some(corpus) = store.find_corpus(&start.corpus)? {
            store.require_documents(&corpus)?;
        }
        store.execute_batch(LARGE_CACHE)?;
        store.begin_first_fill()?;
        let mut writer = Self {
            store,
            start,
            lock: None,
            in_transaction: false,
            is_saved: false,
            corpus_id: CorpusId::default(),
            next_document_id: DocumentId::default(),
            terms: TermIndex::default(),
            forms: FormTally::default(),
            block: Block::default(),
            saved_block: None,
            edits: Edits::new(),
            changes: Changes::default(),
            counts: IngestCounts::default(),
            unchanged: UnchangedRange::default(),
            seen: SeenDocuments::default(),
            resumed: Vec::new(),
            entries: Vec::new(),
            json: String::new(),
            has_joined_fields: false,
            written: 0,
            words: None,
            indexer: None,
        };
        if let Some(corpus) = store.find_corpus(&writer.start.corpus)? {
            writer.resume(corpus.id)?;
        }
        Ok(writer)
    }

    /// Updates the corpus's full-text index, if it has one, with these words of texts.
    /// Without this call new documents are indexed later, and the index is dropped if a document is replaced.
    pub fn index_with(&mut self, words: Words<'s>) {
        self.words = Some(words);
    }

    /// The positions of the sources when the resumed ingest ended.
    pub fn resumed(&self) -> &[SourcePosition] {
        &self.resumed
    }

    /// The counts so far, including the uncommitted batch.
    pub fn counts(&self) -> IngestCounts {
        self.counts
    }

    /// Whether the batch has reached its size.
    pub fn is_full(&self) -> bool {
        self.written >= self.start.batch_bytes
    }

    /// Whether a batch has begun and is not committed.
    pub fn is_writing(&self) -> bool {
        self.in_transaction
    }

    /// The saved settings of the corpus. Begins the first batch.
    pub fn corpus_settings(&mut self) -> Result<String> {
        self.open_batch()?;
        self.store.scalar("SELECT settings FROM corpus WHERE id = ?1", [self.corpus_id])
    }

    /// The position of `text` among the corpus's terms. A new term gets the next position.
    pub fn term(&mut self, text: &str) -> Result<u32> {
        self.open_batch()?;
        self.terms.position(text)
    }

    /// The number of a form of the term at a position.
    pub fn form(&mut self, position: u32, form: &str) -> NonZeroU32 {
        self.forms.number(position, form)
    }

    /// Adds tokens to the count of a form.
    pub fn count_form(&mut self, number: u32, count: u32) {
        self.forms.count(number, count.into());
    }

    /// Adds a document, or replaces the one with its key.
    pub fn add(&mut self, document: NewDocument<'_>) -> Result<Added> {
        self.open_batch()?;
        let (key, added) = (document.key, self.upsert(document, RowUnit::Document)?.1);
        match added {
            Added::New => self.counts.added += 1,
            Added::AlreadyThere => {
                self.counts.skipped += 1;
                self.unchanged.add(key, &document.location());
            }
            Added::Replaced => {
                self.counts.replaced += 1;
                let reason = "its content differs from before";
                self.note(key, &document.location(), NoteKind::Replaced, reason, 1)?;
            }
            Added::Duplicate => {
                let reason = "an earlier document of this ingest has its key, and was kept";
                self.leave_out(key, &document.location(), NoteKind::Duplicate, reason, 1)?;
            }
        }
        Ok(added)
    }

    /// Inserts or updates a document; returns its id and the outcome.
    /// For a chunk, the caller has checked whether its parent was seen before.
    pub(super) fn upsert(
        &mut self,
        document: NewDocument<'_>,
        kind: RowUnit,
    ) -> Result<(DocumentId, Added)> {
        let counted = document.entries.iter().map(|&(_, count)| u64::from(count));
        let named = document.terms.iter().map(|&(_, count)| u64::from(count));
        let tokens = saturated(counted.chain(named).sum::<u64>());
        let joined = self.joined(document, kind)?;
        let own_fields = joined.as_ref().map(|(_, own)| own.as_str());
        let fields = joined.as_ref().map_or(document.fields, |(fields, _)| fields.as_deref());
        let document = NewDocument { fields, ..document };
        let id = self.next_document_id;
        let inserted = self.store.execute(
            INSERT_DOCUMENT,
            (
                id,
                self.corpus_id,
                document.key,
                document.title,
                tokens,
                document.source,
                document.content_hash,
                self.counts.ingest,
                document.fields,
                own_fields,
            ),
        )?;
        if inserted == 0 {
            return self.update_existing((document, own_fields), tokens, kind);
        }
        self.index(id, document)?;
        self.next_document_id.0 += 1;
        self.changes.documents += 1;
        self.changes.hash.add(id, document.content_hash);
        self.write_content(id, document)?;
        self.changes.tokens += tokens;
        self.changes.nonzeros += saturated(self.entries.len());
        self.block.push(id.0, &self.entries);
        if self.block.is_full() {
            self.write_block()?;
        }
        Ok((id, Added::New))
    }

    /// The fields of a document with those of joined tables over them, and its own; `None` where no table has any.
    fn joined(
        &self,
        document: NewDocument<'_>,
        kind: RowUnit,
    ) -> Result<Option<(Option<String>, String)>> {
        if !self.has_joined_fields {
            return Ok(None);
        }
        let key = match kind {
            RowUnit::Document => document.key,
            RowUnit::Chunk => document.key.rsplit_once('#').map_or(document.key, |(of, _)| of),
        };
        self.with_joined_fields(key, document.fields)
    }

    /// The same of the fields of a key.
    pub(super) fn with_joined_fields(
        &self,
        key: &str,
        fields: Option<&str>,
    ) -> Result<Option<(Option<String>, String)>> {
        let Some(over) = self.store.joined_fields(self.corpus_id, key)? else { return Ok(None) };
        let damaged = |_| StoreError::DamagedCorpus {
            corpus: self.start.corpus.clone(),
            what: format!("the fields that are joined to {key:?} are no JSON object"),
        };
        with_joined(fields, &over).map(Some).map_err(damaged)
    }

    /// Updates a document whose key the corpus has already.
    fn update_existing(
        &mut self,
        (document, own_fields): (NewDocument<'_>, Option<&str>),
        tokens: i64,
        kind: RowUnit,
    ) -> Result<(DocumentId, Added)> {
        let Some(found) = self.find(document.key, document.content_hash)? else {
            return Err(StoreError::UnreadableDocument {
                corpus: self.start.corpus.clone(),
                key: document.key.into(),
            });
        };
        let is_whole = kind == RowUnit::Document;
        if found.ingest == self.counts.ingest || is_whole && self.seen.has(found.id.0) {
            return Ok((found.id, Added::Duplicate));
        }
        if is_whole {
            self.seen.unmark_emptied(found.id.0);
        }
        if found.same {
            if is_whole {
                self.seen.add_unchanged(found.id.0);
            }
            return Ok((found.id, Added::AlreadyThere));
        }
        let before: Vec<u8> = self.store.scalar(CONTENT_HASH, [found.id])?;
        self.changes.hash.remove(found.id, &before);
        self.changes.hash.add(found.id, document.content_hash);
        self.store.unindex(self.corpus_id, found.id, self.words)?;
        self.refresh_indexer()?;
        self.store.execute(
            UPDATE_DOCUMENT,
            (
                found.id,
                document.title,
                tokens,
                document.source,
                document.content_hash,
                self.counts.ingest,
                document.fields,
                own_fields,
            ),
        )?;
        self.store.forget_vector_of_other_text(found.id, document.text)?;
        // REPLACE would do, but would make SQLite keep a journal for every new document as well.
        for old in ["DELETE FROM document_text", "DELETE FROM document_counts"] {
            self.store.execute(&format!("{old} WHERE document_id = ?1"), [found.id])?;
        }
        self.write_content(found.id, document)?;
        self.index(found.id, document)?;
        self.changes.tokens += tokens - saturated(found.tokens);
        self.changes.nonzeros += saturated(self.entries.len());
        self.edits.insert(found.id.0, Some(self.entries.clone()));
        Ok((found.id, Added::Replaced))
    }

    pub(super) fn find(&self, key: &str, content_hash: &[u8]) -> Result<Option<ExistingDocument>> {
        let find = || -> rusqlite::Result<Option<ExistingDocument>> {
            let mut statement = self.store.connection.prepare_cached(FIND_DOCUMENT)?;
            let row = statement.query_row((self.corpus_id, key, content_hash), |row| {
                Ok(ExistingDocument {
                    id: row.get(0)?,
                    same: row.get(1)?,
                    ingest: row.get(2)?,
                    tokens: row.get(3)?,
                })
            });
            row.optional()
        };
        find().map_err(|e| self.store.error(e))
    }

    /// Writes text and counts, and leaves the sorted entries in `self.entries`.
    fn write_content(&mut self, id: DocumentId, document: NewDocument<'_>) -> Result<()> {
        if let Some(text) = document.text {
            self.store.execute(INSERT_TEXT, (id, text, document.tokens))?;
        }
        self.entries.clear();
        self.entries.extend_from_slice(document.entries);
        for &(term, count) in document.terms {
            self.entries.push((self.terms.position(term)?, count));
        }
        sort_and_sum(&mut self.entries);
        self.terms.tally(self.entries.iter().copied(), 1);
        self.terms.counts_json(&self.entries, &mut self.json);
        self.store.execute(INSERT_COUNTS, (id, &self.json))?;
        self.written += document.text.map_or(0, str::len) + self.json.len();
        Ok(())
    }

    /// Adds a document to the full-text index, if the index contains all earlier ones.
    fn index(&mut self, id: DocumentId, document: NewDocument<'_>) -> Result<()> {
        let Some((indexer, takes_new)) = &mut self.indexer else { return Ok(()) };
        match self.words {
            Some(words) if indexer.covers(id) || *takes_new => {
                let NewDocument { key, title, fields, text, .. } = document;
                indexer.add(self.store, id, SearchableDocument { key, title, fields, text }, words)
            }
            Some(_) => Ok(()),
            None => {
                *takes_new = false;
                Ok(())
            }
        }
    }

    /// Drops the indexer if the full-text index was dropped.
    pub(super) fn refresh_indexer(&mut self) -> Result<()> {
        if self.indexer.is_some() && self.store.search_index(self.corpus_id)?.is_none() {
            self.indexer = None;
        }
        Ok(())
    }

    /// Records a document that is left out: its key, its location in the source, and the reason. One note can
    /// cover `documents` adjacent documents; its key then names the first and the last.
    pub fn leave_out(
        &mut self,
        key: &str,
        place: &str,
        kind: NoteKind,
        reason: &str,
        documents: u64,
    ) -> Result<()> {
        self.open_batch()?;
        self.counts.left_out = self.counts.left_out.saturating_add(documents);
        self.note(key, place, kind, reason, documents)
    }

    pub(super) fn note(
        &mut self,
        key: &str,
        place: &str,
        kind: NoteKind,
        reason: &str,
        documents: u64,
    ) -> Result<()> {
        let note = IngestNote {
            key: key.into(),
            place: place.into(),
            reason: reason.into(),
            kind,
            documents,
        };
        if let Some(unchanged) = self.unchanged.take() {
            self.store.insert_note(self.counts.ingest, &unchanged)?;
        }
        self.store.insert_note(self.counts.ingest, &note)
    }
}

impl Drop for IngestWriter<'_> {
    fn drop(&mut self) {
        if self.in_transaction {
            let _: Result<()> = self.store.execute_batch("ROLLBACK");
        }
        // Only an interrupted connection refuses this, and it is not used again.
        let _: Result<()> = self.store.execute_batch(USUAL_CACHE);
        self.store.end_first_fill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    #[test]
    fn a_key_without_its_row_is_reported_as_that_and_not_as_a_damaged_block() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let mut writer = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        let term = writer.term("word").expect("term");
        // As the damaged index of keys has it: nothing is inserted, and nothing is found.
        let refuse = "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.document \
             BEGIN SELECT RAISE(IGNORE); END";
        store.execute_batch(refuse).expect("trigger");
        let error = writer.add(NewDocument::counted("a", &[(term, 1)])).expect_err("damaged");
        assert!(
            matches!(&error, StoreError::UnreadableDocument { corpus, key } if corpus == "c" && key == "a"),
            "{error}"
        );
    }
}
