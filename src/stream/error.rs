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
}

/// The result of a pass.
pub type Result<T> = std::result::Result<T, StreamError>;
