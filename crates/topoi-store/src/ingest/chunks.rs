//! Adding documents as chunks: all chunks of a document are in one batch, so a partial document is never
//! visible.

use super::writer::RowUnit;
use super::{Added, IngestWriter, NewDocument, NewParent};
use crate::error::{Result, StoreError};
use crate::id::DocumentId;
use crate::ingest::ledger::NoteKind;
use crate::integer::saturated;

const FIND: &str = "SELECT id, ingest_id, content_hash = ?3 FROM parent_document \
    WHERE corpus_id = ?1 AND key = ?2";
const INSERT: &str = "INSERT INTO parent_document \
    (corpus_id, key, title, fields, content_hash, ingest_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const UPDATE: &str = "UPDATE parent_document SET title = ?2, fields = ?3, content_hash = ?4, \
    ingest_id = ?5 WHERE id = ?1";
const INSERT_CHUNK: &str = "INSERT INTO chunk (document_id, parent_id, position) \
    VALUES (?1, ?2, ?3) ON CONFLICT (document_id) DO UPDATE SET parent_id = ?2, position = ?3";
const LATER_CHUNKS: &str = "SELECT document.id, document.tokens FROM chunk \
    JOIN document ON document.id = chunk.document_id \
    WHERE chunk.parent_id = ?1 AND chunk.position > ?2 ORDER BY chunk.position";

const FORGET_JOINED: &str = "DELETE FROM joined_fields WHERE (corpus_id, key) = \
    (SELECT corpus_id, key FROM parent_document WHERE id = ?1)";

/// A parent's row.
struct ExistingParent {
    id: i64,
    ingest: i64,
    same: bool,
}

impl IngestWriter<'_> {
    /// Adds a document as its chunks, or replaces the chunks it had: unchanged chunks stay, others are
    /// replaced, surplus chunks are deleted.
    pub fn add_parent(
        &mut self,
        parent: NewParent<'_>,
        chunks: &[NewDocument<'_>],
    ) -> Result<Added> {
        self.open_batch()?;
        let NewParent { key, title, fields, content_hash } = parent;
        let joined = match self.has_joined_fields {
            true => self.with_joined_fields(key, fields)?,
            false => None,
        };
        let fields = joined.as_ref().map_or(fields, |(fields, _)| fields.as_deref());
        let place = chunks.first().map(NewDocument::location).unwrap_or_default();
        let (id, added) = match self.find_parent(key, content_hash)? {
            Some(found) if found.ingest == self.counts.ingest || self.seen.has(found.id) => {
                let reason = "an earlier document of this ingest has its key, and was kept";
                self.leave_out(key, &place, NoteKind::Duplicate, reason, 1)?;
                return Ok(Added::Duplicate);
            }
            Some(found) if found.same => {
                self.seen.unmark_emptied(found.id);
                self.seen.add_unchanged(found.id);
                self.counts.skipped += 1;
                self.unchanged.add(key, &place);
                return Ok(Added::AlreadyThere);
            }
            Some(found) => {
                self.seen.unmark_emptied(found.id);
                (found.id, Added::Replaced)
            }
            None => {
                let ingest = self.counts.ingest;
                let row = (self.corpus_id, key, title, fields, content_hash, ingest);
                self.store.execute(INSERT, row)?;
                (self.store.connection.last_insert_rowid(), Added::New)
            }
        };
        for (position, &chunk) in (1i64..).zip(chunks) {
            let (document, put) = self.upsert(chunk, RowUnit::Chunk)?;
            if put == Added::Duplicate {
                // Keys of chunks contain those of their parents, which differ.
                let what = format!("{:?} is a chunk and another document", chunk.key);
                let corpus = self.start.corpus.clone();
                return Err(StoreError::DamagedCorpus { corpus, what });
            }
            self.store.execute(INSERT_CHUNK, (document, id, position))?;
        }
        if added == Added::New {
            self.counts.added += 1;
            return Ok(added);
        }
        self.delete_chunks_after(id, saturated(chunks.len()))?;
        self.store.execute(UPDATE, (id, title, fields, content_hash, self.counts.ingest))?;
        self.counts.replaced += 1;
        self.note(key, &place, NoteKind::Replaced, "its content differs from before", 1)?;
        Ok(added)
    }

    /// Deletes the document with this key and all its chunks at the end of the ingest, unless another document
    /// with the key follows. Returns whether the corpus has it.
    pub fn remove_parent(&mut self, key: &str) -> Result<bool> {
        self.open_batch()?;
        let Some(found) = self.find_parent(key, &[])? else { return Ok(false) };
        if found.ingest == self.counts.ingest || self.seen.has(found.id) {
            return Ok(false);
        }
        self.seen.add_emptied(found.id);
        Ok(true)
    }

    /// Deletes a parent with all its chunks.
    pub(super) fn delete_parent(&mut self, id: i64) -> Result<()> {
        self.delete_chunks_after(id, 0)?;
        self.store.execute(FORGET_JOINED, [id])?;
        self.store.execute("DELETE FROM parent_document WHERE id = ?1", [id]).map(drop)
    }

    /// Deletes the chunks of a parent after a position.
    fn delete_chunks_after(&mut self, parent: i64, after: i64) -> Result<()> {
        let later: Vec<(DocumentId, i64)> =
            self.store.rows(LATER_CHUNKS, (parent, after), |row| Ok((row.get(0)?, row.get(1)?)))?;
        later.into_iter().try_for_each(|(id, tokens)| self.delete_document(id, tokens))
    }

    fn find_parent(&self, key: &str, content_hash: &[u8]) -> Result<Option<ExistingParent>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(ExistingParent { id: row.get(0)?, ingest: row.get(1)?, same: row.get(2)? })
        };
        Ok(self.store.rows(FIND, (self.corpus_id, key, content_hash), read)?.pop())
    }
}
