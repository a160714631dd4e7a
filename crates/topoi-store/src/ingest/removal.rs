//! Deleting documents whose source is now empty.

use super::IngestWriter;
use crate::error::Result;
use crate::id::DocumentId;

impl IngestWriter<'_> {
    /// Deletes the document with this key at the end of the ingest, unless another document with the key
    /// follows. Returns whether the corpus has it.
    pub fn remove(&mut self, key: &str) -> Result<bool> {
        self.open_batch()?;
        let Some(found) = self.find(key, &[])? else { return Ok(false) };
        if found.ingest == self.counts.ingest || self.seen.has(found.id.0) {
            return Ok(false);
        }
        self.seen.add_emptied(found.id.0);
        Ok(true)
    }

    /// Deletes the document with this id and number of tokens.
    pub(super) fn delete_document(&mut self, id: DocumentId, tokens: i64) -> Result<()> {
        self.store.delete_document_row(self.corpus_id, id, self.words)?;
        self.refresh_indexer()?;
        self.changes.documents -= 1;
        self.changes.tokens -= tokens;
        self.edits.insert(id.0, None);
        Ok(())
    }
}
