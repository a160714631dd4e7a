//! Matrices that runs keep for their later stages and for later runs.
//!
//! A matrix is a row of `matrix` and one or more rows of `matrix_chunk`. Entries are row by row, little-endian,
//! in single or double precision. SQLite accepts no blob of more than 10⁹ bytes, and copies every blob; chunks
//! avoid both limits for large vocabularies.

use ndarray::{Array2, ArrayView2};
use rusqlite::{Connection, OptionalExtension};

use crate::Store;
use crate::corpus::content_hash::{ContentHash, first_16_bytes};
use crate::error::Result;
use crate::id::RunId;
use crate::integer::saturated;

/// Bytes per chunk, unless the store has the setting `matrix_chunk_bytes`. SQLite has two copies of a chunk in
/// memory while it writes it.
const CHUNK_BYTES: usize = 16 << 20;

const INSERT: &str = "INSERT INTO matrix \
    (run_id, purpose, stage, position, rows, columns, bytes_per_entry) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const INSERT_CHUNK: &str =
    "INSERT INTO matrix_chunk (matrix_id, position, hash, data) VALUES (?1, ?2, ?3, ?4)";
const DELETE: &str = "DELETE FROM matrix WHERE run_id = ?1 AND purpose = ?2 AND stage = ?3";
const DELETE_ONE: &str =
    "DELETE FROM matrix WHERE run_id = ?1 AND purpose = ?2 AND stage = ?3 AND position = ?4";
const POSITIONS: &str = "SELECT position FROM matrix \
    WHERE run_id = ?1 AND purpose = ?2 AND stage = ?3 ORDER BY position";
const ALL: &str = "SELECT purpose, stage, position FROM matrix WHERE run_id = ?1 ORDER BY id";
const SHAPE: &str = "SELECT matrix.id, rows, columns, bytes_per_entry, \
    (SELECT coalesce(sum(length(data)), 0) FROM matrix_chunk WHERE matrix_id = matrix.id) AS bytes \
    FROM matrix WHERE run_id = ?1 AND purpose = ?2 AND stage = ?3 AND position = ?4";
const CHUNKS: &str = "SELECT hash, data FROM matrix_chunk WHERE matrix_id = ?1 ORDER BY position";

/// Matrices of a run with the same purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatrixGroup<'a> {
    run: RunId,
    purpose: &'a str,
    /// Empty except for checkpoints and the factor.
    stage: &'a str,
}

impl<'a> MatrixGroup<'a> {
    /// Output of `stage`.
    pub(crate) fn checkpoint(run: RunId, stage: &'a str) -> Self {
        Self { run, purpose: "checkpoint", stage }
    }

    pub(crate) fn basis(run: RunId) -> Self {
        Self { run, purpose: "basis", stage: "" }
    }

    /// Y, and the indices of the candidate anchor words.
    pub(crate) fn factor(run: RunId) -> Self {
        Self { run, purpose: "basis", stage: "factor" }
    }

    pub(crate) fn summed_documents(run: RunId) -> Self {
        Self { run, purpose: "summed_documents", stage: "" }
    }

    pub(crate) fn projection_sums(run: RunId) -> Self {
        Self { run, purpose: "projection_sums", stage: "" }
    }
}

/// A matrix entry: `f64`, or `f32` in single precision.
pub(crate) trait Entry: Copy {
    type Bytes: AsRef<[u8]>;
    fn bytes(self) -> Self::Bytes;
}

impl Entry for f32 {
    type Bytes = [u8; 4];
    fn bytes(self) -> Self::Bytes {
        self.to_le_bytes()
    }
}

impl Entry for f64 {
    type Bytes = [u8; 8];
    fn bytes(self) -> Self::Bytes {
        self.to_le_bytes()
    }
}

/// Writes the entries of one matrix, chunk by chunk.
pub(crate) struct MatrixWriter<'a> {
    connection: &'a Connection,
    matrix: i64,
    chunk_bytes: usize,
    chunks: i64,
    chunk: Vec<u8>,
}

impl<'a> MatrixWriter<'a> {
    /// Begins matrix `position` of the group `group`, with `shape` (rows, columns).
    pub(crate) fn begin(
        connection: &'a Connection,
        group: MatrixGroup<'_>,
        position: i64,
        shape: (usize, usize),
        bytes_per_entry: usize,
    ) -> rusqlite::Result<Self> {
        let (rows, columns) = shape;
        connection.prepare_cached(INSERT)?.execute((
            group.run,
            group.purpose,
            group.stage,
            position,
            rows,
            columns,
            bytes_per_entry,
        ))?;
        let matrix = connection.last_insert_rowid();
        // Chunks contain whole entries of at most 8 bytes.
        let chunk_bytes = (chunk_bytes(connection)? / 8).max(1) * 8;
        let bytes = shape.0.saturating_mul(shape.1).saturating_mul(bytes_per_entry);
        let chunk = Vec::with_capacity(bytes.min(chunk_bytes));
        Ok(Self { connection, matrix, chunk_bytes, chunks: 0, chunk })
    }

