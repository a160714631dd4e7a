//! Why a run was not exported.

use std::path::PathBuf;

use crate::run::work::WorkError;
use crate::store::StoreError;

/// Why a run was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run's topics could not be read.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// A file could not be written.
    #[error("{}: {reason}; give -o a place that can be written", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// There is something in the way.
    #[error("{} is there already; give -o another name, or --force to replace it", .0.display())]
    InTheWay(PathBuf),
    /// The format needs what the run does not have.
    #[error("run {run} has no {what}, which {format} needs; {remedy}")]
    Missing {
        /// The run.
        run: i64,
        /// What is missing.
        what: &'static str,
        /// The format.
        format: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}
