//! Errors of making a synthetic corpus.

use std::io;
use std::path::{Path, PathBuf};

/// The result of making a corpus.
pub type Result<T> = std::result::Result<T, SynthError>;

/// Why a corpus was not made.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// A setting is out of its range.
    #[error("{field} is {value}, but must be {range}; change --{field}")]
    OutOfRange {
        /// The setting's name.
        field: &'static str,
        /// What was asked for.
        value: String,
        /// The range, in words.
        range: String,
    },
    /// A file to be written exists already.
    #[error("{} is there already", path.display())]
    Exists {
        /// Where it would be written.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Where it would be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The work was told to stop.
    #[error("stopped before the corpus was complete; nothing of it is kept")]
    Cancelled,
}

impl SynthError {
    /// Whether the work was told to stop.
    pub fn is_cancel(&self) -> bool {
        matches!(self, Self::Cancelled)
    }
}

/// Adds the file to a failure to write it.
pub(super) fn writing(path: &Path) -> impl Fn(io::Error) -> SynthError {
    move |source| SynthError::Write { path: path.into(), source }
}