    /// Adds the bytes of entries.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> rusqlite::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(self.chunk_bytes - self.chunk.len()));
            self.chunk.extend_from_slice(now);
            bytes = later;
            if self.chunk.len() == self.chunk_bytes {
                self.write_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes the last, partial chunk.
    pub(crate) fn end(mut self) -> rusqlite::Result<()> {
        if self.chunk.is_empty() { Ok(()) } else { self.write_chunk() }
    }

    fn write_chunk(&mut self) -> rusqlite::Result<()> {
        let row = (self.matrix, self.chunks, hash(&self.chunk), &self.chunk[..]);
        self.connection.prepare_cached(INSERT_CHUNK)?.execute(row)?;
        self.chunks += 1;
        self.chunk.clear();
        Ok(())
    }
}

fn chunk_bytes(connection: &Connection) -> rusqlite::Result<usize> {
    let sql = "SELECT value FROM setting WHERE name = 'matrix_chunk_bytes'";
    let set: Option<i64> =
        connection.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
    Ok(set.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(CHUNK_BYTES))
}

fn hash(data: &[u8]) -> ContentHash {
    first_16_bytes(blake3::hash(data))
}

impl Store {
    /// Saves a matrix and replaces an earlier one. Must be called within a transaction.
    pub(crate) fn save_matrix<T: Entry>(
        &self,
        group: MatrixGroup<'_>,
        position: usize,
        matrix: ArrayView2<'_, T>,
    ) -> Result<()> {
        self.execute(DELETE_ONE, (group.run, group.purpose, group.stage, position))?;
        let write = || {
            let (shape, bytes) = (matrix.dim(), size_of::<T>());
            let position = saturated(position);
            let mut writer = MatrixWriter::begin(&self.connection, group, position, shape, bytes)?;
            matrix.iter().try_for_each(|entry| writer.push(entry.bytes().as_ref()))?;
            writer.end()
        };
        write().map_err(|source| self.error(source))
    }

    /// Deletes matrices. Must be called within a transaction.
    pub(crate) fn delete_matrices(&self, group: MatrixGroup<'_>) -> Result<()> {
        self.execute(DELETE, (group.run, group.purpose, group.stage)).map(drop)
    }

    /// All matrices in order; `None` if one is damaged.
    pub(crate) fn matrices(&self, group: MatrixGroup<'_>) -> Result<Option<Vec<Array2<f64>>>> {
        let positions: Vec<usize> =
            self.rows(POSITIONS, (group.run, group.purpose, group.stage), |row| row.get(0))?;
        positions.into_iter().map(|position| self.matrix(group, position)).collect()
    }

