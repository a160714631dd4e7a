//! Bringing a store from one schema to the next, a new one from none, and keeping a copy of one as it was.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::identity::{beside, located};
use super::immutable;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::integer::saturated;

/// The migrations that this program knows.
pub(super) const KNOWN: MigrationList = MigrationList {
    migrations: &[include_str!("../../schema/001_initial.sql")],
    hash: "a9f48d6b3e1bd4282e0393a8b5ab64dc9357e9307275069d8e8b8d8b7cc2a634",
};

/// Migrations in order, and what they make.
#[derive(Debug, Clone, Copy)]
pub(super) struct MigrationList {
    /// Entry n brings a store from `user_version` n to n + 1.
    pub migrations: &'static [&'static str],
    /// BLAKE3 of the schema that all of them make: as long as a store has that and no more, they need not be run to
    /// compare with, which takes a thousandth of a second or two. A test says what it is.
    pub hash: &'static str,
}

impl MigrationList {
    /// The number of the schema that all of them make.
    pub fn newest(&self) -> i64 {
        saturated(self.migrations.len())
    }

    /// The migrations that a store of schema `version` lacks.
    fn after(&self, version: i64) -> &'static [&'static str] {
        let first = usize::try_from(version).unwrap_or_default();
        self.migrations.get(first..).unwrap_or_default()
    }

    /// The migrations that have made a store of schema `version`.
    pub fn until(&self, version: i64) -> &'static [&'static str] {
        let end = usize::try_from(version).unwrap_or_default();
        self.migrations.get(..end).unwrap_or(self.migrations)
    }
}

/// What opening a store has changed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    store: PathBuf,
    from: i64,
    to: i64,
    copy: PathBuf,
}

impl Upgrade {
    /// The store as it was.
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
    /// Brings the store from schema `version` up to date, after keeping a copy of it.
    pub(super) fn upgrade(&mut self, version: i64, list: MigrationList) -> Result<Option<Upgrade>> {
        let copy = self.keep_copy(version)?;
        // A table that is made anew must not take with it what refers to it.
        self.execute_batch("PRAGMA foreign_keys = OFF")?;
        if let Err(error) = self.migrate(list) {
            // The store is as it was, and needs no copy; unless even that cannot be read any more.
            if let (Some(copy), true) = (copy, self.has_schema(version)) {
                let _ = fs::remove_file(copy);
            }
            return Err(error);
        }
        self.execute_batch("PRAGMA foreign_keys = ON")?;
        let store = self.path.clone();
        Ok(copy.map(|copy| Upgrade { store, from: version, to: list.newest(), copy }))
    }

    /// Does what the store lacks of the migrations, all of it or nothing. Another process may have done it meanwhile.
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

    /// Copies the store to a file of its own; `None` if another process was quicker to bring it up
    /// to date.
    fn keep_copy(&self, version: i64) -> Result<Option<PathBuf>> {
        let place = self.free_place(version)?;
        let unfinished = beside(&place, ".unfinished");
        let copied = self.copy_to(&unfinished, version).and_then(|is_same| {
            let end = || {
                if is_same {
                    fs::File::open(&unfinished)?.sync_all()?;
                    // Only the empty file that keeps the place is replaced.
                    return fs::rename(&unfinished, &place).map(|()| Some(place.clone()));
                }
                fs::remove_file(&unfinished).and_then(|()| fs::remove_file(&place)).map(|()| None)
            };
            end().map_err(|source| StoreError::File { path: place.clone(), source })
        });
        if copied.is_err() {
            // What failed is told; the store is as it was.
            let _ = fs::remove_file(&unfinished).and_then(|()| fs::remove_file(&place));
        }
        copied
    }

    /// Whether the copy is of schema `version`.
    fn copy_to(&self, path: &Path, version: i64) -> Result<bool> {
        // As private as the store: what is made for a copy is empty, and SQLite fills it.
        let _ = fs::remove_file(path);
        super::make_private(path)?;
        let same = fs::metadata(&self.path)
            .and_then(|store| fs::set_permissions(path, store.permissions()));
        same.map_err(|source| StoreError::File { path: path.into(), source })?;
        let file = located(path)?;
        let file = file.to_str().ok_or_else(|| {
            let reason = "its path is not UTF-8, and SQLite could not write a copy beside it";
            StoreError::CannotOpen { path: self.path.clone(), source: reason.into() }
        })?;
        self.execute("VACUUM INTO ?1", [file])?;
        let copied = immutable(path)?.query_row("PRAGMA user_version", [], |row| row.get(0));
        let copied: i64 = copied.map_err(|source| StoreError::at(path, source))?;
        Ok(copied == version)
    }

    /// Keeps the first free one of `STORE.schema-N.bak`, `STORE.schema-N.2.bak` … with an empty
    /// file.
    fn free_place(&self, version: i64) -> Result<PathBuf> {
        let mut count = 1;
        loop {
            let place = beside(
                &self.path,
                &match count {
                    1 => format!(".schema-{version}.bak"),
                    _ => format!(".schema-{version}.{count}.bak"),
                },
            );
            match fs::File::create_new(&place) {
                Ok(_) => return Ok(place),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => count += 1,
                Err(source) => return Err(StoreError::File { path: place, source }),
            }
        }
    }
}
