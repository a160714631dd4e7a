//! Opening a store: pragmas, identity, migrations.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use super::error::{Result, StoreError};

/// `application_id` of every store: the bytes "tpca".
const APPLICATION_ID: i64 = 0x7470_6361;

/// Migrations in order; entry n brings a store from `user_version` n to n + 1.
const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../../schema/001_initial.sql")),
    M::up(include_str!("../../schema/002_ingest_batches.sql")),
    M::up(include_str!("../../schema/003_vocabulary_names.sql")),
    M::up(include_str!("../../schema/004_metric_settings.sql")),
    M::up(include_str!("../../schema/005_word_map.sql")),
    M::up(include_str!("../../schema/006_run_life.sql")),
    M::up(include_str!("../../schema/007_k_bound.sql")),
    M::up(include_str!("../../schema/008_separable.sql")),
    M::up(include_str!("../../schema/009_topic_agreement.sql")),
    M::up(include_str!("../../schema/010_document_topic.sql")),
    M::up(include_str!("../../schema/011_topic_alignment.sql")),
    M::up(include_str!("../../schema/012_topic_documents.sql")),
    M::up(include_str!("../../schema/013_parts_and_bases.sql")),
    M::up(include_str!("../../schema/014_projection_sums.sql")),
];

/// How long a connection waits for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long work that must not be lost waits.
const PATIENCE: Duration = Duration::from_secs(12 * 3600);
/// Between two looks whether the write lock is free. SQLite's own handler looks ten times a
/// second, and would miss the moments between the batches of an ingest.
const LOOK: Duration = Duration::from_millis(2);

/// An open store: one connection to one file.
///
/// Cheap to open (well under a millisecond on an existing file); use one per thread.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens the store at `path` for reading and writing, creating and migrating it as needed.
    ///
    /// # Errors
    /// When the file is no store, is newer than the program, or cannot be written.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent)
                .map_err(|e| StoreError::CannotOpen { path: path.into(), reason: e.to_string() })?;
        }
        let connection = Connection::open(path).map_err(|source| StoreError::at(path, source))?;
        let mut store = Self { connection, path: path.to_path_buf() };
        store.prepare_connection()?;
        store.define_functions()?;
        store.check_identity()?;
        store.migrate()?;
        Ok(store)
    }

    /// Opens an existing store for reading only.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is no file; otherwise as [`Store::open`].
    pub fn open_existing(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_path_buf()));
        }
        let store = Self::open(path)?;
        store.execute_batch("PRAGMA query_only = ON")?;
        Ok(store)
    }

    /// A further connection to the same file that only reads; it makes no checks.
    pub(crate) fn open_reader(path: &Path) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_handler(Some(wait_a_while))?;
            Ok(connection)
        };
        open().map_err(|source| StoreError::at(path, source))
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

    /// The store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A number that changes whenever another connection has committed to the store.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn data_version(&self) -> Result<i64> {
        self.scalar("PRAGMA data_version", [])
    }

    fn prepare_connection(&self) -> Result<()> {
        // The page size takes effect only on a new file. 16 KiB: fewer pages a block than with
        // SQLite's 4 KiB, and a progress row still costs only a few.
        let prepare = || {
            self.connection.busy_handler(Some(wait_a_while))?;
            self.connection.execute_batch("PRAGMA page_size = 16384")?;
            let _: String =
                self.connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
            self.connection.execute_batch(
                "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY",
            )
        };
        prepare().map_err(|source| self.error(source))
    }

    fn check_identity(&self) -> Result<()> {
        let application_id: i64 = self.scalar("PRAGMA application_id", [])?;
        let version: i64 = self.scalar("PRAGMA user_version", [])?;
        let tables: i64 = self.scalar("SELECT count(*) FROM sqlite_schema", [])?;
        let known = MIGRATIONS.len() as i64;
        if application_id != APPLICATION_ID && (application_id != 0 || tables > 0) {
            return Err(StoreError::NotAStore(self.path.clone()));
        }
        if version > known {
            return Err(StoreError::TooNew { path: self.path.clone(), found: version, known });
        }
        Ok(())
    }

    fn migrate(&mut self) -> Result<()> {
        let mut version: i64 = self.scalar("PRAGMA user_version", [])?;
        if version == MIGRATIONS.len() as i64 {
            return Ok(());
        }
        self.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
        // A table that is made anew must not take with it what refers to it.
        self.execute_batch("PRAGMA foreign_keys = OFF")?;
        loop {
            let Err(error) = Migrations::from_slice(MIGRATIONS).to_latest(&mut self.connection)
            else {
                return self.execute_batch("PRAGMA foreign_keys = ON");
            };
            // Another process may be migrating the same store: then the version has gone up.
            let now: i64 = self.scalar("PRAGMA user_version", [])?;
            if now == version {
                return Err(match error {
                    rusqlite_migration::Error::RusqliteError { err, .. } => self.error(err),
                    other => {
                        let reason = other.to_string();
                        StoreError::CannotOpen { path: self.path.clone(), reason }
                    }
                });
            }
            version = now;
        }
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> StoreError {
        StoreError::at(&self.path, source)
    }

    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(|source| self.error(source))
    }

    pub(crate) fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize> {
        let run = || self.connection.prepare_cached(sql)?.execute(values);
        run().map_err(|source| self.error(source))
    }

    pub(crate) fn scalar<T: rusqlite::types::FromSql>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> Result<T> {
        let run = || self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0));
        run().map_err(|source| self.error(source))
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let run = || -> rusqlite::Result<Vec<T>> {
            self.connection.prepare_cached(sql)?.query_map(values, read)?.collect()
        };
        run().map_err(|source| self.error(source))
    }

    /// Runs `read`, which writes nothing, on the store as it is at one moment.
    ///
    /// # Errors
    /// When the store cannot be read; whatever `read` returned otherwise.
    pub fn at_one_moment<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.execute_batch("BEGIN")?;
        let found = read(self);
        // A transaction that has only read has nothing to lose.
        let _ = self.connection.execute_batch("ROLLBACK");
        found
    }

    /// Runs `work` in one immediate transaction: all of it is kept, or none.
    pub(crate) fn transaction<T>(&mut self, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        self.execute_batch("BEGIN IMMEDIATE")?;
        let done = work(self).and_then(|value| self.execute_batch("COMMIT").map(|()| value));
        if done.is_err() {
            // SQLite may have rolled back by itself (a full disk does that).
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }
}

