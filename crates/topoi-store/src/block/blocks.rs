//! Reading a corpus's packed blocks in order, from any number of threads.

use std::ops::Range;
use std::path::Path;

use rusqlite::Connection;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use crate::integer::saturated;
use crate::open::Readers;
use crate::part::{Part, WholeNumbering};
use topoi_core::stream::block::Block;
use topoi_core::stream::document_numbers::DocumentNumbers;
use topoi_core::stream::error::Result as StreamResult;
use topoi_core::stream::source::BlockSource;

/// Block ids, first documents and sizes of a corpus, in document order.
const LIST_BLOCKS: &str = "SELECT id, first_document_id, documents, nonzeros FROM block \
                           WHERE corpus_id = ?1 AND retired = 0 \
                           ORDER BY first_document_id";
/// How many documents of a corpus were deleted, the first and the last of them.
const DELETED: &str = "SELECT count(*), min(document_id), max(document_id) FROM deleted_document WHERE corpus_id = ?1";
/// The stretches of ids without a gap that the corpus's documents have, deleted ones included.
const STRETCHES: &str = "SELECT min(id), shift FROM \
    (SELECT id, id - row_number() OVER (ORDER BY id) AS shift FROM \
        (SELECT id FROM document WHERE corpus_id = ?1 UNION ALL \
         SELECT document_id FROM deleted_document WHERE corpus_id = ?1)) \
    GROUP BY shift ORDER BY 1";
const READ_BLOCK: &str = "SELECT first_document_id, documents, data FROM block WHERE id = ?1";

/// The blocks of a corpus as they were when this was opened.
/// Blocks added later are not seen. Blocks whose documents change are only retired while a run is open, so
/// every pass sees the same documents.
///
/// Memory: 24 bytes per block and one idle connection per thread; never the data.
#[derive(Debug)]
pub struct CorpusBlocks {
    readers: Readers,
    blocks: Vec<BlockEntry>,
    /// Every term's position is below this.
    terms: u32,
    whole: Option<WholeNumbering>,
    numbers: DocumentNumbers,
}

/// Index entry of a block.
#[derive(Debug, Clone, Copy)]
struct BlockEntry {
    id: i64,
    first_document: i64,
    documents: u32,
    nonzeros: u32,
}

impl CorpusBlocks {
    /// Lists the blocks of corpus `corpus_id`.
    pub fn open(store: &Store, corpus_id: CorpusId) -> Result<Self> {
        let blocks = store.rows(LIST_BLOCKS, [corpus_id], |row| {
            let [id, first_document, documents] = [row.get(0)?, row.get(1)?, row.get(2)?];
            // A number that is none is found when the block is read.
            let documents = u32::try_from(documents).unwrap_or_default();
            Ok(BlockEntry { id, first_document, documents, nonzeros: row.get(3)? })
        })?;
        let terms = store.terms_end(corpus_id)?;
        let (readers, numbers) = (Readers::new(store), DocumentNumbers::default());
        let mut opened = Self { readers, blocks, terms, whole: None, numbers };
        opened.numbers = DocumentNumbers::new(opened.stretches(store, corpus_id)?);
        Ok(opened)
    }

