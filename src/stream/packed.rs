//! Blocks from the store.

use std::ops::Range;

use super::error::Result;
use super::source::BlockSource;
use crate::store::block::Block;
use crate::store::blocks::CorpusBlocks;

impl BlockSource for CorpusBlocks {
    fn block_sizes(&self) -> Vec<u32> {
        self.sizes().collect()
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        Self::visit(self, range, visit)
    }
}
