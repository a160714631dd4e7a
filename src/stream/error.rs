//! Why a pass over a corpus ended early.

use crate::store::StoreError;

/// Why a pass over a corpus ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Someone asked for it.
    #[error("cancelled")]
    Cancelled,
    /// Too few documents are left to estimate anything from.
    #[error(
        "only {kept} documents have {min_tokens} tokens or more in the vocabulary of {terms} \
         terms; use a larger vocabulary or a lower --min-tokens"
    )]
    TooFewDocuments {
        /// Documents that are long enough.
        kept: u64,
        /// The length asked for.
        min_tokens: u64,
        /// Terms in the vocabulary.
        terms: usize,
    },
    /// The work failed on another part of the corpus.
    #[error("part {part}: {reason}")]
    Part {
        /// The part, from 0.
        part: usize,
        /// What it says.
        reason: String,
    },
    /// Another part cannot be reached.
    #[error("the parts cannot exchange their sums ({0}); start the run again with mpirun")]
    Exchange(String),
    /// The work needs all documents in one place.
    #[error("this cannot be done on a corpus in {parts} parts; use one store with all documents")]
    NeedsWhole {
        /// Parts there are.
        parts: usize,
    },
}

/// The result of a pass.
pub type Result<T> = std::result::Result<T, StreamError>;
