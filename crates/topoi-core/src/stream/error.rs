//! Why a pass over a corpus ended early.

use crate::spilled::SpillError;

/// Why a pass over a corpus ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// Blocks cannot be read from where they are.
    #[error("{0}")]
    Source(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What does not fit memory cannot be kept on disk.
    #[error("{0}")]
    Spilled(#[from] SpillError),
    /// The work was told to stop.
    #[error("cancelled")]
    Cancelled,
    /// Too few documents are left to estimate anything from.
    #[error(
        "only {kept} documents have {min_tokens} tokens or more in the vocabulary of {terms} \
         terms"
    )]
    TooFewDocuments {
        /// Documents that are long enough.
        kept: u64,
        /// The least number of tokens a document needs.
        min_tokens: u64,
        /// Terms in the vocabulary.
        terms: usize,
    },
    /// The work failed on another part of the corpus.
    #[error("part {part}: {reason}")]
    Part {
        /// The number of the part, from 0.
        part: usize,
        /// What that part said.
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