    /// Names of a run's damaged matrices.
    pub(crate) fn damaged_matrices(&self, run: RunId) -> Result<Vec<String>> {
        let kept = self.rows(ALL, [run], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, usize>(2)?))
        })?;
        let mut damaged = Vec::new();
        for (purpose, stage, position) in kept {
            if self
                .matrix(MatrixGroup { run, purpose: &purpose, stage: &stage }, position)?
                .is_none()
            {
                let of_stage = if stage.is_empty() { stage } else { format!(" of {stage}") };
                damaged.push(format!("{purpose}{of_stage}, {position}"));
            }
        }
        Ok(damaged)
    }

    /// One matrix; `None` if it is missing or damaged.
    pub(crate) fn matrix(
        &self,
        group: MatrixGroup<'_>,
        position: usize,
    ) -> Result<Option<Array2<f64>>> {
        let mut shapes =
            self.rows(SHAPE, (group.run, group.purpose, group.stage, position), |row| {
                let id: i64 = row.get("id")?;
                let shape: (usize, usize) = (row.get("rows")?, row.get("columns")?);
                Ok((id, shape, row.get("bytes_per_entry")?, row.get("bytes")?))
            })?;
        let Some((id, shape, bytes_per_entry, bytes)) = shapes.pop() else { return Ok(None) };
        // Checked before allocating: a damaged shape may have any size.
        let entries = shape.0.checked_mul(shape.1);
        if entries.and_then(|entries| entries.checked_mul(bytes_per_entry)) != Some(bytes) {
            return Ok(None);
        }
        let mut entries = Vec::with_capacity(bytes / bytes_per_entry);
        let whole = self.rows(CHUNKS, [id], |row| {
            let data = row.get_ref("data")?.as_blob()?;
            if bytes_per_entry == 8 {
                entries.extend(data.as_chunks().0.iter().map(|&entry| f64::from_le_bytes(entry)));
            } else {
                let single = data.as_chunks().0.iter();
                entries.extend(single.map(|&entry| f64::from(f32::from_le_bytes(entry))));
            }
            Ok(row.get_ref("hash")?.as_blob()? == hash(data))
        })?;
        let is_whole = whole.into_iter().all(|whole| whole);
        Ok(is_whole.then(|| Array2::from_shape_vec(shape, entries).ok()).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use ndarray::array;
    use proptest::prelude::*;
    use rusqlite::limits::Limit;

    const GROUP: MatrixGroup<'_> =
        MatrixGroup { run: RunId(1), purpose: "checkpoint", stage: "factorise" };

    fn with_run() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        store
            .execute_batch(
                "INSERT INTO corpus (name, created_at, settings) VALUES ('c', '', '{}');
                 INSERT INTO run (corpus_id, model, k, seed, settings, status, created_at, \
                 program_version) VALUES (1, 'lr-jsmf', 2, 1, '{}', 'running', '', '');",
            )
            .expect("rows");
        (directory, store)
    }

    fn set_chunk_bytes(store: &Store, bytes: i64) {
        let sql = "INSERT OR REPLACE INTO setting (name, value) VALUES ('matrix_chunk_bytes', ?1)";
        store.execute(sql, [bytes]).expect("set");
    }

    fn chunks(store: &Store) -> i64 {
        store.scalar("SELECT count(*) FROM matrix_chunk", []).expect("counted")
    }

    fn bits(matrix: &Array2<f64>) -> ((usize, usize), Vec<u64>) {
        (matrix.dim(), matrix.iter().map(|entry| entry.to_bits()).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_matrix_comes_back_to_the_bit_however_it_is_cut(
            entries in proptest::collection::vec(any::<u64>().prop_map(f64::from_bits), 0..60),
            columns in 1usize..5,
            chunk_bytes in 1i64..300,
        ) {
            let (_directory, store) = with_run();
            set_chunk_bytes(&store, chunk_bytes);
            let rows = entries.len() / columns;
            let entries = entries[..rows * columns].to_vec();
            let matrix = Array2::from_shape_vec((rows, columns), entries).expect("a shape");
            // A transposed matrix is column-major in memory; it is saved row by row.
            let arrays = [matrix.t().to_owned(), matrix.clone(), Array2::zeros((0, 3))];
            for (position, array) in arrays.iter().enumerate() {
                store.save_matrix(GROUP, position, array.view()).expect("saved");
            }
            let found = store.matrices(GROUP).expect("read").expect("whole");
            prop_assert!(found.iter().map(bits).eq(arrays.iter().map(bits)));
            prop_assert!(found.iter().all(|array| array.is_standard_layout()));
        }
    }

    #[test]
    fn a_matrix_larger_than_a_blob_can_be_is_saved_in_chunks() {
        let (_directory, store) = with_run();
        let matrix = Array2::from_shape_fn((500, 9), |(i, j)| i as f64 / (j as f64 + 0.7));
        store.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 20_000).expect("a limit");
        let refused = store.save_matrix(GROUP, 0, matrix.view()).expect_err("one blob");
        assert!(refused.to_string().contains("too big"), "{refused}");
        set_chunk_bytes(&store, 10_000);
        store.save_matrix(GROUP, 0, matrix.view()).expect("saved");
        assert_eq!(chunks(&store), 4);
        let found = store.matrix(GROUP, 0).expect("read").expect("whole");
        assert_eq!(bits(&found), bits(&matrix));
        let single = matrix.mapv(|entry| entry as f32);
        store.save_matrix(GROUP, 0, single.view()).expect("saved in its place");
        assert_eq!(chunks(&store), 2);
        assert_eq!(store.matrix(GROUP, 0).expect("read"), Some(single.mapv(f64::from)));
        store.delete_matrices(GROUP).expect("deleted");
        assert_eq!(chunks(&store), 0);
        assert_eq!(store.matrices(GROUP).expect("read"), Some(Vec::new()));
    }

    #[test]
    fn a_damaged_matrix_is_treated_as_missing() {
        let (_directory, store) = with_run();
        set_chunk_bytes(&store, 16);
        store.save_matrix(GROUP, 0, array![[1.5, -0.0], [3.0, 4.0]].view()).expect("saved");
        for harm in [
            "UPDATE matrix_chunk SET data = zeroblob(16) WHERE position = 1",
            "UPDATE matrix_chunk SET position = 7 - position",
            "DELETE FROM matrix_chunk WHERE position = 0",
            "UPDATE matrix SET rows = 3",
            "UPDATE matrix SET rows = 1 << 40, columns = 1 << 40",
            "UPDATE matrix SET columns = 4",
        ] {
            store.execute_batch("SAVEPOINT harm").expect("savepoint");
            store.execute_batch(harm).expect("harm");
            let found = store.matrix(GROUP, 0).expect("read");
            let as_saved = found.is_some_and(|found| found == array![[1.5, -0.0], [3.0, 4.0]]);
            assert!(!as_saved, "{harm}");
            store.execute_batch("ROLLBACK TO harm; RELEASE harm").expect("rollback");
        }
        assert!(store.matrices(GROUP).expect("read").is_some());
    }
}
