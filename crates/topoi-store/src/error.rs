//! What can go wrong with a store: what, and where. What to type about it the program knows (`cli/remedy.rs`).

use std::path::PathBuf;

use crate::id::{CorpusId, DocumentId, RunId, TopicNumber};
use topoi_core::shell_word::path_word;
use topoi_core::spilled::SpillError;
use topoi_core::stream::StreamError;
use topoi_core::stream::block::DamagedBlock;

/// An error of the store. Each message says what is wrong and where.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file exists and is not an SQLite database.
    #[error("{}: not an SQLite database", .0.display())]
    NotADatabase(PathBuf),
    /// An SQLite database of another program.
    #[error("{}: an SQLite database, but not a topoi store", .0.display())]
    NotAStore(PathBuf),
    /// Made by a version before 0.2, of which none was released.
    #[error("{}: made by a topoi before version 0.2, whose stores this one does not read", .0.display())]
    BeforeVersion02(PathBuf),
    /// Written by a later version of the program.
    #[error("{}: written by a newer topoi (schema {found}, this one knows {known}); install the newer topoi", path.display())]
    TooNew {
        /// The store's file.
        path: PathBuf,
        /// `user_version` in the file.
        found: i64,
        /// The last version this program knows.
        known: i64,
    },
    /// Written by an earlier version of the program, and only to be read.
    #[error("{}: made by an older topoi (schema {found}, this one reads {known})", path.display())]
    TooOld {
        /// The store's file.
        path: PathBuf,
        /// `user_version` in the file.
        found: i64,
        /// The version this program reads.
        known: i64,
    },
    /// Its tables, indexes or views are not those that this program makes.
    #[error("{}: {what}, so nothing of the store is read", path.display())]
    OtherSchema {
        /// The store's file.
        path: PathBuf,
        /// The first difference.
        what: String,
        /// The statement that does away with it, where there is one.
        remove: Option<String>,
    },
    /// There is no store at the path and the command makes none.
    #[error("{}: there is no store here", .0.display())]
    Missing(PathBuf),
    /// The file has several names, each of which would have a log and locks of its own.
    #[error("{}: this file has {names} names (hard links), and what is saved by one is lost by another; find them \
             with `find / -samefile {}` and remove all but one, or use a copy", path.display(), path_word(path))]
    SecondName {
        /// The store's file.
        path: PathBuf,
        /// How many names it has.
        names: u64,
    },
    /// The file is a mount of its own, so that its log lies elsewhere than that of its other name.
    #[error("{}: this file alone is mounted here, so its log would not be beside it; mount the folder it is in", .0.display())]
    MountedAlone(PathBuf),
    /// Another host has a store open that lies on a disk of the network.
    #[error("{}: in use on {host}, and on {disk} one host at a time can use a store; give the command there, or here when it has ended", path.display())]
    OtherHost {
        /// The store's file.
        path: PathBuf,
        /// The name of the host that has it open.
        host: String,
        /// The kind of file system.
        disk: &'static str,
    },
    /// The store lies on a disk of the network where hosts do not see each other's locks.
    #[error("{}: {disk} is mounted without locks between hosts, so two of them could destroy a store; put it on a disk of this host (--store), or mount {disk} with locks", path.display())]
    NoLocks {
        /// The store's file.
        path: PathBuf,
        /// The kind of file system.
        disk: &'static str,
    },
    /// The file was moved, deleted or replaced while it was open.
    #[error("{}: the store was moved, deleted or replaced while it was in use; nothing more was saved: give the command again", .0.display())]
    Replaced(PathBuf),
    /// The directory or file cannot be written or opened.
    #[error("{}: cannot open the store ({source})", path.display())]
    CannotOpen {
        /// The store's file.
        path: PathBuf,
        /// The error of the operating system or of SQLite.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The disk or the file-size limit is full.
    #[error("{}: no space left on the device; what was saved before is whole: free some space and give the same command again", .0.display())]
    Full(PathBuf),
    /// The disk is full, and the log cannot be taken into the file.
    #[error("{}: no space left on the device, not even to delete", path.display())]
    FullLog {
        /// The store's file.
        path: PathBuf,
        /// Size of the log.
        bytes: u64,
    },
    /// SQLite was refused memory.
    #[error("{}: the system gives no more memory; allow more (`ulimit -v`) or end other programs, and give the same command again", .0.display())]
    OutOfMemory(PathBuf),
    /// Another process held the write lock for longer than the program waits.
    #[error("{}: another process is writing to the store; wait for it to finish and try again", .0.display())]
    Busy(PathBuf),
    /// No corpus has the name.
    #[error("no corpus is called {name:?}{}", listed(.known))]
    UnknownCorpus {
        /// The name that was not found.
        name: String,
        /// The names that could have been given.
        known: Vec<String>,
    },
    /// No document of the corpus has the key.
    #[error("corpus {corpus:?} has no document {key:?}; nothing was deleted")]
    UnknownDocument {
        /// Name of the corpus.
        corpus: String,
        /// The key that no document has.
        key: String,
    },
    /// The same, where nothing was to be deleted.
    #[error("corpus {corpus:?} has no document {key:?}")]
    NoDocument {
        /// Name of the corpus.
        corpus: String,
        /// The key that no document has.
        key: String,
    },
    /// No vocabulary of the corpus has the name.
    #[error("corpus {corpus:?} has no vocabulary {name:?}{}", listed(.known))]
    UnknownVocabulary {
        /// Name of the corpus.
        corpus: String,
        /// The name that was not found.
        name: String,
        /// The names that could have been given.
        known: Vec<String>,
    },
    /// No run has the number.
    #[error("there is no run {0}")]
    UnknownRun(RunId),
    /// A run has no topic of the number.
    #[error("run {run} has no topic {topic}")]
    UnknownTopic {
        /// Row id of the run.
        run: RunId,
        /// The number that no topic of the run has.
        topic: TopicNumber,
    },
    /// No saved result has the name.
    #[error("there is no result {0:?}")]
    UnknownResult(String),
    /// A saved result has the name already.
    #[error("there is a result {0:?} already")]
    ResultExists(String),
    /// A packed block does not decode.
    #[error("block {block} is damaged ({reason})")]
    DamagedBlock {
        /// The block's row id.
        block: i64,
        /// What about its bytes is wrong.
        reason: &'static str,
    },
    /// A document that the index of keys has and the table has not.
    #[error(
        "corpus {corpus:?}: the key {key:?} of this document exists, but its row cannot be read"
    )]
    UnreadableDocument {
        /// Name of the corpus.
        corpus: String,
        /// The document's key.
        key: String,
    },
    /// Positions of terms have 32 bits.
    #[error("a corpus has at most {} different terms", u32::MAX)]
    TooManyTerms,
    /// Sums that a run kept do not decode, or are not all there.
    #[error("the sums that run {run} kept are damaged")]
    DamagedSums {
        /// Row id of the run.
        run: RunId,
    },
    /// What a run has saved is not as runs save it.
    #[error("run {run}: {what}")]
    DamagedRun {
        /// Row id of the run.
        run: RunId,
        /// What about its rows is wrong.
        what: String,
    },
    /// Rows of a corpus are not as ingests leave them.
    #[error("{corpus}: {what}")]
    DamagedCorpus {
        /// The corpus, or its vocabulary, in words.
        corpus: String,
        /// What about its rows is wrong.
        what: String,
    },
    /// Vectors of documents are not as an import leaves them.
    #[error("{corpus}: {what}")]
    DamagedVectors {
        /// Name of the corpus.
        corpus: String,
        /// What about them is wrong.
        what: &'static str,
    },
    /// What SQLite finds wrong with the full-text index of a corpus.
    #[error("the search index of corpus #{corpus} is damaged")]
    DamagedIndex {
        /// Row id of the corpus.
        corpus: CorpusId,
    },
    /// A document whose text is needed has none.
    #[error("document {0} has no text any more")]
    NoText(DocumentId),
    /// A living process adds documents to the corpus.
    #[error(
        "an ingest is adding documents to corpus {corpus:?}; nothing was deleted: wait for it to end, or \
         stop it first"
    )]
    BeingFilled {
        /// Name of the corpus.
        corpus: String,
    },
    /// A corpus has fewer documents than it is to have parts.
    #[error("corpus {corpus:?} has {documents} documents, too few for {parts} parts")]
    TooManyParts {
        /// Name of the corpus.
        corpus: String,
        /// Number of its documents.
        documents: u64,
        /// Number of parts asked for.
        parts: u64,
    },
    /// The documents of a corpus are in other stores.
    #[error("the documents of corpus {corpus:?} are in {parts} parts")]
    InParts {
        /// Name of the corpus.
        corpus: String,
        /// Number of parts of the corpus.
        parts: u64,
    },
    /// A file stands where one is to be written.
    #[error("{}: there already; move it away or name another place", .0.display())]
    InTheWay(PathBuf),
    /// A corpus was written to while it was copied.
    #[error(
        "corpus {corpus:?} was changed while it was split; remove the parts and give the command again"
    )]
    ChangedMeanwhile {
        /// Name of the corpus.
        corpus: String,
    },
    /// A part has terms that the whole does not know.
    #[error("a part has new terms since the parts were united")]
    PartHasGrown,
    /// A run was updated already: only the newest run of a series can be.
    #[error("run {run} was updated already: run {newest} is its newest")]
    UpdatedMeanwhile { run: RunId, newest: RunId },
    /// Stores do not fit together as parts of one corpus.
    #[error("{}: {reason}", path.display())]
    NotAPart {
        /// The part's file.
        path: PathBuf,
        /// What does not fit, and what to do.
        reason: String,
    },
    /// Something stands in the place of a file beside the store that this program did not put there.
    #[error("{}: {reason}, so it is not used; remove it or move it away", path.display())]
    NotOurs {
        /// Path of the file or directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A lock file or its directory cannot be used.
    #[error("{}: {source}; check that the store's directory can be written", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The system starts no further process.
    #[error("no worker could be started ({source})")]
    NoWorker {
        /// The operating system's error.
        source: std::io::Error,
    },
    /// What does not fit memory cannot be kept on disk.
    #[error("{0}")]
    Spilled(#[from] SpillError),
    /// The user's SQL is wrong or not allowed.
    #[error("sql: {0}")]
    Query(String),
    /// The user's SQL writes and may only read.
    #[error("sql: this statement writes")]
    QueryWrites,
    /// The user's SQL took longer than it may.
    #[error("sql: stopped after {seconds} s")]
    TookTooLong {
        /// How long it may take.
        seconds: u64,
    },
    /// A condition on documents took longer than it may.
    #[error("the condition on documents: stopped after {seconds} s")]
    ConditionTookTooLong {
        /// How long it may take.
        seconds: u64,
    },
    /// The user's SQL was stopped by the user.
    #[error("sql: interrupted")]
    Interrupted,
    /// Anything else SQLite says.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The store's file.
        path: PathBuf,
        /// What it says.
        source: SqliteError,
    },
}

