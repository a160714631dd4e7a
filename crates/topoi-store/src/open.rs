//! Opening a store: the file is identified before a connection is made.

mod identity;
mod location;
mod migrations;
mod schema;
mod shared_disk;
mod statements;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use self::identity::{APPLICATION_ID, FileKind, inspect, is_unfinished, refuse_other_programs};
pub(crate) use self::identity::{absolute_path, beside, could_be_draft};
use self::location::{FileId, resolved};
pub use self::migrations::Upgrade;
use self::migrations::{KNOWN, MigrationList};
use self::shared_disk::HostLock;
use super::command::CommandWords;
use super::error::{Result, StoreError};

/// Page cache of a connection that writes in random order, as an index does: 64 MiB.
pub(crate) const LARGE_CACHE: &str = "PRAGMA cache_size = -65536";
/// Default page cache: 2 MiB.
pub(crate) const USUAL_CACHE: &str = "PRAGMA cache_size = -2000";
/// Write-ahead log: others can read while one writes.
pub(crate) const WITH_LOG: &str = "PRAGMA journal_mode = WAL";

/// How long a connection waits for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a connection waits if its work must not be lost.
const LONG_TIMEOUT: Duration = Duration::from_secs(12 * 3600);
/// Interval between two attempts to get the write lock.
/// SQLite's own handler tries ten times a second and would miss the pauses between the batches of an ingest.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Limits on what a store can make SQLite do, far above the needs of the program. A value of 256 MiB is four
/// times the longest text that is ingested.
const LIMITS: [(Limit, i32); 5] = [
    (Limit::SQLITE_LIMIT_LENGTH, 256 << 20),
    (Limit::SQLITE_LIMIT_VDBE_OP, 250_000),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    // `VACUUM INTO` attaches what it writes.
    (Limit::SQLITE_LIMIT_ATTACHED, 1),
];

/// The purpose of opening a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading: nothing is written, upgraded or created.
    Read,
    /// Writing to an existing store. A store with an earlier schema is upgraded.
    Write,
    /// As [`Access::Write`]; a missing store is created.
    Create,
}

/// An open store: one connection to one file.
///
/// Cheap to open (well under a millisecond on an existing file); use one per thread.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    /// Absolute and without links, so that all processes use the same log and locks.
    path: PathBuf,
    /// The file that the connection has open.
    file: Option<FileId>,
    /// Closed after the connection.
    _host: Option<HostLock>,
    upgrade: Option<Upgrade>,
    /// What is made is saved as made by it.
    pub(crate) command: Option<CommandWords>,
}

impl Store {
    /// Opens the store at `path`. A refused file is left unchanged.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no file and `access` creates none; [`StoreError::NotADatabase`] or
    /// [`StoreError::NotAStore`] for other files; [`StoreError::TooNew`]; [`StoreError::BeforeVersion02`];
    /// [`StoreError::TooOld`] for an older schema with [`Access::Read`]; [`StoreError::OtherSchema`];
    /// [`StoreError::OtherHost`] and [`StoreError::NoLocks`] on disks that hosts share; [`StoreError::CannotOpen`].
    pub fn open(path: &Path, access: Access) -> Result<Self> {
        Self::open_with(path, access, KNOWN)
    }

    fn open_with(path: &Path, access: Access, list: MigrationList) -> Result<Self> {
        let mut path = resolved(path)?;
        let connected: fn(&Path) -> Result<Connection> = match (inspect(&path, list)?, access) {
            (FileKind::Nothing, Access::Read | Access::Write) => {
                return Err(StoreError::Missing(path));
            }
            (FileKind::EmptyFile, Access::Read | Access::Write) => {
                return Err(StoreError::NotADatabase(path));
            }
            (FileKind::Store, Access::Read) => for_reading,
            (FileKind::Store, Access::Write | Access::Create) => for_writing,
            (FileKind::Nothing | FileKind::EmptyFile, Access::Create) => {
                make_directory_of(&path)?;
                // The folder's path without links is known only once it exists.
                path = resolved(&path)?;
                make_private(&path)?;
                for_creating
            }
        };
        let host = HostLock::take(&path)?;
        let connection = connected(&path)?;
        let file = std::fs::metadata(&path).ok().as_ref().map(FileId::from);
        let mut store = Self { connection, path, file, _host: host, upgrade: None, command: None };
        store.define_functions()?;
        // In one transaction: another process may be upgrading the store.
        let version = store.at_one_moment(|store| {
            let version = store.version(access, list)?;
            schema::check(&store.connection, &store.path, version, list).map(|()| version)
        })?;
        if access != Access::Read {
            store.prepare_for_writing(version, list)?;
            if (1..list.newest()).contains(&version) {
                store.upgrade = store.upgrade(version, list)?;
            }
            store.share_runs_directory();
        }
        Ok(store)
    }

    /// The upgrade that opening the store has made, if it made one.
    pub fn upgraded(&self) -> Option<&Upgrade> {
        self.upgrade.as_ref()
    }

    /// From now on, waits up to twelve hours for other processes' transactions: for work that must not be lost.
    pub fn wait_for_writers(&self) -> Result<()> {
        self.connection.busy_handler(Some(wait_for_long)).map_err(|source| self.error(source))
    }

    /// Runs `work` without waiting for locks of other processes.
    pub(crate) fn without_waiting(&self, work: impl FnOnce(&Connection)) -> Result<()> {
        let set = |handler| self.connection.busy_handler(handler).map_err(|e| self.error(e));
        set(None)?;
        work(&self.connection);
        set(Some(wait_a_while))
    }

