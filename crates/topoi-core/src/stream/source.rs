//! The seam: where blocks of documents come from.

use std::ops::Range;
use std::path::PathBuf;

use super::block::Block;
use super::error::Result;

/// A sequence of document blocks that can be read in order, from several threads, any number of
/// times, and is the same every time.
pub trait BlockSource: Sync {
    /// Number of nonzeros of every block, in document order; its length is the number of blocks.
    fn block_sizes(&self) -> Vec<u32>;

    /// The number of leading blocks that have no document with an id above `id`.
    fn blocks_up_to(&self, id: i64) -> usize;

    /// The directory for what a pass makes and memory should not hold.
    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    /// Calls `visit` with each block of `range` in document order.
    ///
    /// # Errors
    /// When a block cannot be read; whatever `visit` returned otherwise.
    fn visit(&self, range: Range<usize>, visit: &mut dyn FnMut(&Block) -> Result<()>)
    -> Result<()>;
}
