//! Streamed products over a corpus: everything that is linear in documents.
//!
//! A [`source::BlockSource`] provides blocks of documents, from the store or from memory. Each pass
//! visits every block once and sums. The order of sums depends on the corpus only, so results are
//! the same to the bit for any number of threads.
//!
//! - [`documents`]: blocks restricted to a vocabulary.
//! - [`document_numbers`]: by which random numbers are drawn for documents.
//! - [`cooccurrence`]: the operator C, its rows and parts of it.
//! - [`split`]: the co-occurrence of two halves of every document.
//! - [`gram`]: X·Xᵀ of the plain counts.
//! - [`parts`]: the exchange between machines that each have some of the documents.

pub mod aligned;
pub mod block;
pub mod cooccurrence;
pub mod document_numbers;
pub mod documents;
pub mod error;
pub mod gram;
pub mod in_threads;
pub mod memory;
pub mod panel;
pub mod parts;
mod product;
pub mod selection;
pub mod source;
pub mod split;

pub use error::StreamError;
