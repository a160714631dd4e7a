//! Bounds on the number of topics from the second moment of the words, before any model is fitted.
//!
//! `lda` bounds the number K of topics behind a corpus, `gaussian` the number of components behind
//! points. Both count the eigenvalues of a second moment (`spectrum`) that are larger than chance
//! allows (`second_moment`), and compare the largest eigenvalue with its bound for K topics
//! (`topic_spectrum`). The bounds hold for data drawn from the model.
//!
//! Source: Cheng, He, Liu 2015, "Analyzing the Number of Latent Topics via Spectral Decomposition".
//! Differences from the paper are explained in `papers/cheng2015.md`.

pub mod error;
pub mod gaussian;
pub mod lda;
pub mod second_moment;
pub mod spectrum;
pub mod topic_spectrum;

pub use error::SpectralBoundError;
