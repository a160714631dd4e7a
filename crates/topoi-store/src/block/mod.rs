//! Blocks of documents in the store: reading them in order, and rewriting them when documents change.

pub(crate) mod block_edits;
pub mod blocks;
