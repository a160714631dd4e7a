//! Connections to a store's file.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::identity::{is_unfinished, located};
use crate::store::error::{Result, StoreError};

/// How long a connection waits for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long work that must not be lost waits.
const PATIENCE: Duration = Duration::from_secs(12 * 3600);
/// Between two looks whether the write lock is free. SQLite's own handler looks ten times a
/// second, and would miss the moments between the batches of an ingest.
const LOOK: Duration = Duration::from_millis(2);

/// A connection that only reads.
///
/// SQLite may write for it where it can: a connection that cannot would leave the log's files
/// beside the store, and could not read what a killed process has left unfinished. Where nothing
/// can be written, and nothing is unfinished, the file is taken as one that does not change.
pub(super) fn for_reading(path: &Path) -> Result<Connection> {
    let opened = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
        let looked = connection.query_row("PRAGMA user_version", [], |_| Ok(()));
        looked.map(|()| connection).map_err(|source| StoreError::at(path, source))
    });
    let connection = match opened {
        Err(StoreError::CannotOpen { .. } | StoreError::Full(_)) if !is_unfinished(path) => {
            immutable(path)?
        }
        other => other?,
    };
    connection
        .execute_batch("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY")
        .map_err(|source| StoreError::at(path, source))?;
    Ok(connection)
}

/// A connection that writes, to a file that is there.
pub(super) fn for_writing(path: &Path) -> Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// A connection that writes, to a file that is made if it is not there.
pub(super) fn for_creating(path: &Path) -> Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let file = located(path)?;
    let open = || {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_handler(Some(wait_a_while))?;
        Ok(connection)
    };
    open().map_err(|source| StoreError::at(path, source))
}

/// A connection that takes no locks, makes no files, and sees no log.
pub(super) fn immutable(path: &Path) -> Result<Connection> {
    let mut uri = String::from("file://");
    for &byte in located(path)?.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            uri.push(byte.into());
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(uri, flags).map_err(|source| StoreError::at(path, source))
}

pub(super) fn wait_a_while(looks: i32) -> bool {
    wait_at_most(BUSY_TIMEOUT, looks)
}

pub(super) fn wait_for_long(looks: i32) -> bool {
    wait_at_most(PATIENCE, looks)
}

/// Waits for the next look, the `looks`-th; false once they have taken as long as `most`.
fn wait_at_most(most: Duration, looks: i32) -> bool {
    std::thread::sleep(LOOK);
    LOOK * looks.unsigned_abs() < most
}
