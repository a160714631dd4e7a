//! The documents of all parts of a small corpus, in memory on each part.

use std::ops::Range;

use super::{Batch, Documents, whole_numbers};
use crate::stream::block::Block;
use crate::stream::error::{Result, StreamError};
use crate::stream::source::BlockSource;

/// Blocks of the documents of all parts, for work that is not a sum over documents. Their ids are their numbers, their
/// terms the words.
#[derive(Debug)]
pub struct GatheredBlocks {
    /// Number of nonzeros before the vocabulary was applied, which decides lanes, and the kept documents.
    blocks: Vec<(u32, Block)>,
}

/// Bytes before a packed block: nonzeros before the vocabulary was applied, the first id, the length of the block.
const HEAD: usize = 4 + 8 + 8;

impl GatheredBlocks {
    /// Sends the kept documents of each part to all parts: about 7 bytes for each nonzero, and 24 bytes of memory.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `Part` when another part failed; `Exchange` when another part
    /// cannot be reached; `Cancelled`.
    pub fn new(documents: &Documents<'_>) -> Result<Self> {
        let mut own = Vec::new();
        let packed = documents.block_sizes().into_iter().enumerate().try_for_each(|(at, size)| {
            documents.visit(at..at + 1, |batch| {
                let block = numbered(batch);
                let first = block.document_ids.first().copied().unwrap_or(0);
                let bytes = block.pack();
                own.extend(size.to_le_bytes());
                own.extend(first.to_le_bytes());
                own.extend((bytes.len() as u64).to_le_bytes());
                own.extend(bytes);
            })
        });
        documents.agree(packed)?;
        let mut blocks = Vec::new();
        for part in documents.parts().share(own)? {
            let mut rest = &part[..];
            while !rest.is_empty() {
                let (size, block, after) = read(rest).ok_or_else(no_documents)?;
                blocks.push((size, block));
                rest = after;
            }
        }
        Ok(Self { blocks })
    }

    /// The documents of all parts as those of one, with the words of `part`.
    pub fn documents<'a>(&'a self, part: &Documents<'a>) -> Documents<'a> {
        let words: Vec<u32> = (0..part.words as u32).collect();
        Documents::new(self, &words, part.min_tokens, part.progress)
    }
}

/// A block of the documents of `batch`.
fn numbered(batch: &Batch) -> Block {
    let mut block = Block::default();
    for (&number, (words, counts, _)) in batch.numbers.iter().zip(batch.documents()) {
        block.push_slices(number as i64, words, &whole_numbers(counts));
    }
    block
}

fn no_documents() -> StreamError {
    StreamError::Exchange("documents of a part came as something else".into())
}

impl Documents<'_> {
    /// The `own` block of documents of each part, in the order of parts. Their ids begin at 0.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub(crate) fn share_block(&self, own: Block) -> Result<Vec<Block>> {
        if self.parts().count() == 1 {
            return Ok(vec![own]);
        }
        let unpacked = |bytes: &Vec<u8>| {
            let mut block = Block::default();
            block.unpack(0, 0, bytes).map_err(|_| no_documents())?;
            Ok(block)
        };
        self.parts().share(own.pack())?.iter().map(unpacked).collect()
    }
}

/// The first block of `bytes`, and the bytes after it.
fn read(bytes: &[u8]) -> Option<(u32, Block, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let (size, head) = head.split_first_chunk()?;
    let (first, length) = head.split_first_chunk()?;
    let length = u64::from_le_bytes(*length.first_chunk()?);
    let (packed, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let mut block = Block::default();
    block.unpack(0, i64::from_le_bytes(*first), packed).ok()?;
    Some((u32::from_le_bytes(*size), block, rest))
}

impl BlockSource for GatheredBlocks {
    fn block_sizes(&self) -> Vec<u32> {
        self.blocks.iter().map(|&(size, _)| size).collect()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        let is_before =
            |(_, block): &(u32, Block)| block.document_ids.last().is_none_or(|&last| last <= id);
        self.blocks.iter().take_while(|block| is_before(block)).count()
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        self.blocks[range].iter().try_for_each(|(_, block)| visit(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::in_threads::in_parts;
    use crate::stream::memory::MatrixSource;
    use sprs::TriMat;

    #[test]
    fn each_part_has_the_documents_of_all_in_the_lanes_of_the_whole() {
        let mut counts = TriMat::new((70, 30));
        for document in 0..70 {
            for word in 0..6 {
                let count = 1 + (document * word) % 4;
                counts.add_triplet(document, (document * 5 + word * word) % 30, count as u32);
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 10);
        // Some words, and documents that become too short without the others.
        let positions: Vec<u32> = (0..30).filter(|word| word % 3 > 0).collect();
        let all = |documents: &Documents<'_>| {
            let mut all = Batch::default();
            let blocks = documents.block_sizes().len();
            documents.visit(0..blocks, |batch| all.append(batch)).expect("in memory");
            (all.numbers, all.words, all.counts, documents.block_sizes())
        };
        let whole = all(&Documents::new(&source, &positions, 9, &Silent));
        assert!(whole.0.len() < 70);
        let of_parts = in_parts(2, |parts| {
            let part = source.part([0..30, 30..70][parts.number()].clone());
            let documents = Documents::new(&part, &positions, 9, &Silent).with_parts(parts);
            let gathered = GatheredBlocks::new(&documents).expect("gathered");
            all(&gathered.documents(&documents))
        });
        assert!(of_parts.iter().all(|part| *part == whole));
    }
}
