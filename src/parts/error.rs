//! Why a corpus in parts is not worked on.

use std::path::PathBuf;

use crate::run::choose_k::bounds::BoundsError;
use crate::run::life::ResumeError;
use crate::run::request::RequestError;
use crate::run::work::work_error::WorkError;
use crate::store::StoreError;
use crate::stream::StreamError;

/// Why a corpus in parts is not worked on.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// The run was asked for in a wrong way.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run cannot be gone on with.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// There are no bounds.
    #[error(transparent)]
    Bounds(#[from] BoundsError),
    /// The work could not begin.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The parts cannot reach each other.
    #[error(transparent)]
    Exchange(#[from] StreamError),
    /// One file cannot be several parts.
    #[error(
        "--parts {0:?} names one file for all parts; put {{rank}} where the number of the part stands"
    )]
    OnePath(String),
    /// A part is not what it should be.
    #[error("part {number} ({}): {reason}", path.display())]
    Part {
        /// The part, from 0.
        number: usize,
        /// Its store.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The parts hold other documents than the whole.
    #[error(
        "the parts have {found} documents, tokens and pairs of corpus {corpus:?}, which has \
         {expected}; split it again with `topoi shard`, or unite its parts again with `topoi unify`"
    )]
    OtherDocuments {
        /// The corpus.
        corpus: String,
        /// What it has.
        expected: String,
        /// What they have together.
        found: String,
    },
    /// Another part has said why.
    #[error("part 0 has told why")]
    Told,
}
