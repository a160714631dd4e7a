//! What stands at a path, found out without a lock, a write, or a file beside it.

use std::fs::{File, metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::immutable;
use super::location::{refuse_foreign_files, refuse_other_names};
use super::migrations::KNOWN;
use crate::error::{Result, StoreError};

/// `application_id` of every store: the bytes "tpca".
pub(super) const APPLICATION_ID: i64 = 0x7470_6361;

/// SQLite's smallest page; no database is smaller.
const SMALLEST: u64 = 512;
/// Where the `application_id` stands in a database's first page.
const AT_APPLICATION_ID: usize = 68;

/// What stands at a path, if it is not something to be left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    EmptyFile,
    Store,
}

/// Looks at what stands at `path`.
///
/// SQLite itself does the looking: closing a file that it has open elsewhere in this process
/// would give up its locks.
pub(super) fn look(path: &Path) -> Result<Found> {
    let cannot = |reason: String| StoreError::CannotOpen { path: path.into(), reason };
    let metadata = match metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        other => other.map_err(|error| cannot(error.to_string()))?,
    };
    if !metadata.is_file() {
        return Err(cannot("it is not a file".into()));
    }
    refuse_other_names(path, &metadata)?;
    refuse_foreign_files(path)?;
    match metadata.len() {
        0 => return Ok(Found::EmptyFile),
        1..SMALLEST => return Err(StoreError::NotADatabase(path.into())),
        _ => {}
    }
    let (application_id, version) = first_page(path)?;
    if application_id != APPLICATION_ID && !(application_id == 0 && log_names_a_store(path)) {
        return Err(StoreError::NotAStore(path.into()));
    }
    if version > KNOWN {
        return Err(StoreError::TooNew { path: path.into(), found: version, known: KNOWN });
    }
    Ok(Found::Store)
}

/// Whether a file could be a store that a killed process was making: one, or an empty file.
pub(crate) fn could_be_draft(path: &Path) -> bool {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_file && matches!(look(path), Ok(Found::EmptyFile | Found::Store))
}

/// The `application_id` and `user_version` in the file, whatever a log beside it says.
fn first_page(path: &Path) -> Result<(i64, i64)> {
    let connection = immutable(path)?;
    let read = || {
        // Else a file that a checkpoint is making longer, or has not finished with, is malformed.
        connection.execute_batch("PRAGMA writable_schema = ON")?;
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get(0));
        Ok((number("PRAGMA application_id")?, number("PRAGMA user_version")?))
    };
    read().map_err(|source| StoreError::at(path, source))
}

/// The file beside a database whose name ends as `ending` says.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}

/// Whether a file beside the database holds what a process did not finish with.
pub(super) fn is_unfinished(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|ending| {
        metadata(beside(path, ending)).is_ok_and(|file| file.is_file() && file.len() > 0)
    })
}

/// Whether the log has a first page that is a store's: a process that makes a store can be killed
/// before its first checkpoint.
fn log_names_a_store(path: &Path) -> bool {
    let log = beside(path, "-wal");
    // Opening a pipe would wait for its other end.
    metadata(&log).is_ok_and(|file| file.is_file())
        && File::open(&log).is_ok_and(|file| first_page_of_log(file).is_some())
}

/// Finds a frame with a store's first page; the format is that of sqlite.org/fileformat2.html.
fn first_page_of_log(mut log: File) -> Option<()> {
    let mut header = [0; 32];
    log.read_exact(&mut header).ok()?;
    let number = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes).map(i64::from)
    };
    let page = number(&header, 8)?;
    let mut frame = [0; 24 + AT_APPLICATION_ID + 4];
    let rest = 24 + page - frame.len() as i64;
    loop {
        log.read_exact(&mut frame).ok()?;
        let is_current = frame[8..16] == header[16..24];
        let is_first = number(&frame, 0)? == 1;
        if is_current && is_first && number(&frame, 24 + AT_APPLICATION_ID)? == APPLICATION_ID {
            return Some(());
        }
        log.seek(SeekFrom::Current(rest)).ok()?;
    }
}

/// The path as SQLite is to take it: neither `:memory:` nor `file:x` is anything but a file's name.
pub(crate) fn located(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| StoreError::CannotOpen { path: path.into(), reason: error.to_string() })
}
