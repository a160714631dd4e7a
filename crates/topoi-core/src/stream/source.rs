//! The source of document blocks.

use std::ops::Range;
use std::path::PathBuf;

use super::block::Block;
use super::document_numbers::DocumentNumbers;
use super::error::Result;

/// A sequence of document blocks that can be read in order, from several threads, any number of
/// times, with the same result every time.
pub trait BlockSource: Sync {
    /// Number of nonzeros of every block, in document order. The length is the number of blocks.
    fn block_sizes(&self) -> Vec<u32>;

    /// The number of leading blocks without a document whose id is above `id`.
    fn blocks_up_to(&self, id: i64) -> usize;

    /// The documents' numbers within the corpus. By default they are the ids.
    fn numbers(&self) -> DocumentNumbers {
        DocumentNumbers::default()
    }

    /// Directory for intermediate results of a pass that do not fit into memory.
    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    /// Calls `visit` with each block of `range` in document order.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; any error that `visit` returns.
    fn visit(&self, range: Range<usize>, visit: &mut dyn FnMut(&Block) -> Result<()>)
    -> Result<()>;
}