fn wait_a_while(looks: i32) -> bool {
    wait_at_most(BUSY_TIMEOUT, looks)
}

fn wait_for_long(looks: i32) -> bool {
    wait_at_most(PATIENCE, looks)
}

/// Waits for the next look, the `looks`-th; false once they have taken as long as `most`.
fn wait_at_most(most: Duration, looks: i32) -> bool {
    std::thread::sleep(LOOK);
    LOOK * looks.unsigned_abs() < most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        assert!(Migrations::from_slice(MIGRATIONS).validate().is_ok());
    }

    #[test]
    fn a_store_reopens_and_another_programs_database_is_refused() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("new/topoi.db");
        drop(Store::open(&path).expect("create"));
        Store::open_existing(&path).expect("reopen");
        let other = directory.path().join("other.db");
        Connection::open(&other).expect("open").execute_batch("CREATE TABLE t (x)").expect("ddl");
        assert!(matches!(Store::open(&other), Err(StoreError::NotAStore(_))));
    }

    #[test]
    fn a_file_that_is_no_database_and_a_newer_store_are_refused() {
        let directory = tempfile::tempdir().expect("tempdir");
        let text = directory.path().join("text.db");
        std::fs::write(&text, "this is not a database, whatever its name says").expect("write");
        assert!(matches!(Store::open(&text), Err(StoreError::NotADatabase(_))));
        let newer = directory.path().join("newer.db");
        let store = Store::open(&newer).expect("create");
        store.execute_batch("PRAGMA user_version = 999").expect("pragma");
        drop(store);
        assert!(matches!(Store::open(&newer), Err(StoreError::TooNew { found: 999, .. })));
    }
}