impl StoreError {
    /// Gives an SQLite error the store's path.
    pub(crate) fn at(path: &std::path::Path, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase(path),
            Some(ErrorCode::DiskFull) => Self::Full(path),
            Some(ErrorCode::OutOfMemory) => Self::OutOfMemory(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::CannotOpen { path, source: SqliteError(source).into() }
            }
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            _ if is_write_failure(&source) => Self::Full(path),
            _ => Self::Sqlite { path, source: SqliteError(source) },
        }
    }
}

/// What SQLite says of a store, in words. The crate that reads SQLite is nobody's concern but this crate's.
#[derive(Debug)]
pub struct SqliteError(rusqlite::Error);

impl SqliteError {
    /// Whether SQLite found the file damaged.
    pub(crate) fn is_damage(&self) -> bool {
        self.0.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt)
    }
}

impl std::fmt::Display for SqliteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_words(&self.0))
    }
}

impl std::error::Error for SqliteError {}

/// What SQLite says, on one line, without what only its programmers know. It quotes a schema that it cannot read with
/// its line breaks, and names a file that it cannot open as it was told to.
pub(crate) fn in_words(source: &rusqlite::Error) -> String {
    use rusqlite::Error;
    match source {
        Error::IntegralValueOutOfRange(_, number) => {
            format!("the number {number} is out of its range")
        }
        Error::FromSqlConversionFailure(_, _, reason) => reason.to_string(),
        Error::SqliteFailure(failure, said) => {
            let said = said.as_deref().map_or_else(|| failure.to_string(), str::to_string);
            let said = said.split(": file://").next().unwrap_or_default();
            said.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        other => other.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// A write that fails with an I/O error is, on Linux, a file-size limit or a quota (EFBIG, EDQUOT).
fn is_write_failure(source: &rusqlite::Error) -> bool {
    let writes = [
        rusqlite::ffi::SQLITE_IOERR_WRITE,
        rusqlite::ffi::SQLITE_IOERR_TRUNCATE,
        rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
    ];
    source.sqlite_error().is_some_and(|error| writes.contains(&error.extended_code))
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; there are: {}", known.join(", ")) }
}

/// The result of a store operation.
pub type Result<T> = std::result::Result<T, StoreError>;

impl From<DamagedBlock> for StoreError {
    fn from(DamagedBlock { block, reason }: DamagedBlock) -> Self {
        Self::DamagedBlock { block, reason }
    }
}

impl From<StoreError> for StreamError {
    fn from(error: StoreError) -> Self {
        Self::Source(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sqlite_says_in_several_lines_is_told_in_one() {
        let failure = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let said = "malformed database schema (corpus) - \"NTEGER,\n    settings\n)\"".to_owned();
        let error =
            StoreError::at("s.db".as_ref(), rusqlite::Error::SqliteFailure(failure, Some(said)));
        let told = "s.db: malformed database schema (corpus) - \"NTEGER, settings )\"";
        assert_eq!(error.to_string(), told);
    }
}
