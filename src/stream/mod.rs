//! Block products over a corpus, streamed: everything that is linear in documents.
//!
//! A [`source::BlockSource`] gives blocks of documents, from the store or from memory. Each pass
//! visits every block once and adds up; sums are made in an order that depends on the corpus
//! only, so results are the same to the bit for any number of threads.

pub mod between;
pub mod bins;
pub mod cooccurrence;
pub mod document_directions;
pub mod documents;
pub mod error;
pub mod formed;
pub mod gram;
pub mod group_cooccurrence;
pub mod halves;
pub mod lanes;
pub mod memory;
pub mod packed;
pub mod panel;
pub mod parts;
mod product;
pub mod row_norms;
mod row_panels;
pub mod sample;
pub mod side_by_side;
pub mod source;
pub mod split_cooccurrence;
#[cfg(test)]
mod test_halves;
#[cfg(test)]
pub(crate) mod test_parts;

pub use error::StreamError;
