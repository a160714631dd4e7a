//! Errors of a pass over a corpus.

use crate::spilled::SpillError;

/// A pass over a corpus failed.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A block cannot be read from its source.
    #[error("{0}")]
    Source(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Intermediate results cannot be written to or read from disk.
    #[error("{0}")]
    Spilled(#[from] SpillError),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Too few documents are kept to estimate anything.
    #[error(
        "only {kept} documents have {min_tokens} tokens or more in the vocabulary of {terms} \
         terms"
    )]
    TooFewDocuments {
        /// Documents kept.
        kept: u64,
        /// The smallest number of tokens of a kept document.
        min_tokens: u64,
        /// Terms in the vocabulary.
        terms: usize,
    },
    /// The work failed on another part of the corpus.
    #[error("part {part}: {reason}")]
    Part {
        /// The number of the part, from 0.
        part: usize,
        /// The error of that part.
        reason: String,
    },
    /// Another part cannot be reached.
    #[error("the parts cannot exchange their sums ({0}); start the run again with mpirun")]
    Exchange(String),
    /// The work needs all documents in one place.
    #[error("this cannot be done on a corpus in {parts} parts; use one store with all documents")]
    NeedsWhole {
        /// The number of parts.
        parts: usize,
    },
}

/// The result of a pass.
pub type Result<T> = std::result::Result<T, StreamError>;
