//! Bringing a store of an earlier schema up to date, with a copy of it as it was.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use rusqlite_migration::{M, Migrations};

use super::connect::immutable;
use super::identity::{beside, located};
use super::matrices::copy_matrices;
use crate::store::Store;
use crate::store::error::{Result, StoreError};

/// Migrations in order; entry n brings a store from `user_version` n to n + 1.
fn migrations() -> Vec<M<'static>> {
    vec![
        M::up(include_str!("../../../schema/001_initial.sql")),
        M::up(include_str!("../../../schema/002_ingest_batches.sql")),
        M::up(include_str!("../../../schema/003_vocabulary_names.sql")),
        M::up(include_str!("../../../schema/004_metric_settings.sql")),
        M::up(include_str!("../../../schema/005_word_map.sql")),
        M::up(include_str!("../../../schema/006_run_life.sql")),
        M::up(include_str!("../../../schema/007_k_bound.sql")),
        M::up(include_str!("../../../schema/008_separable.sql")),
        M::up(include_str!("../../../schema/009_topic_agreement.sql")),
        M::up(include_str!("../../../schema/010_document_topic.sql")),
        M::up(include_str!("../../../schema/011_topic_alignment.sql")),
        M::up(include_str!("../../../schema/012_topic_documents.sql")),
        M::up(include_str!("../../../schema/013_parts_and_bases.sql")),
        M::up(include_str!("../../../schema/014_projection_sums.sql")),
        M::up_with_hook(include_str!("../../../schema/015_matrices.sql"), copy_matrices),
        M::up(include_str!("../../../schema/016_matrices_alone.sql")),
    ]
}

/// The schema this program knows.
pub(super) const KNOWN: i64 = 16;

/// What opening a store has changed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgrade {
    store: PathBuf,
    from: i64,
    copy: PathBuf,
}

impl Upgrade {
    /// The store as it was.
    pub fn copy(&self) -> &std::path::Path {
        &self.copy
    }
}

impl fmt::Display for Upgrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (store, copy) = (self.store.display(), self.copy.display());
        write!(f, "{store}: brought from schema {} to {KNOWN}; as it was: {copy}", self.from)
    }
}

impl Store {
    /// Brings the store from schema `version` up to date, after keeping a copy of it.
    pub(super) fn upgrade(&mut self, version: i64) -> Result<Option<Upgrade>> {
        let copy = if version > 0 { self.keep_copy(version)? } else { None };
        self.migrate(version)?;
        Ok(copy.map(|copy| Upgrade { store: self.path.clone(), from: version, copy }))
    }

    fn migrate(&mut self, mut version: i64) -> Result<()> {
        // A table that is made anew must not take with it what refers to it.
        self.execute_batch("PRAGMA foreign_keys = OFF")?;
        loop {
            let Err(error) = Migrations::new(migrations()).to_latest(&mut self.connection) else {
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
    fn copy_to(&self, path: &std::path::Path, version: i64) -> Result<bool> {
        let file = located(path)?;
        let file = file.to_str().ok_or_else(|| {
            let reason = "its path is not UTF-8, and SQLite could not write a copy beside it";
            StoreError::CannotOpen { path: self.path.clone(), reason: reason.into() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        assert_eq!(migrations().len() as i64, KNOWN);
        assert!(Migrations::new(migrations()).validate().is_ok());
    }
}
