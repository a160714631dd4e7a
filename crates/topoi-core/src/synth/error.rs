//! Errors of synthetic corpora.

use std::io;
use std::path::{Path, PathBuf};

/// The result of making a corpus.
pub type Result<T> = std::result::Result<T, SynthError>;

/// A synthetic corpus could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SynthError {
    /// A setting is out of its range.
    #[error("{field} is {value}, but must be {range}")]
    OutOfRange {
        /// The setting's name.
        field: &'static str,
        /// The value given.
        value: String,
        /// The range, in words.
        range: String,
    },
    /// A file to be written already exists.
    #[error("{} is there already", path.display())]
    Exists {
        /// Path of the file.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The work was cancelled.
    #[error("stopped before the corpus was complete; nothing of it is kept")]
    Cancelled,
}

impl SynthError {
    /// Whether the work was cancelled.
    pub fn is_cancel(&self) -> bool {
        matches!(self, Self::Cancelled)
    }
}

/// Adds the path to an error of writing a file.
pub(super) fn writing(path: &Path) -> impl Fn(io::Error) -> SynthError {
    move |source| SynthError::Write { path: path.into(), source }
}
