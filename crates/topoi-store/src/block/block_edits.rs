//! Rewriting blocks whose documents are replaced or deleted. The old blocks are retired.

use std::collections::BTreeMap;

use rusqlite::OptionalExtension;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::CorpusId;
use topoi_core::stream::block::Block;

const INSERT_BLOCK: &str = "INSERT INTO block \
    (corpus_id, first_document_id, documents, nonzeros, data) VALUES (?1, ?2, ?3, ?4, ?5)";
const BLOCK_OF_DOCUMENT: &str = "SELECT id, first_document_id, data FROM block \
    WHERE corpus_id = ?1 AND first_document_id <= ?2 AND retired = 0 \
    ORDER BY first_document_id DESC LIMIT 1";
/// The last block of a corpus, if an ingest made it.
const LAST_BLOCK_OF_INGEST: &str = "SELECT block.id, first_document_id, data FROM block \
    JOIN document ON document.id = first_document_id \
    WHERE block.corpus_id = ?1 AND retired = 0 AND document.ingest_id = ?2 \
    AND first_document_id = (SELECT max(first_document_id) FROM block \
                             WHERE corpus_id = ?1 AND retired = 0)";
const APPEND: &str = "UPDATE block SET documents = ?2, nonzeros = ?3, data = ?4 WHERE id = ?1";
const RETIRE: &str = "UPDATE block SET retired = 1 WHERE id = ?1";
/// The last block stays, so that no id is given twice.
const REMOVE_RETIRED: &str = "DELETE FROM block WHERE corpus_id = ?1 AND retired = 1 \
    AND id < (SELECT max(id) FROM block) \
    AND NOT EXISTS (SELECT 1 FROM run WHERE run.corpus_id = ?1 \
                    AND status IN ('queued', 'running'))";

/// The new content of documents by id, as (term position, count); `None` deletes a document.
pub(crate) type Edits = BTreeMap<i64, Option<Vec<(u32, u32)>>>;

impl Store {
    /// Writes a block unless it is empty.
    pub(crate) fn insert_block(&self, corpus_id: CorpusId, block: &Block) -> Result<()> {
        let Some(&first) = block.document_ids.first() else { return Ok(()) };
        let (documents, nonzeros) = (block.document_ids.len(), block.terms.len());
        self.execute(INSERT_BLOCK, (corpus_id, first, documents, nonzeros, block.pack()))?;
        Ok(())
    }

    /// Reads the last block of a corpus into `block`, if `ingest` made it and it is not full. Returns its row id.
    ///
    /// # Errors
    /// When the block is damaged or cannot be read.
    pub(crate) fn read_open_block(
        &self,
        corpus_id: CorpusId,
        ingest: i64,
        block: &mut Block,
    ) -> Result<Option<i64>> {
        let last = self.rows(LAST_BLOCK_OF_INGEST, (corpus_id, ingest), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
        })?;
        let Some((id, first, data)) = last.into_iter().next() else { return Ok(None) };
        block.unpack(id, first, &data)?;
        if block.is_full() {
            block.clear();
            return Ok(None);
        }
        Ok(Some(id))
    }

    /// Writes a block that has documents appended. [`CorpusBlocks`](crate::block::blocks::CorpusBlocks) that were
    /// opened before do not see these.
    pub(crate) fn append_to_block(&self, id: i64, block: &Block) -> Result<()> {
        let (documents, nonzeros) = (block.document_ids.len(), block.terms.len());
        self.execute(APPEND, (id, documents, nonzeros, block.pack())).map(|_| ())
    }

    /// Applies `edits` to the blocks of a corpus.
    /// `old` is called with the previous content of each document, by ascending id. Every block concerned is
    /// read and written once.
    ///
    /// # Errors
    /// [`StoreError::DamagedBlock`] if a document is in no block.
    pub(crate) fn edit_blocks(
        &self,
        corpus_id: CorpusId,
        edits: &Edits,
        mut old: impl FnMut(i64, &[u32], &[u32]),
    ) -> Result<()> {
        let mut block = Block::default();
        let mut edited = Block::default();
        let terms = self.terms_end(corpus_id)?;
        let mut next = edits.first_key_value().map(|(&id, _)| id);
        while let Some(wanted) = next {
            let id = self.read_block_of(corpus_id, wanted, &mut block)?;
            block.check_terms(id, terms)?;
            edited.clear();
            let mut last = wanted;
            for (document, terms, counts) in block.documents() {
                let Some(change) = edits.get(&document) else {
                    edited.push_slices(document, terms, counts);
                    continue;
                };
                old(document, terms, counts);
                if let Some(entries) = change {
                    edited.push(document, entries);
                }
                last = document;
            }
            if block.document_ids.binary_search(&wanted).is_err() {
                return Err(StoreError::DamagedBlock {
                    block: id,
                    reason: "a document is not in it",
                });
            }
            self.execute(RETIRE, [id])?;
            self.insert_block(corpus_id, &edited)?;
            next = edits.range(last + 1..).next().map(|(&id, _)| id);
        }
        Ok(())
    }

    fn read_block_of(&self, corpus_id: CorpusId, document: i64, block: &mut Block) -> Result<i64> {
        let find = || -> rusqlite::Result<Option<(i64, i64, Vec<u8>)>> {
            let mut statement = self.connection.prepare_cached(BLOCK_OF_DOCUMENT)?;
            let row = statement.query_row((corpus_id, document), |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            });
            row.optional()
        };
        match find().map_err(|e| self.error(e))? {
            Some((id, first, data)) => Ok(block.unpack(id, first, &data).map(|()| id)?),
            None => Err(StoreError::DamagedCorpus {
                corpus: format!("corpus #{corpus_id}"),
                what: format!("document {document} is in no block"),
            }),
        }
    }

    /// Removes the retired blocks of a corpus that no run can be streaming.
    pub(crate) fn remove_retired_blocks(&self, corpus_id: CorpusId) -> Result<()> {
        self.execute(REMOVE_RETIRED, [corpus_id]).map(|_| ())
    }
}
