//! Topics shaped by hand, as runs: what of a run is shaped, the request for the run that edits make, and
//! the words that topics are seeded with.

pub mod base;
pub mod factor;
pub mod origin;
pub mod seeds;

use std::path::PathBuf;

use self::base::MissingFactor;
use super::request::RequestError;
use super::work::work_error::WorkError;
use topoi_core::shape::ShapeError;
use topoi_store::StoreError;

/// Why topics of a run are not shaped.
#[derive(Debug, thiserror::Error)]
pub enum ShapingError {
    /// The edits are refused.
    #[error("{0}")]
    Edits(#[from] ShapeError),
    /// The run cannot be shaped.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// What it needs is not there yet.
    #[error("{0}")]
    Missing(#[from] MissingFactor),
    /// The run that the edits make is refused.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Where it was looked for.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
}
