//! Opening a store: identity first, then a connection that can do what the access allows.

mod identity;
mod location;
mod migrations;
mod schema;
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

use self::identity::{APPLICATION_ID, Found, is_unfinished, look, refuse_other_programs};
pub(super) use self::identity::{beside, could_be_draft, located};
use self::location::{FileId, resolved};
pub use self::migrations::Upgrade;
use self::migrations::{KNOWN, MigrationList};
use super::error::{Result, StoreError};

/// The page cache of a connection that writes much in no order, as an index does: 64 MiB.
pub(crate) const LARGE_CACHE: &str = "PRAGMA cache_size = -65536";
/// The page cache of a connection as it is opened: 2 MiB.
pub(crate) const USUAL_CACHE: &str = "PRAGMA cache_size = -2000";
/// What is written goes to a log first, beside which others read.
pub(crate) const WITH_LOG: &str = "PRAGMA journal_mode = WAL";

/// How long a connection waits for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long work that must not be lost waits.
const PATIENCE: Duration = Duration::from_secs(12 * 3600);
/// Between two looks whether the write lock is free. SQLite's own handler looks ten times a
/// second, and would miss the moments between the batches of an ingest.
const LOOK: Duration = Duration::from_millis(2);

/// What a store can make SQLite do at most: far above what the program asks for. A value of 256 MiB
/// is four times the longest text that is ingested.
const LIMITS: [(Limit, i32); 5] = [
    (Limit::SQLITE_LIMIT_LENGTH, 256 << 20),
    (Limit::SQLITE_LIMIT_VDBE_OP, 250_000),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    // `VACUUM INTO` attaches what it writes.
    (Limit::SQLITE_LIMIT_ATTACHED, 1),
];

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading: nothing is written, brought up to date or made.
    Read,
    /// Writing to a store that is there; one of an earlier schema is brought up to date.
    Write,
    /// As [`Access::Write`]; a store that is not there is made.
    Create,
}

/// An open store: one connection to one file.
///
/// Cheap to open (well under a millisecond on an existing file); use one per thread.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    /// Absolute and without links, so that everybody means the same log and locks.
    path: PathBuf,
    /// The file that the connection has open.
    file: Option<FileId>,
    upgrade: Option<Upgrade>,
}

impl Store {
    /// Opens the store at `path`. What is refused is left as it was.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no file and none is to be made; when the file is no
    /// store, is newer than the program or of before version 0.2, or cannot be read or written as `access` wants; when it
    /// is older and only to be read.
    pub fn open(path: &Path, access: Access) -> Result<Self> {
        Self::open_with(path, access, KNOWN)
    }

    fn open_with(path: &Path, access: Access, list: MigrationList) -> Result<Self> {
        let mut path = resolved(path)?;
        let connection = match (look(&path, list)?, access) {
            (Found::Nothing, Access::Read | Access::Write) => {
                return Err(StoreError::Missing(path));
            }
            (Found::EmptyFile, Access::Read | Access::Write) => {
                return Err(StoreError::NotADatabase(path));
            }
            (Found::Store, Access::Read) => for_reading(&path)?,
            (Found::Store, Access::Write | Access::Create) => for_writing(&path)?,
            (Found::Nothing | Found::EmptyFile, Access::Create) => {
                make_directory_of(&path)?;
                // Only now is it known what the folder's path is without links.
                path = resolved(&path)?;
                make_private(&path)?;
                for_creating(&path)?
            }
        };
        let file = std::fs::metadata(&path).ok().as_ref().map(FileId::from);
        let mut store = Self { connection, path, file, upgrade: None };
        store.define_functions()?;
        // At one moment: another process may be bringing the store up to date.
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

    /// What opening has changed: a store of an earlier schema was brought up to date.
    pub fn upgraded(&self) -> Option<&Upgrade> {
        self.upgrade.as_ref()
    }

    /// Waits twelve hours for other processes' transactions from now on: for work that must not
    /// be lost because another process holds the write lock.
    ///
    /// # Errors
    /// When the connection is no longer usable.
    pub fn wait_for_writers(&self) -> Result<()> {
        self.connection.busy_handler(Some(wait_for_long)).map_err(|source| self.error(source))
    }

    /// Does `work` while what another process has locked is not waited for.
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

    /// Refuses to go on with a file that is no longer the store: it was moved, deleted or replaced, and what is
    /// written to it would be lost.
    pub(super) fn still_there(&self) -> Result<()> {
        let now = std::fs::metadata(&self.path).ok().as_ref().map(FileId::from);
        if now == self.file { Ok(()) } else { Err(StoreError::Replaced(self.path.clone())) }
    }

    /// A number that changes whenever another connection has committed to the store.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn data_version(&self) -> Result<i64> {
        self.scalar("PRAGMA data_version", [])
    }

    /// The schema's version, of a file that is still the store that was looked at.
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

    /// Prepares a store of schema `version` for writing, and makes the schema of a new one.
    fn prepare_for_writing(&mut self, version: i64, list: MigrationList) -> Result<()> {
        // The page size takes effect only on a new file. 16 KiB: fewer pages a block than with
        // SQLite's 4 KiB, and a progress row still costs only a few. What is committed is synced, so
        // that a loss of power takes nothing that was reported.
        self.execute_batch(
            "PRAGMA page_size = 16384; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
             PRAGMA temp_store = MEMORY",
        )?;
        if self.scalar::<i64>("PRAGMA application_id", [])? != APPLICATION_ID {
            // Before there is a log, so that the file itself always says whose it is.
            self.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
        }
        if version == 0 {
            self.migrate(list)?;
        }
        self.turn_log_on()
    }

    /// Writes go to a log from now on. SQLite itself does not wait for who else is making the schema or turning
    /// the log on.
    fn turn_log_on(&self) -> Result<()> {
        let mut looks = 0;
        loop {
            match self.scalar::<String>(WITH_LOG, []) {
                Err(StoreError::Busy(_)) if wait_a_while(looks) => looks += 1,
                turned => return turned.map(drop),
            }
        }
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::at(&self.path, source)
    }
}

/// Connections that only read, as many as threads read at a time; an idle one is used again.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn of(store: &Store) -> Self {
        Self { path: store.path.clone(), idle: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Does `work` with a connection of its own, which is kept for others where it succeeds.
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

/// Makes an empty file that only its owner can read and write, unless there is one: SQLite would heed
/// the umask alone. The files beside it get its permissions.
fn make_private(path: &Path) -> Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::CannotOpen { path: path.into(), source: error.into() })
        }
        _ => Ok(()),
    }
}

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
    let read_only = "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY";
    trust_nothing(&connection)
        .and_then(|()| connection.execute_batch(read_only))
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
        trust_nothing(&connection)?;
        Ok(connection)
    };
    open().map_err(|source| StoreError::at(path, source))
}

/// Keeps what is in a file that came from elsewhere from doing more than being read: what SQLite's
/// authors advise for such files (sqlite.org/security.html).
fn trust_nothing(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    LIMITS.iter().try_for_each(|&(limit, most)| connection.set_limit(limit, most).map(drop))
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

fn wait_a_while(looks: i32) -> bool {
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

#[cfg(test)]
mod test_location;
#[cfg(test)]
mod tests;
