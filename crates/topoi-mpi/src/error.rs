//! Errors of work on a corpus in parts.

use std::path::PathBuf;

use topoi_core::stream::StreamError;
use topoi_run::choose_k::bounds::BoundsError;
use topoi_run::life::ResumeError;
use topoi_run::request::RequestError;
use topoi_run::request::update::UpdateError;
use topoi_run::work::work_error::WorkError;
use topoi_store::StoreError;
use topoi_store::id::RunId;

/// Why work on a corpus in parts could not be done.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// The request for the run is not valid.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// A store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run cannot be resumed.
    #[error("{0}")]
    Resume(#[from] ResumeError),
    /// The run cannot be updated.
    #[error("{0}")]
    Update(#[from] UpdateError),
    /// The bounds could not be computed.
    #[error("{0}")]
    Bounds(#[from] BoundsError),
    /// The work could not begin.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The parts cannot reach each other.
    #[error("{0}")]
    Exchange(#[from] StreamError),
    /// The pattern names one file for several parts.
    #[error("{0:?} names one file for all parts")]
    OnePath(String),
    /// A part cannot be opened, or does not fit the whole.
    #[error("part {number} ({}): {reason}", path.display())]
    Part {
        /// The part, from 0.
        number: usize,
        /// The file of its store.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The parts hold other documents than the whole.
    #[error(
        "the parts have {found} documents, tokens and pairs of corpus {corpus:?}, which has \
         {expected}"
    )]
    OtherDocuments {
        /// The corpus's name.
        corpus: String,
        /// Documents, tokens and pairs of the whole.
        expected: String,
        /// Documents, tokens and pairs of all parts together.
        found: String,
    },
    /// The documents of a run are not in parts alone.
    #[error("the documents of run {run} are in this store, with their topics")]
    DocumentsAreHere {
        /// The run.
        run: RunId,
    },
    /// Part 0 has failed and reports why; this part has nothing to add.
    #[error("part 0 has told why")]
    Told,
}
