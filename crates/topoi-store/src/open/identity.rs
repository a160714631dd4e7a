//! What stands at a path, found out without a lock, a write, or a file beside it.

use std::fs::metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::immutable;
use super::location::{refuse_foreign_files, refuse_other_names};
use super::migrations::{KNOWN, MigrationList};
use crate::error::{Result, StoreError};

/// `application_id` of every store: the bytes "topo".
pub(super) const APPLICATION_ID: i64 = 0x746f_706f;
/// That of stores before version 0.2, the bytes "tpca": their tables are others.
const BEFORE_VERSION_0_2: i64 = 0x7470_6361;

/// SQLite's smallest page; no database is smaller.
const SMALLEST: u64 = 512;

/// What stands at a path, if it is not something to be left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    EmptyFile,
    Store,
}

/// Looks at what stands at `path`, where a store can have the schemas of `list`.
///
/// SQLite itself does the looking: closing a file that it has open elsewhere in this process
/// would give up its locks.
pub(super) fn look(path: &Path, list: MigrationList) -> Result<Found> {
    let cannot = |source: Box<dyn std::error::Error + Send + Sync>| StoreError::CannotOpen {
        path: path.into(),
        source,
    };
    let metadata = match metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        other => other.map_err(|error| cannot(error.into()))?,
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
    let (application_id, found) = first_page(path)?;
    refuse_other_programs(path, application_id)?;
    let known = list.newest();
    if found > known {
        return Err(StoreError::TooNew { path: path.into(), found, known });
    }
    Ok(Found::Store)
}

/// Refuses a database whose `application_id` is not that of a store.
pub(super) fn refuse_other_programs(path: &Path, application_id: i64) -> Result<()> {
    match application_id {
        APPLICATION_ID => Ok(()),
        BEFORE_VERSION_0_2 => Err(StoreError::BeforeVersion02(path.into())),
        _ => Err(StoreError::NotAStore(path.into())),
    }
}

/// Whether a file could be a store that a killed process was making: one, or an empty file.
pub(crate) fn could_be_draft(path: &Path) -> bool {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_file && matches!(look(path, KNOWN), Ok(Found::EmptyFile | Found::Store))
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

/// The path as SQLite is to take it: neither `:memory:` nor `file:x` is anything but a file's name.
pub(crate) fn located(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| StoreError::CannotOpen { path: path.into(), source: error.into() })
}
