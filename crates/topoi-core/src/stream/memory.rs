//! Blocks from a sparse matrix in memory, for tests and small experiments.

use std::ops::Range;

use sprs::CsMat;

use super::error::Result;
use super::source::BlockSource;
use crate::stream::block::Block;

/// Documents as the rows of a sparse M × T matrix of counts, served in blocks of a fixed number of
/// documents.
#[derive(Debug, Clone)]
pub struct MatrixSource {
    counts: CsMat<u32>,
    documents_per_block: usize,
    first_id: i64,
}

impl MatrixSource {
    /// Serves the rows of `counts` (documents × terms, entries at least 1) in blocks of
    /// `documents_per_block` (at least 1). Ids are 1, 2, 3, …
    pub fn new(counts: CsMat<u32>, documents_per_block: usize) -> Self {
        let documents_per_block = documents_per_block.max(1);
        Self { counts: counts.into_csr(), documents_per_block, first_id: 1 }
    }

    /// Only the documents of the rows in `range`, with the same ids.
    pub fn part(&self, range: Range<usize>) -> Self {
        let first_id = self.first_id + range.start as i64;
        let counts = self.counts.slice_outer(range).to_owned();
        Self { counts, first_id, ..*self }
    }

    fn documents_of(&self, block: usize) -> Range<usize> {
        let start = block * self.documents_per_block;
        start..(start + self.documents_per_block).min(self.counts.rows())
    }
}

impl BlockSource for MatrixSource {
    fn block_sizes(&self) -> Vec<u32> {
        let blocks = self.counts.rows().div_ceil(self.documents_per_block);
        let nonzeros = |block| {
            self.documents_of(block)
                .filter_map(|row| self.counts.outer_view(row))
                .map(|row| row.nnz() as u32)
                .sum()
        };
        (0..blocks).map(nonzeros).collect()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        let documents = id.saturating_sub(self.first_id).saturating_add(1);
        usize::try_from(documents).unwrap_or(0).min(self.counts.rows()) / self.documents_per_block
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        let mut block = Block::default();
        for number in range {
            block.clear();
            for row in self.documents_of(number) {
                let entries: Vec<(u32, u32)> = self
                    .counts
                    .outer_view(row)
                    .map(|row| row.iter().map(|(term, &count)| (term as u32, count)).collect())
                    .unwrap_or_default();
                block.push(self.first_id + row as i64, &entries);
            }
            visit(&block)?;
        }
        Ok(())
    }
}

/// A [`MatrixSource`] that counts the blocks read.
#[cfg(test)]
pub(crate) struct CountingSource {
    source: MatrixSource,
    read: std::sync::atomic::AtomicUsize,
}

#[cfg(test)]
impl CountingSource {
    pub(crate) fn new(source: MatrixSource) -> Self {
        Self { source, read: 0.into() }
    }

    pub(crate) fn read(&self) -> usize {
        self.read.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[cfg(test)]
impl BlockSource for CountingSource {
    fn block_sizes(&self) -> Vec<u32> {
        self.source.block_sizes()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        self.source.blocks_up_to(id)
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        self.read.fetch_add(range.len(), std::sync::atomic::Ordering::Relaxed);
        self.source.visit(range, visit)
    }
}
