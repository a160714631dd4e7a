//! Bringing a store of an earlier schema up to date, with a copy of it as it was.
//!
//! Three have a step that SQL cannot do: with migration 15 matrices of earlier stores, which had several
//! layouts, go into the table `matrix`; with migration 21 what documents are about is packed; with the one of
//! [`INDEXES`] the full-text indexes go, which SQLite before 3.43 cannot read.

use std::path::PathBuf;
use std::{fmt, fs};

use rusqlite::limits::Limit;
use rusqlite::{Connection, Transaction};
use rusqlite_migration::{HookResult, M, Migrations};

use super::identity::{beside, located};
use super::immutable;
use super::packed::pack_proportions;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::run::matrix::{MatricesOf, MatrixWriter};
use crate::search::drop_earlier_indexes;

/// The migrations in order; entry n brings a store from `user_version` n to n + 1.
const SCHEMA: &[&str] = &[
    include_str!("../../schema/001_initial.sql"),
    include_str!("../../schema/002_ingest_batches.sql"),
    include_str!("../../schema/003_vocabulary_names.sql"),
    include_str!("../../schema/004_metric_settings.sql"),
    include_str!("../../schema/005_word_map.sql"),
    include_str!("../../schema/006_run_life.sql"),
    include_str!("../../schema/007_k_bound.sql"),
    include_str!("../../schema/008_separable.sql"),
    include_str!("../../schema/009_topic_agreement.sql"),
    include_str!("../../schema/010_document_topic.sql"),
    include_str!("../../schema/011_topic_alignment.sql"),
    include_str!("../../schema/012_topic_documents.sql"),
    include_str!("../../schema/013_parts_and_bases.sql"),
    include_str!("../../schema/014_projection_sums.sql"),
    include_str!("../../schema/015_matrices.sql"),
    include_str!("../../schema/016_matrices_alone.sql"),
    include_str!("../../schema/017_run_warning.sql"),
    include_str!("../../schema/018_search_index.sql"),
    include_str!("../../schema/019_run_names.sql"),
    include_str!("../../schema/020_chunks.sql"),
    include_str!("../../schema/021_document_proportions.sql"),
    include_str!("../../schema/022_fields.sql"),
    include_str!("../../schema/023_term_forms.sql"),
    include_str!("../../schema/024_run_parent.sql"),
    include_str!("../../schema/025_judgement.sql"),
    include_str!("../../schema/026_words_by_term.sql"),
    include_str!("../../schema/027_topic_shares.sql"),
    include_str!("../../schema/028_readable_elsewhere.sql"),
    include_str!("../../schema/029_missing_values.sql"),
];

/// The schema this program knows.
pub(super) const KNOWN: i64 = SCHEMA.len() as i64;

/// The migration whose matrices are copied.
const MATRICES: usize = 15;
/// The migration whose proportions are packed.
const PROPORTIONS: usize = 21;
/// The migration that drops the full-text indexes of before.
pub(super) const INDEXES: usize = 28;

pub(super) fn migrations() -> Vec<M<'static>> {
    let with_its_step = |(number, &sql): (usize, &&'static str)| match number {
        MATRICES => M::up_with_hook(sql, copy_matrices),
        PROPORTIONS => M::up_with_hook(sql, pack_proportions),
        INDEXES => M::up_with_hook(sql, drop_earlier_indexes),
        _ => M::up(sql),
    };
    (1..).zip(SCHEMA).map(with_its_step).collect()
}

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
        // Matrices of early versions are one blob each.
        let fail = |source| StoreError::at(&self.path, source);
        let longest = self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::MAX);
        let longest = longest.map_err(fail)?;
        let copy = self.keep_copy(version)?;
        self.migrate(version)?;
        let back = self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest);
        back.map_err(|source| self.error(source))?;
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
        // As private as the store: what is made for a copy is empty, and SQLite fills it.
        let _ = fs::remove_file(path);
        super::make_private(path)?;
        let same = fs::metadata(&self.path)
            .and_then(|store| fs::set_permissions(path, store.permissions()));
        same.map_err(|source| StoreError::File { path: path.into(), source })?;
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

const CHECKPOINTS: &str = "SELECT run_id, stage, hash, data FROM run_checkpoint";
const COUNT: &str = "UPDATE run_checkpoint SET matrices = ?3 WHERE run_id = ?1 AND stage = ?2";
type Of = fn(i64) -> MatricesOf<'static>;
const OTHERS: [(Of, &str); 3] = [
    (MatricesOf::basis, "SELECT run_id, 0, data FROM run_basis"),
    (MatricesOf::summed_documents, "SELECT run_id, 0, data FROM summed_documents"),
    (MatricesOf::projection_sums, "SELECT run_id, first_direction, data FROM projection_sums"),
];