    /// The stretches of ids of the corpus's documents, deleted ones included. Documents are listed one by one only
    /// where those of other corpora lie between them.
    fn stretches(&self, store: &Store, corpus_id: CorpusId) -> Result<Vec<(i64, i64)>> {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let (deleted, least, most): (i64, Option<i64>, Option<i64>) =
            store.rows(DELETED, [corpus_id], read)?.swap_remove(0);
        let documents: i64 = self.blocks.iter().map(|block| i64::from(block.documents)).sum();
        let first =
            self.blocks.first().map(|block| block.first_document).into_iter().chain(least).min();
        let last = self.last_document(store).into_iter().chain(most).max();
        match first.zip(last) {
            Some((first, last))
                if documents + deleted == last.saturating_sub(first).saturating_add(1) =>
            {
                Ok(vec![(first, first - 1)])
            }
            _ => store.rows(STRETCHES, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?))),
        }
    }

    /// The id of the last document; `None` where its block cannot be read.
    fn last_document(&self, store: &Store) -> Option<i64> {
        let listed = self.blocks.last()?;
        let mut block = Block::default();
        self.unpack(&store.connection, listed.id, &mut block).ok()?;
        block.document_ids.last().copied()
    }

    /// Lists the blocks of corpus `corpus_id`, which is `part` of a corpus in parts.
    /// Documents get the ids, and terms the positions, of the whole corpus.
    pub fn open_part(store: &Store, corpus_id: CorpusId, part: &Part) -> Result<Self> {
        let whole = WholeNumbering::from_part(store, corpus_id, part)?;
        let own = Self::open(store, corpus_id)?;
        let numbers = own.numbers.clone().shifted(part.ids_from);
        Ok(Self { whole, numbers, ..own })
    }

    /// The same documents under the ids that they have in the part's own store.
    pub fn with_own_ids(self) -> Self {
        let Some(whole) = self.whole else { return self };
        let numbers = self.numbers.by_own_ids(whole.ids_from());
        Self { numbers, whole: Some(whole.with_own_ids()), ..self }
    }

    /// Numbers documents as `numbers` does, if the corpus that it is of has had any.
    pub fn with_numbers(self, numbers: &DocumentNumbers) -> Self {
        match numbers.is_empty() {
            true => self,
            false => Self { numbers: numbers.clone(), ..self },
        }
    }

    /// The documents' numbers within the corpus.
    pub fn numbers(&self) -> &DocumentNumbers {
        &self.numbers
    }

    /// Keeps the first `count` blocks only.
    pub fn first(mut self, count: usize) -> Self {
        self.blocks.truncate(count);
        self
    }

    /// The directory of the store.
    pub fn directory(&self) -> &Path {
        let directory = self.readers.path().parent();
        directory.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Number of nonzeros in each block, in document order.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.blocks.iter().map(|block| block.nonzeros)
    }

    /// Number of leading blocks without a document whose id is above `id`. It is one less where only reading a
    /// block could decide.
    pub fn blocks_up_to(&self, id: i64) -> usize {
        let own = self.whole.as_ref().map_or(id, |whole| whole.own_id(id));
        self.blocks.partition_point(|block| block.first_document <= own).saturating_sub(1)
    }

    /// Calls `visit` with each block of `range`, in document order. The block is overwritten by the next one.
    ///
    /// # Errors
    /// [`StoreError::DamagedBlock`]; the error of `visit`.
    pub fn visit<E: From<StoreError>>(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.readers.with(|connection| {
            let mut block = Block::default();
            for listed in &self.blocks[range] {
                self.read(connection, listed, &mut block)?;
                visit(&block)?;
            }
            Ok(())
        })
    }

    /// Reads block number `at` within the transaction of `store`.
    pub(crate) fn read_at(&self, store: &Store, at: usize, block: &mut Block) -> Result<()> {
        self.unpack(&store.connection, self.blocks[at].id, block).map(drop)
    }

    /// Reads the documents that a block had when it was listed.
    fn read(&self, connection: &Connection, listed: &BlockEntry, block: &mut Block) -> Result<()> {
        let saved = self.unpack(connection, listed.id, block)?;
        let is_whole =
            saved == saturated(block.document_ids.len()) && saved >= listed.documents.into();
        if !is_whole {
            let reason = "it is saved with another number of documents than it has";
            return Err(StoreError::DamagedBlock { block: listed.id, reason });
        }
        block.truncate(listed.documents as usize);
        self.whole.as_ref().map_or(Ok(()), |whole| whole.apply(block))
    }

    /// Reads a block; returns the number of documents that its row says.
    fn unpack(&self, connection: &Connection, id: i64, block: &mut Block) -> Result<i64> {
        let fail = |source| StoreError::at(self.readers.path(), source);
        let mut statement = connection.prepare_cached(READ_BLOCK).map_err(fail)?;
        let mut rows = statement.query([id]).map_err(fail)?;
        let Some(row) = rows.next().map_err(fail)? else {
            return Err(StoreError::DamagedBlock { block: id, reason: "it is gone" });
        };
        let (first, documents) = (row.get(0).map_err(fail)?, row.get(1).map_err(fail)?);
        let data = row.get_ref(2).map_err(fail)?;
        let bytes = data.as_blob().map_err(|e| fail(e.into()))?;
        block.unpack(id, first, bytes)?;
        block.check_terms(id, self.terms)?;
        Ok(documents)
    }
}

/// The words of documents by ascending id, from the blocks of a corpus.
pub(crate) struct DocumentCursor<'b> {
    blocks: &'b CorpusBlocks,
    /// Number of the next block.
    next: usize,
    block: Block,
    /// The place in the block from which documents are looked for.
    place: usize,
}

impl<'b> DocumentCursor<'b> {
    /// A cursor before document `id`.
    pub(crate) fn before(blocks: &'b CorpusBlocks, id: DocumentId) -> Self {
        let after = blocks.blocks.partition_point(|block| block.first_document <= id.0);
        Self { blocks, next: after.saturating_sub(1), block: Block::default(), place: 0 }
    }

    /// Term positions and counts of document `id`, which is above those asked before; `None` if no
    /// block has it.
    pub(crate) fn seek(
        &mut self,
        connection: &Connection,
        id: DocumentId,
    ) -> Result<Option<(&[u32], &[u32])>> {
        loop {
            let ids = &self.block.document_ids[self.place.min(self.block.document_ids.len())..];
            self.place += ids.partition_point(|other| *other < id.0);
            if let Some(&found) = self.block.document_ids.get(self.place) {
                if found != id.0 {
                    return Ok(None);
                }
                let ends = &self.block.ends;
                let start = self.place.checked_sub(1).map_or(0, |before| ends[before]);
                let range = start as usize..ends[self.place] as usize;
                return Ok(Some((&self.block.terms[range.clone()], &self.block.counts[range])));
            }
            let listed = self.blocks.blocks.get(self.next);
            let Some(listed) = listed.filter(|listed| listed.first_document <= id.0) else {
                return Ok(None);
            };
            self.blocks.read(connection, listed, &mut self.block)?;
            (self.next, self.place) = (self.next + 1, 0);
        }
    }
}

impl BlockSource for CorpusBlocks {
    fn block_sizes(&self) -> Vec<u32> {
        self.sizes().collect()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        Self::blocks_up_to(self, id)
    }

    fn numbers(&self) -> DocumentNumbers {
        self.numbers.clone()
    }

    fn scratch(&self) -> std::path::PathBuf {
        self.directory().into()
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> StreamResult<()>,
    ) -> StreamResult<()> {
        Self::visit(self, range, visit)
    }
}
