//! Deleting documents whose source is empty now, or gone.

use super::IngestWriter;
use super::seen::HAS_PARENTS;
use crate::error::Result;
use crate::id::DocumentId;

/// Those of the corpus that an ingest has not written.
const OTHERS: &str = "SELECT id FROM document WHERE corpus_id = ?1 AND ingest_id <> ?2";
const OTHER_PARENTS: &str =
    "SELECT id FROM parent_document WHERE corpus_id = ?1 AND ingest_id <> ?2";

/// Documents of the corpus, or parents in one of chunks, that no source of an ingest has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentDocuments {
    ids: Vec<i64>,
    /// How many the corpus has, with those of the sources.
    pub all: u64,
}

impl AbsentDocuments {
    pub fn count(&self) -> u64 {
        self.ids.len() as u64
    }
}

impl IngestWriter<'_> {
    /// The documents of the corpus that this ingest has not come across, in what it has read so far.
    pub fn absent(&mut self) -> Result<AbsentDocuments> {
        self.open_batch()?;
        let has_parents: bool = self.store.scalar(HAS_PARENTS, [self.corpus_id])?;
        let (others, table) = match has_parents {
            true => (OTHER_PARENTS, "parent_document"),
            false => (OTHERS, "document"),
        };
        let row = (self.corpus_id, self.counts.ingest);
        let mut ids: Vec<i64> = self.store.rows(others, row, |row| row.get(0))?;
        ids.retain(|&id| !self.seen.has(id) && !self.seen.is_emptied(id));
        let all = format!("SELECT count(*) FROM {table} WHERE corpus_id = ?1");
        Ok(AbsentDocuments { ids, all: self.store.scalar(&all, [self.corpus_id])? })
    }

    /// Deletes documents at the end of the ingest.
    pub fn remove_absent(&mut self, absent: AbsentDocuments) {
        self.counts.deleted += absent.count();
        absent.ids.into_iter().for_each(|id| self.seen.add_emptied(id));
    }

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
