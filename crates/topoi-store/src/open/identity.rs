//! Identifies the file at a path without a lock, a write, or a file beside it.

use std::fs::metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::immutable;
use super::location::{refuse_foreign_files, refuse_other_names};
use super::migrations::{KNOWN, MigrationList};
use crate::error::{Result, StoreError};

/// `application_id` of every store: the bytes "topo".
pub(super) const APPLICATION_ID: i64 = 0x746f_706f;
/// `application_id` of stores before version 0.2, the bytes "tpca": their tables differ.
const BEFORE_VERSION_0_2: i64 = 0x7470_6361;

/// SQLite's smallest page; no database is smaller.
const SMALLEST: u64 = 512;

/// The kinds of file in which a store can be opened or created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Nothing,
    EmptyFile,
    Store,
}

/// Identifies the file at `path`; a store can have the schemas of `list`.
///
/// The file is read through SQLite: closing a file that SQLite has open elsewhere in this process would release
/// its locks.
pub(super) fn inspect(path: &Path, list: MigrationList) -> Result<FileKind> {
    let cannot = |source: Box<dyn std::error::Error + Send + Sync>| StoreError::CannotOpen {
        path: path.into(),
        source,
    };
    let metadata = match metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FileKind::Nothing),
        other => other.map_err(|error| cannot(error.into()))?,
    };
    if !metadata.is_file() {
        return Err(cannot("it is not a file".into()));
    }
    refuse_other_names(path, &metadata)?;
    refuse_foreign_files(path)?;
    match metadata.len() {
        0 => return Ok(FileKind::EmptyFile),
        1..SMALLEST => return Err(StoreError::NotADatabase(path.into())),
        _ => {}
    }
    let (application_id, found) = first_page(path)?;
    refuse_other_programs(path, application_id)?;
    let known = list.newest();
    if found > known {
        return Err(StoreError::TooNew { path: path.into(), found, known });
    }
    Ok(FileKind::Store)
}

/// Refuses a database with another `application_id`.
pub(super) fn refuse_other_programs(path: &Path, application_id: i64) -> Result<()> {
    match application_id {
        APPLICATION_ID => Ok(()),
        BEFORE_VERSION_0_2 => Err(StoreError::BeforeVersion02(path.into())),
        _ => Err(StoreError::NotAStore(path.into())),
    }
}

/// Whether a file could be an unfinished store of a killed process: a store, or an empty file.
pub(crate) fn could_be_draft(path: &Path) -> bool {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|file| file.is_file());
    is_file && matches!(inspect(path, KNOWN), Ok(FileKind::EmptyFile | FileKind::Store))
}

/// The `application_id` and `user_version` in the file itself, without the log.
fn first_page(path: &Path) -> Result<(i64, i64)> {
    let connection = immutable(path)?;
    let read = || {
        // Otherwise a file that a checkpoint is extending is reported as malformed.
        connection.execute_batch("PRAGMA writable_schema = ON")?;
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get(0));
        Ok((number("PRAGMA application_id")?, number("PRAGMA user_version")?))
    };
    read().map_err(|source| StoreError::at(path, source))
}

/// The path of a file beside a database, with `ending` appended to its name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}

/// Whether a file beside the database contains unfinished work.
pub(super) fn is_unfinished(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|ending| {
        metadata(beside(path, ending)).is_ok_and(|file| file.is_file() && file.len() > 0)
    })
}

/// An absolute path, so that SQLite takes neither `:memory:` nor `file:x` for anything but a file's name.
pub(crate) fn absolute_path(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| StoreError::CannotOpen { path: path.into(), source: error.into() })
}
