//! Why a run was not exported.

use std::path::PathBuf;

use crate::saved::compare::CompareError;
use crate::work::work_error::WorkError;
use topoi_store::StoreError;
use topoi_store::id::RunId;

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
    /// The reader of standard output is gone.
    #[error("nobody reads standard output any more")]
    Unread,
    /// An export of several files cannot be written to standard output.
    #[error("standard output holds one file, and this format is a folder of several")]
    NoFolder,
    /// The runs cannot be compared.
    #[error("{0}")]
    Compare(#[from] CompareError),
    /// The format is for one run, but several are given.
    #[error("{format} holds one run, and there are {runs}")]
    OneRun {
        /// Name of the format, as on the command line.
        format: &'static str,
        /// Number of runs.
        runs: usize,
    },
    /// A file exceeds the limit of zip files.
    #[error("{0} would be more than 4 GB, which a zip file cannot hold")]
    TooLong(&'static str),
    /// A path ends as files of another format than figures are written in.
    #[error("{}: figures are written as .svg, .pdf and .png", path.display())]
    FigureEnding {
        /// The path as given.
        path: PathBuf,
    },
    /// What is to be drawn is no figure as it is saved.
    #[error("this is no figure that can be drawn: {0}")]
    NotAFigure(String),
    /// A font cannot be read.
    #[error("{} is no font that can be read: {why}", path.display())]
    NotAFont {
        /// The path as given.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A figure has letters that no font has an outline of.
    #[error("{count} letters of the figure, such as {letters}, are not in the font")]
    LettersWithoutFont {
        /// The first of them.
        letters: String,
        /// How many there are.
        count: usize,
    },
    /// A file or folder exists at the destination.
    #[error("{} is there already", .0.display())]
    InTheWay(PathBuf),
    /// A file or folder exists at the destination that no export may replace.
    #[error("{} is there already and is {what}, which no export replaces", path.display())]
    Irreplaceable {
        /// Path of the existing file or folder.
        path: PathBuf,
        /// Its kind.
        what: &'static str,
    },
    /// A foreign entry of the folder, which would be kept, has the name of a new file.
    #[error("{} was not written by an export", .0.display())]
    Foreign(PathBuf),
    /// The destination has no name of its own, such as `.` or `/`.
    #[error("--into {} does not name {shape}; give --into the name of one", path.display())]
    NoName {
        /// The path as given.
        path: PathBuf,
        /// The expected kind: a file or a folder.
        shape: &'static str,
    },
    /// No document has the field given by `--by`.
    #[error(
        "no document has a field {field:?}, which --by names; {}",
        if names.is_empty() { "they have no fields".into() } else { format!("they have {names}") }
    )]
    NoField {
        /// Name of the missing field.
        field: String,
        /// The fields that documents have, separated by commas.
        names: String,
    },
    /// The format does not spread topics over a field.
    #[error("--by is of --to dfr-browser; {0} has no place for it")]
    NotSpread(&'static str),
    /// The format needs data that the run lacks.
    #[error("run {run} has no {what}, which {format} needs; {remedy}")]
    Missing {
        /// Row id of the run.
        run: RunId,
        /// The missing data.
        what: &'static str,
        /// Name of the format, as on the command line.
        format: &'static str,
        /// The remedy; the end of the message.
        remedy: &'static str,
    },
}
