//! Creating and upgrading schemas, and keeping a copy of the store before an upgrade.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::identity::{absolute_path, beside};
use super::immutable;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::integer::saturated;

/// The migrations that this program knows.
pub(super) const KNOWN: MigrationList = MigrationList {
    migrations: &[include_str!("../../schema/001_initial.sql")],
    hash: "10e4b7b45eede979a629a5dfbe0dc4951cd69236330211156b506e08f8a6dbbe",
};

/// Migrations in order, and the resulting schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct MigrationList {
    /// Entry n brings a store from `user_version` n to n + 1.
    pub migrations: &'static [&'static str],
    /// BLAKE3 of the resulting schema. A store with this hash needs no comparison, which would run the
    /// migrations in one or two milliseconds. A test checks the value.
    pub hash: &'static str,
}

impl MigrationList {
    /// Version of the resulting schema.
    pub fn newest(&self) -> i64 {
        saturated(self.migrations.len())
    }

    /// The migrations after schema `version`.
    fn after(&self, version: i64) -> &'static [&'static str] {
        let first = usize::try_from(version).unwrap_or_default();
        self.migrations.get(first..).unwrap_or_default()
    }

    /// The migrations up to schema `version`.
    pub fn until(&self, version: i64) -> &'static [&'static str] {
        let end = usize::try_from(version).unwrap_or_default();
        self.migrations.get(..end).unwrap_or(self.migrations)
    }
}

/// An upgrade of a store's schema that opening it has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    store: PathBuf,
    from: i64,
    to: i64,
    copy: PathBuf,
}

impl Upgrade {
    /// Path of a copy of the store before the upgrade.
    pub fn copy(&self) -> &Path {
        &self.copy
    }
}

impl fmt::Display for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (store, copy) = (self.store.display(), self.copy.display());
        write!(f, "{store}: brought from schema {} to {}; as it was: {copy}", self.from, self.to)
    }
}

impl Store {
    /// Upgrades the store from schema `version`, after keeping a copy of it.
    pub(super) fn upgrade(&mut self, version: i64, list: MigrationList) -> Result<Option<Upgrade>> {
        let copy = self.keep_copy(version)?;
        // Replacing a table must not delete the rows that refer to it.
        self.execute_batch("PRAGMA foreign_keys = OFF")?;
        if let Err(error) = self.migrate(list) {
            // The store is unchanged and needs no copy, unless it can no longer be read.
            if let (Some(copy), true) = (copy, self.has_schema(version)) {
                let _ = fs::remove_file(copy);
            }
            return Err(error);
        }
        self.execute_batch("PRAGMA foreign_keys = ON")?;
        let store = self.path.clone();
        Ok(copy.map(|copy| Upgrade { store, from: version, to: list.newest(), copy }))
    }

    /// Runs the missing migrations in one transaction. Another process may have run them meanwhile.
    pub(super) fn migrate(&mut self, list: MigrationList) -> Result<()> {
        self.transaction(|store| {
            let version = store.scalar("PRAGMA user_version", [])?;
            let lacking = list.after(version);
            lacking.iter().try_for_each(|sql| store.execute_batch(sql))?;
            let number = version + saturated(lacking.len());
            store.execute_batch(&format!("PRAGMA user_version = {number}"))
        })
    }

    fn has_schema(&self, version: i64) -> bool {
        self.scalar::<i64>("PRAGMA user_version", []).is_ok_and(|found| found == version)
    }

    /// Copies the store to a new file; `None` if another process has upgraded the store meanwhile.
    fn keep_copy(&self, version: i64) -> Result<Option<PathBuf>> {
        let reserved = self.reserve_copy_path(version)?;
        let unfinished = beside(&reserved, ".unfinished");
        let copied = self.copy_to(&unfinished, version).and_then(|is_same| {
            let end = || {
                if is_same {
                    fs::File::open(&unfinished)?.sync_all()?;
                    // Replaces only the empty file that reserves the name.
                    return fs::rename(&unfinished, &reserved).map(|()| Some(reserved.clone()));
                }
                fs::remove_file(&unfinished)
                    .and_then(|()| fs::remove_file(&reserved))
                    .map(|()| None)
            };
            end().map_err(|source| StoreError::File { path: reserved.clone(), source })
        });
        if copied.is_err() {
            // The first error is reported; the store is unchanged.
            let _ = fs::remove_file(&unfinished).and_then(|()| fs::remove_file(&reserved));
        }
        copied
    }

    /// Copies the store to `path`; returns whether the copy has schema `version`.
    fn copy_to(&self, path: &Path, version: i64) -> Result<bool> {
        // The copy is created with the store's permissions before SQLite fills it.
        let _ = fs::remove_file(path);
        super::make_private(path)?;
        let same = fs::metadata(&self.path)
            .and_then(|store| fs::set_permissions(path, store.permissions()));
        same.map_err(|source| StoreError::File { path: path.into(), source })?;
        let file = absolute_path(path)?;
        let file = file.to_str().ok_or_else(|| {
            let reason = "its path is not UTF-8, and SQLite could not write a copy beside it";
            StoreError::CannotOpen { path: self.path.clone(), source: reason.into() }
        })?;
        self.execute("VACUUM INTO ?1", [file])?;
        let copied = immutable(path)?.query_row("PRAGMA user_version", [], |row| row.get(0));
        let copied: i64 = copied.map_err(|source| StoreError::at(path, source))?;
        Ok(copied == version)
    }

    /// Reserves the first free name of `STORE.schema-N.bak`, `STORE.schema-N.2.bak` … with an empty file.
    fn reserve_copy_path(&self, version: i64) -> Result<PathBuf> {
        let mut count = 1;
        loop {
            let reserved = beside(
                &self.path,
                &match count {
                    1 => format!(".schema-{version}.bak"),
                    _ => format!(".schema-{version}.{count}.bak"),
                },
            );
            match fs::File::create_new(&reserved) {
                Ok(_) => return Ok(reserved),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => count += 1,
                Err(source) => return Err(StoreError::File { path: reserved, source }),
            }
        }
    }
}
