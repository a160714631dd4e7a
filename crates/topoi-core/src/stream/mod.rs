//! Block products over a corpus, streamed: everything that is linear in documents.
//!
//! A [`source::BlockSource`] gives blocks of documents, from the store or from memory. Each pass
//! visits every block once and adds up; sums are made in an order that depends on the corpus
//! only, so results are the same to the bit for any number of threads.
//!
//! [`documents`] are blocks seen through a vocabulary; [`cooccurrence`] is the operator C, its rows and parts of it;
//! [`split`] the co-occurrence of two halves of every document; [`gram`] that of the plain counts. A corpus can lie
//! on several machines: [`parts`] is their exchange.

pub mod aligned;
pub mod block;
pub mod cooccurrence;
pub mod documents;
pub mod error;
pub mod gram;
pub mod in_threads;
pub mod memory;
pub mod panel;
pub mod parts;
mod product;
pub mod source;
pub mod split;

pub use error::StreamError;
