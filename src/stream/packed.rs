//! Blocks from the store.

use std::ops::Range;

use super::error::Result;
use super::source::BlockSource;
use crate::store::block::Block;
use crate::store::block::blocks::CorpusBlocks;

impl BlockSource for CorpusBlocks {
    fn block_sizes(&self) -> Vec<u32> {
        self.sizes().collect()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        Self::blocks_up_to(self, id)
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        Self::visit(self, range, visit)
    }
}
