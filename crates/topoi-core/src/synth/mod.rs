//! Synthetic corpora with known topics.
//!
//! A kind (`lda`, `separable`, `semi`, `swimmer`, `zipf`, `bitmap`) makes a [`KnownCorpus`] from
//! its settings: words, true topics, and a generator that draws one document after another, so that
//! memory does not grow with their number. `files` writes it as a UCI bag of words with the true
//! topics.
//!
//! All random numbers come from [`crate::random::stream`]: topics from the stream "synth topics",
//! documents from "synth documents". The first documents are therefore the same for any number of
//! documents. Logarithms and exponentials come from the crate `libm`, which gives the same bits on
//! every machine, unlike the system's.

pub mod bitmap;
mod corpus;
mod draw;
pub mod error;
pub mod faults;
pub mod files;
pub mod lda;
pub mod length;
mod limits;
mod mixture;
pub mod semi;
pub mod separable;
pub mod swimmer;
pub mod zipf;

pub use corpus::{Generator, KnownCorpus, Topic};
pub use error::SynthError;
pub use length::Length;
