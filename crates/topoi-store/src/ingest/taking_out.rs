//! Taking documents out of which their source has nothing left.

use super::IngestWriter;
use crate::error::Result;

impl IngestWriter<'_> {
    /// Takes out the document of this key at the end of the ingest, unless another of its key follows: its source
    /// has nothing left of it. True if the corpus has it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn remove(&mut self, key: &str) -> Result<bool> {
        self.open_batch()?;
        let Some(found) = self.find(key, &[])? else { return Ok(false) };
        if found.ingest == self.counts.ingest || self.seen.has(found.id) {
            return Ok(false);
        }
        self.seen.add_emptied(found.id);
        Ok(true)
    }

    /// Takes out the document of this id, which has so many tokens.
    pub(super) fn take_out(&mut self, id: i64, tokens: i64) -> Result<()> {
        self.store.delete_document_row(self.corpus_id, id, self.words)?;
        self.look_for_index()?;
        self.changes.documents -= 1;
        self.changes.tokens -= tokens;
        self.edits.insert(id, None);
        Ok(())
    }
}