    /// The store's file: absolute, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file that was moved, deleted or replaced since it was opened: what is written to it would be
    /// lost.
    pub(super) fn check_not_replaced(&self) -> Result<()> {
        let now = std::fs::metadata(&self.path).ok().as_ref().map(FileId::from);
        if now == self.file { Ok(()) } else { Err(StoreError::Replaced(self.path.clone())) }
    }

    /// A number that changes whenever another connection has committed to the store.
    pub fn data_version(&self) -> Result<i64> {
        self.scalar("PRAGMA data_version", [])
    }

    /// The schema version, after checking that the file is still the store that was inspected.
    fn version(&self, access: Access, list: MigrationList) -> Result<i64> {
        let application_id: i64 = self.scalar("PRAGMA application_id", [])?;
        let is_new = || self.scalar::<bool>("SELECT count(*) = 0 FROM sqlite_schema", []);
        if !(access == Access::Create && application_id == 0 && is_new()?) {
            refuse_other_programs(&self.path, application_id)?;
        }
        let (found, known) = (self.scalar("PRAGMA user_version", [])?, list.newest());
        if found > known {
            return Err(StoreError::TooNew { path: self.path.clone(), found, known });
        }
        if found < 0 || (found == 0 && !is_new()?) {
            let what = format!("its schema has the number {found}, which no version gives");
            return Err(StoreError::OtherSchema { path: self.path.clone(), what, remove: None });
        }
        if access == Access::Read && found < known {
            return Err(StoreError::TooOld { path: self.path.clone(), found, known });
        }
        Ok(found)
    }

    /// Prepares a store of schema `version` for writing; creates the schema of a new one.
    fn prepare_for_writing(&mut self, version: i64, list: MigrationList) -> Result<()> {
        // The page size takes effect on new files only. With 16 KiB a block needs fewer pages than with
        // SQLite's 4 KiB, and a progress row still costs little. Commits are synced, so a power loss takes
        // nothing that was reported.
        self.execute_batch(
            "PRAGMA page_size = 16384; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
             PRAGMA temp_store = MEMORY",
        )?;
        if self.scalar::<i64>("PRAGMA application_id", [])? != APPLICATION_ID {
            // Set before there is a log, so that the file itself always identifies its program.
            self.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
        }
        if version == 0 {
            self.migrate(list)?;
        }
        self.turn_log_on()
    }

    /// Turns the write-ahead log on. SQLite itself does not wait for a process that creates the schema or turns
    /// the log on.
    fn turn_log_on(&self) -> Result<()> {
        let mut attempts = 0;
        loop {
            match self.scalar::<String>(WITH_LOG, []) {
                Err(StoreError::Busy(_)) if wait_a_while(attempts) => attempts += 1,
                turned => return turned.map(drop),
            }
        }
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::at(&self.path, source)
    }
}

/// A pool of read-only connections, one for each thread that reads at a time.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(store: &Store) -> Self {
        Self { path: store.path.clone(), idle: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` with a connection from the pool, which is returned if `work` succeeds.
    pub(crate) fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let idle = || self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let waiting = idle().pop();
        let connection = waiting.map_or_else(|| for_reading(&self.path), Ok)?;
        let done = work(&connection)?;
        idle().push(connection);
        Ok(done)
    }
}

fn make_directory_of(path: &Path) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), std::fs::create_dir_all);
    made.map_err(|error| StoreError::CannotOpen { path: path.into(), source: error.into() })
}

/// Creates an empty file that only its owner can read and write, unless it exists: SQLite would follow the
/// umask alone. Files beside it get its permissions.
fn make_private(path: &Path) -> Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::CannotOpen { path: path.into(), source: error.into() })
        }
        _ => Ok(()),
    }
}

/// A read-only connection.
///
/// SQLite itself may write where it can: a connection that cannot would leave the log's files beside the store,
/// and could not read what a killed process has left unfinished. If nothing can be written and nothing is
/// unfinished, the file is opened as immutable.
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
    let read_only = "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY";
    restrict(&connection)
        .and_then(|()| connection.execute_batch(read_only))
        .map_err(|source| StoreError::at(path, source))?;
    Ok(connection)
}

/// A connection that writes to an existing file.
pub(super) fn for_writing(path: &Path) -> Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// A connection that writes to a file, which is created if it is missing.
pub(super) fn for_creating(path: &Path) -> Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let file = absolute_path(path)?;
    let open = || {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_handler(Some(wait_a_while))?;
        restrict(&connection)?;
        Ok(connection)
    };
    open().map_err(|source| StoreError::at(path, source))
}

/// Restricts what a foreign file can make SQLite do, as its authors advise for such files
/// (sqlite.org/security.html).
fn restrict(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    LIMITS.iter().try_for_each(|&(limit, most)| connection.set_limit(limit, most).map(drop))
}

/// A connection that takes no locks, creates no files and ignores the log.
pub(super) fn immutable(path: &Path) -> Result<Connection> {
    let mut uri = String::from("file://");
    for &byte in absolute_path(path)?.as_os_str().as_bytes() {
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

fn wait_a_while(attempts: i32) -> bool {
    wait_at_most(BUSY_TIMEOUT, attempts)
}

pub(super) fn wait_for_long(attempts: i32) -> bool {
    wait_at_most(LONG_TIMEOUT, attempts)
}

/// Waits for one interval; false once the `attempts` intervals together exceed `most`.
fn wait_at_most(most: Duration, attempts: i32) -> bool {
    std::thread::sleep(POLL_INTERVAL);
    POLL_INTERVAL * attempts.unsigned_abs() < most
}

#[cfg(test)]
mod test_location;
#[cfg(test)]
mod tests;
