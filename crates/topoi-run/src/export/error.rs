//! Why a run was not exported.

use std::path::PathBuf;

use crate::saved::compare::CompareError;
use crate::work::work_error::WorkError;
use topoi_store::StoreError;

/// Why a run was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run's topics could not be read.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// Path of the file or directory.
        path: PathBuf,
        /// The error of the operating system, or of the format's writer.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Nobody reads standard output any more.
    #[error("nobody reads standard output any more")]
    Unread,
    /// Several files cannot go to standard output.
    #[error("standard output holds one file, and this format is a folder of several")]
    NoFolder,
    /// Runs cannot be compared.
    #[error("{0}")]
    Compare(#[from] CompareError),
    /// Several runs for a format of one.
    #[error("{format} holds one run, and there are {runs}")]
    OneRun {
        /// Name of the format, as on the command line.
        format: &'static str,
        /// How many runs were named.
        runs: usize,
    },
    /// A file is longer than a zip file can be.
    #[error("{0} would be more than 4 GB, which a zip file cannot hold")]
    TooLong(&'static str),
    /// There is something in the way.
    #[error("{} is there already", .0.display())]
    InTheWay(PathBuf),
    /// There is something in the way that no export may replace.
    #[error("{} is there already and is {what}, which no export replaces", path.display())]
    Irreplaceable {
        /// Path of what is there.
        path: PathBuf,
        /// The kind of thing that is there.
        what: &'static str,
    },
    /// An entry of the folder is to be kept and has the name of a new file.
    #[error("{} was not written by an export", .0.display())]
    Foreign(PathBuf),
    /// The place has no name of its own, such as `.` or `/`.
    #[error("-o {} does not name {shape}; give -o the name of one", path.display())]
    NoName {
        /// The path that was asked for.
        path: PathBuf,
        /// What the path has to name: a file or a folder.
        shape: &'static str,
    },
    /// No document has the field they are to be spread over.
    #[error(
        "no document has a field {field:?}, which --by names; {}",
        if names.is_empty() { "they have no fields".into() } else { format!("they have {names}") }
    )]
    NoField {
        /// The field that no document has.
        field: String,
        /// The fields that documents have, separated by commas.
        names: String,
    },
    /// Only the browser spreads documents over a field.
    #[error("--by is of --to dfr-browser; {0} has no place for it")]
    NotSpread(&'static str),
    /// The format needs what the run does not have.
    #[error("run {run} has no {what}, which {format} needs; {remedy}")]
    Missing {
        /// Row id of the run.
        run: i64,
        /// What the format needs and the run lacks.
        what: &'static str,
        /// Name of the format, as on the command line.
        format: &'static str,
        /// How to put it right: the end of the message.
        remedy: &'static str,
    },
}
