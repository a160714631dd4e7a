//! How many topics could there be? Bounds from the second moment of the words, before any model
//! is fitted.
//!
//! `lda` bounds the number K of topics behind a corpus, `gaussian` the number of components
//! behind points. Both count the values of a second moment's spectrum (`spectrum`) that are larger
//! than chance makes them (`second_moment`), and compare the largest value with what K topics can give
//! (`topic_spectrum`). The bounds hold for data drawn from the model.
//!
//! Source: Cheng, He, Liu 2015, "Analyzing the Number of Latent Topics via Spectral Decomposition".
//! Where this differs from the paper, `papers/cheng2015.md` says how and why.

pub mod error;
pub mod gaussian;
pub mod lda;
pub mod second_moment;
pub mod spectrum;
pub mod topic_spectrum;

pub use error::BoundError;
