//! Runs whose topics are shaped by hand: the topics that are edited, the request for the run that the edits make, and
//! words that topics are seeded with.

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

/// Why the topics of a run cannot be shaped.
#[derive(Debug, thiserror::Error)]
pub enum ShapingError {
    /// An edit is invalid.
    #[error("{0}")]
    Edits(#[from] ShapeError),
    /// The run cannot be shaped.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The run lacks a factorisation.
    #[error("{0}")]
    Missing(#[from] MissingFactor),
    /// The request for the shaped run is refused.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong, and the remedy.
        reason: String,
    },
}
