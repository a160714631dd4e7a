//! How many topics could there be? Bounds from the second moment of the words, before any model
//! is fitted.
//!
//! `lda` bounds the number K of topics behind a corpus, `gaussian` the number of components
//! behind points. Both count what of a second moment's spectrum (`spectrum`) is larger than
//! chance makes it (`second_moment`), and compare its largest value with what K topics can give
//! (`topic_spectrum`). Everything holds for data from the model only.
//!
//! Source: Cheng, He, Liu 2015, "Analyzing the Number of Latent Topics via Spectral Decomposition".
//! Where this differs from the paper, `docs/cheng2015.md` says how and why.

pub mod error;
pub mod gaussian;
pub mod lda;
pub mod second_moment;
pub mod spectrum;
pub mod topic_spectrum;

pub use error::BoundError;