/// Copies what checkpoints, bases and sums hold. What is damaged is left behind: a stage is done
/// again, and who wants to start from the rest is told that it is gone.
pub(super) fn copy_matrices(transaction: &Transaction<'_>) -> HookResult {
    Ok(copy(transaction)?)
}

fn copy(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut checkpoints = transaction.prepare(CHECKPOINTS)?;
    let mut rows = checkpoints.query([])?;
    while let Some(row) = rows.next()? {
        let (run, stage): (i64, String) = (row.get("run_id")?, row.get("stage")?);
        let data = row.get_ref("data")?.as_blob()?;
        let is_whole =
            row.get_ref("hash")?.as_blob()? == blake3::hash(data).as_bytes().split_at(16).0;
        let Some(matrices) = parse(data).filter(|_| is_whole) else { continue };
        write(transaction, MatricesOf::checkpoint(run, &stage), 0, &matrices)?;
        transaction.execute(COUNT, (run, &stage, matrices.len() as i64))?;
    }
    for (of, sql) in OTHERS {
        let mut statement = transaction.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (run, first) = (row.get(0)?, row.get(1)?);
            let Some(matrices) = parse(row.get_ref(2)?.as_blob()?) else { continue };
            write(transaction, of(run), first, &matrices)?;
        }
    }
    Ok(())
}

fn write(
    connection: &Connection,
    of: MatricesOf<'_>,
    first: i64,
    matrices: &[Matrix<'_>],
) -> rusqlite::Result<()> {
    for (position, matrix) in (first..).zip(matrices) {
        let &Matrix { shape, bytes_per_entry, entries } = matrix;
        let mut writer = MatrixWriter::begin(connection, of, position, shape, bytes_per_entry)?;
        writer.push(entries)?;
        writer.end()?;
    }
    Ok(())
}

/// A matrix in an earlier blob.
#[derive(Debug, PartialEq)]
struct Matrix<'a> {
    shape: (usize, usize),
    bytes_per_entry: usize,
    entries: &'a [u8],
}

/// The matrices of a blob, one after the other: rows and columns as `u64`, then the entries as
/// `f64`, or, of a matrix that is alone in its blob, as `f32`.
fn parse(mut data: &[u8]) -> Option<Vec<Matrix<'_>>> {
    let mut matrices = Vec::new();
    while !data.is_empty() {
        let (rows, rest) = data.split_first_chunk()?;
        let (columns, rest) = rest.split_first_chunk()?;
        let shape = (
            usize::try_from(u64::from_le_bytes(*rows)).ok()?,
            usize::try_from(u64::from_le_bytes(*columns)).ok()?,
        );
        let count = shape.0.checked_mul(shape.1)?;
        let is_single =
            matrices.is_empty() && count > 0 && count.checked_mul(4) == Some(rest.len());
        let bytes_per_entry = if is_single { 4 } else { 8 };
        let (entries, rest) = rest.split_at_checked(count.checked_mul(bytes_per_entry)?)?;
        matrices.push(Matrix { shape, bytes_per_entry, entries });
        data = rest;
    }
    Some(matrices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn migrations_are_valid() {
        assert_eq!(migrations().len() as i64, KNOWN);
        assert!(Migrations::new(migrations()).validate().is_ok());
    }

    fn header(rows: u64, columns: u64) -> Vec<u8> {
        [rows.to_le_bytes(), columns.to_le_bytes()].concat()
    }

    #[test]
    fn matrices_of_both_precisions_are_found_and_other_bytes_are_not() {
        let double = [header(2, 3), vec![1; 48]].concat();
        let single = [header(2, 3), vec![2; 24]].concat();
        let of = |data: &[u8]| -> Option<Vec<(usize, usize)>> {
            let found = parse(data)?;
            Some(
                found
                    .iter()
                    .map(|matrix| (matrix.bytes_per_entry, matrix.entries[0].into()))
                    .collect(),
            )
        };
        assert_eq!(of(&single), Some(vec![(4, 2)]));
        assert_eq!(of(&[double.clone(), double.clone()].concat()), Some(vec![(8, 1), (8, 1)]));
        for cut in [3, 20, 63] {
            assert_eq!(parse(&double[..cut]), None, "{cut}");
        }
        assert_eq!(parse(&header(1 << 40, 1 << 40)), None);
        assert_eq!(parse(&header(0, 7)).map(|found| found[0].shape), Some((0, 7)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_parsed_or_refused(data in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = parse(&data);
        }
    }
}
