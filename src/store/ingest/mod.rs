//! Writing documents in batches: each batch is one transaction with rows, packed blocks,
//! frequencies and the position in the source, so that a killed ingest goes on from the last.

mod batch;
mod document;
mod first_fill;
pub mod ledger;
pub(crate) mod page_cache;
pub mod source_position;
mod writer;

pub use document::{Added, BATCH_BYTES, IngestCounts, IngestStart, NewDocument};
pub use writer::IngestWriter;
