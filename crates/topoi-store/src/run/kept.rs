//! Data that a run keeps: checkpoints for its own later stages; and for later runs of the corpus, eigenvectors,
//! or sums along random directions to which documents can be added.
//!
//! Eigenvectors and sums are saved in single precision. The remaining digits of sums are far below the noise of
//! documents, and on NIPS an update from rounded sums had the same bits as one from exact sums.
//!
//! A checkpoint that is damaged, or of another version of the program, is treated as missing: its stage is run
//! again.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

use super::matrix::MatrixGroup;
use super::progress::Stage;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId};
use crate::integer::from_real;

/// Directions per matrix.
const DIRECTIONS_PER_MATRIX: usize = 32;

/// The documents that are contained in kept sums.
#[derive(Debug, Clone, PartialEq)]
pub struct SummedDocuments {
    /// Id of the last document; for a corpus in parts, the id of the last document of each part, in order. Ids
    /// are below 2⁵³.
    pub last_documents: Vec<DocumentId>,
    /// Number of documents, and of those that the directions are scaled for.
    pub kept: [f64; 2],
    /// 2 × W: sums of words' shares over the former and over the latter.
    pub shares: Array2<f64>,
    /// Whether documents were split by their numbers in the corpus. Versions before did so by their row ids.
    pub by_number: bool,
}

impl SummedDocuments {
    /// The counts (1 × 2), the last documents (1 × parts), the shares (2 × W), and 1 × 1 if by number.
    pub fn to_arrays(&self) -> Vec<Array2<f64>> {
        let last = &self.last_documents;
        let mut arrays = vec![
            Array2::from_shape_fn((1, 2), |(_, at)| self.kept[at]),
            Array2::from_shape_fn((1, last.len()), |(_, at)| last[at].0 as f64),
            self.shares.clone(),
        ];
        arrays.extend(self.by_number.then(|| Array2::ones((1, 1))));
        arrays
    }

    /// The inverse of [`Self::to_arrays`]; `None` for arrays of other shapes.
    pub fn from_arrays(mut arrays: Vec<Array2<f64>>) -> Option<Self> {
        let by_number = arrays.len() == 4 && arrays.pop().is_some();
        let [kept, last, shares] = <[Array2<f64>; 3]>::try_from(arrays).ok()?;
        let fits = kept.dim() == (1, 2) && last.nrows() == 1 && last.ncols() > 0;
        let last_documents =
            last.iter().map(|&id| from_real(id).map(DocumentId)).collect::<Option<_>>()?;
        (fits && shares.nrows() == 2).then(|| Self {
            last_documents,
            kept: [kept[(0, 0)], kept[(0, 1)]],
            shares,
            by_number,
        })
    }
}

/// A factor from which topics of other anchors can be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedFactor {
    /// Y (W × K) with C* ≈ Y·Yᵀ.
    pub y: Array2<f32>,
    /// Indices of the candidate anchor words, ascending.
    pub candidates: Vec<usize>,
}

impl Store {
    pub(crate) fn insert_basis(&self, run: RunId, basis: &Array2<f32>) -> Result<()> {
        self.save_matrix(MatrixGroup::basis(run), 0, basis.view())
    }

    /// The vectors that a run's factorisation converged to, one row per term of its vocabulary; `None` if the
    /// run saved none.
    pub fn basis(&self, run: RunId) -> Result<Option<Array2<f64>>> {
        self.matrix(MatrixGroup::basis(run), 0)
    }

    pub(crate) fn insert_factor(&self, run: RunId, factor: &SavedFactor) -> Result<()> {
        let group = MatrixGroup::factor(run);
        self.save_matrix(group, 0, factor.y.view())?;
        let candidates = factor.candidates.iter().map(|&word| word as f64);
        let candidates = Array2::from_shape_vec((1, factor.candidates.len()), candidates.collect());
        self.save_matrix(group, 1, candidates.unwrap_or_default().view())
    }

    /// Saves a run's factor and replaces an earlier one.
    pub fn save_factor(&mut self, run: RunId, factor: &SavedFactor) -> Result<()> {
        self.transaction(|store| store.insert_factor(run, factor))
    }

    /// A run's factor: Y with one row per term of the run's vocabulary, and the indices of the candidate anchor
    /// words. `None` if the run kept none or it is damaged.
    pub fn factor(&self, run: RunId) -> Result<Option<(Array2<f64>, Vec<usize>)>> {
        let arrays = self.matrices(MatrixGroup::factor(run))?;
        let Some(Ok([y, candidates])) = arrays.map(<[Array2<f64>; 2]>::try_from) else {
            return Ok(None);
        };
        let candidate = |&word: &f64| {
            let word = usize::try_from(from_real(word)?).ok()?;
            (word < y.nrows()).then_some(word)
        };
        let candidates: Option<Vec<usize>> = candidates.iter().map(candidate).collect();
        let is_sound = y.iter().all(|entry| entry.is_finite());
        Ok(candidates.filter(|_| is_sound).map(|candidates| (y, candidates)))
    }

    /// Saves which documents the sums of a run contain.
    pub fn save_summed_documents(&mut self, run: RunId, documents: &SummedDocuments) -> Result<()> {
        let group = MatrixGroup::summed_documents(run);
        self.transaction(|store| {
            let arrays = documents.to_arrays();
            let mut arrays = arrays.iter().enumerate();
            arrays
                .try_for_each(|(position, array)| store.save_matrix(group, position, array.view()))
        })
    }

    /// The documents that the sums of a run contain; `None` if the run kept none.
    ///
    /// # Errors
    /// [`StoreError::DamagedSums`].
    pub fn summed_documents(&self, run: RunId) -> Result<Option<SummedDocuments>> {
        match self.matrices(MatrixGroup::summed_documents(run))? {
            Some(arrays) if arrays.is_empty() => Ok(None),
            found => {
                let documents = found.and_then(SummedDocuments::from_arrays);
                documents.map(Some).ok_or(StoreError::DamagedSums { run })
            }
        }
    }

    /// Saves a run's sums (W × b) along the b directions from `first`, a multiple of 32, in single precision.
    /// Replaces earlier sums along these directions.
    pub fn save_projection_sums(
        &mut self,
        run: RunId,
        first: usize,
        sums: ArrayView2<'_, f64>,
    ) -> Result<()> {
        let group = MatrixGroup::projection_sums(run);
        self.transaction(|store| {
            let mut some = sums.axis_chunks_iter(Axis(1), DIRECTIONS_PER_MATRIX).enumerate();
            some.try_for_each(|(place, some)| {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "sums are kept in single precision"
                )]
                let single = some.mapv(|sum| sum as f32);
                store.save_matrix(group, first + place * DIRECTIONS_PER_MATRIX, single.view())
            })
        })
    }

    /// A run's sums along the directions in `which`, whose start is a multiple of 32: `words` × directions.
    ///
    /// # Errors
    /// [`StoreError::DamagedSums`] if some are missing or damaged.
    pub fn projection_sums(
        &self,
        run: RunId,
        which: Range<usize>,
        words: usize,
    ) -> Result<Array2<f64>> {
        let group = MatrixGroup::projection_sums(run);
        let damaged = || StoreError::DamagedSums { run };
        let mut pieces = Vec::new();
        for first in which.clone().step_by(DIRECTIONS_PER_MATRIX) {
            let piece = self.matrix(group, first)?;
            pieces.push(piece.filter(|piece| piece.nrows() == words).ok_or_else(damaged)?);
        }
        let views: Vec<_> = pieces.iter().map(|piece| piece.view()).collect();
        let sums = concatenate(Axis(1), &views).map_err(|_| damaged())?;
        // The last matrix may have more directions than requested.
        match sums.ncols() >= which.len() {
            true => Ok(sums.slice_move(s![.., ..which.len()])),
            false => Err(damaged()),
        }
    }
}

/// A finished stage and its output.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Duration, steps and residual of the stage.
    pub stage: Stage,
    /// Matrices that later stages need.
    pub arrays: Vec<Array2<f64>>,
}

impl Store {
    /// Saves the output of a stage of a running run and replaces an earlier one. A run that is over is not
    /// changed.
    pub fn save_checkpoint(&mut self, run: RunId, checkpoint: &Checkpoint) -> Result<()> {
        let Checkpoint { stage, arrays } = checkpoint;
        let group = MatrixGroup::checkpoint(run, &stage.name);
        self.transaction(|store| {
            let saved = store.execute(
                "INSERT OR REPLACE INTO run_checkpoint (run_id, stage, seconds, steps, residual, \
                 note, program_version, matrices) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 \
                 FROM run WHERE id = ?1 AND status = 'running'",
                (
                    run,
                    &stage.name,
                    stage.seconds,
                    stage.steps,
                    stage.residual,
                    &stage.note,
                    env!("CARGO_PKG_VERSION"),
                    arrays.len(),
                ),
            )?;
            if saved == 0 {
                return Ok(());
            }
            store.delete_matrices(group)?;
            let mut arrays = arrays.iter().enumerate();
            arrays
                .try_for_each(|(position, array)| store.save_matrix(group, position, array.view()))
        })
    }

    /// The output of a stage of a run; `None` if there is none that this program can resume from.
    pub fn checkpoint(&self, run: RunId, stage: &str) -> Result<Option<Checkpoint>> {
        let mut rows = self.rows(
            "SELECT stage AS name, seconds, steps, residual, note, matrices FROM run_checkpoint \
             WHERE run_id = ?1 AND stage = ?2 AND program_version = ?3",
            (run, stage, env!("CARGO_PKG_VERSION")),
            |row| Ok((Stage::from_row(row)?, row.get::<_, usize>("matrices")?)),
        )?;
        let Some((stage, matrices)) = rows.pop() else { return Ok(None) };
        let arrays = self.matrices(MatrixGroup::checkpoint(run, &stage.name))?;
        let whole = arrays.filter(|arrays| arrays.len() == matrices);
        Ok(whole.map(|arrays| Checkpoint { stage, arrays }))
    }

    /// Deletes the checkpoints of a run.
    pub(crate) fn delete_checkpoints(&self, run: RunId) -> Result<()> {
        self.execute("DELETE FROM matrix WHERE run_id = ?1 AND purpose = 'checkpoint'", [run])?;
        self.execute("DELETE FROM run_checkpoint WHERE run_id = ?1", [run]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use ndarray::array;
    use std::path::Path;

    fn with_a_run(directory: &Path) -> Store {
        let store = Store::open(&directory.join("t.db"), Access::Create).expect("open");
        store
            .execute_batch(
                "INSERT INTO corpus (name, created_at, settings) VALUES ('c', '', '{}');
                 INSERT INTO run (corpus_id, model, k, seed, settings, status, created_at, \
                 program_version) VALUES (1, 'rp', 2, 1, '{}', 'running', '', '');",
            )
            .expect("rows");
        store
    }

    #[test]
    fn sums_are_read_in_single_precision_and_deleted_with_their_run() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut store = with_a_run(directory.path());
        let sums = Array2::from_shape_fn((5, 300), |(i, j)| (i as f64 - 2.0) / (j as f64 + 0.3));
        for range in [0..256, 256..300] {
            let some = sums.slice(s![.., range.clone()]);
            store.save_projection_sums(RunId(1), range.start, some).expect("saved");
        }
        for range in [0..256, 256..300, 64..70, 288..300] {
            let found = store.projection_sums(RunId(1), range.clone(), 5).expect("read");
            let expected = sums.slice(s![.., range]);
            assert_eq!(found.dim(), expected.dim());
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 6e-8 * b.abs()));
        }
        let damaged = |found: Result<Array2<f64>>| {
            assert!(matches!(found, Err(StoreError::DamagedSums { run: RunId(1) })));
        };
        damaged(store.projection_sums(RunId(1), 288..301, 5));
        damaged(store.projection_sums(RunId(1), 320..330, 5));
        damaged(store.projection_sums(RunId(1), 0..32, 4));
        store.execute_batch("UPDATE matrix_chunk SET data = substr(data, 1, 500)").expect("harm");
        damaged(store.projection_sums(RunId(1), 0..32, 5));
        let documents = SummedDocuments {
            last_documents: vec![DocumentId(77), DocumentId(5 * (1 << 40) + 3)],
            kept: [70.0, 50.0],
            shares: Array2::from_shape_fn((2, 5), |(i, j)| (i + 2 * j) as f64 / 3.0),
            by_number: true,
        };
        assert_eq!(store.summed_documents(RunId(1)).expect("read"), None);
        store.save_summed_documents(RunId(1), &documents).expect("saved");
        assert_eq!(store.summed_documents(RunId(1)).expect("read"), Some(documents));
        store.delete_runs(&[RunId(1)]).expect("deleted");
        let sql = "SELECT (SELECT count(*) FROM matrix) + (SELECT count(*) FROM matrix_chunk)";
        let left: i64 = store.scalar(sql, []).expect("counted");
        assert_eq!(left, 0);
    }

    #[test]
    fn a_damaged_checkpoint_and_one_of_another_version_are_treated_as_missing() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut store = with_a_run(directory.path());
        let stage = Stage {
            name: "factorise".into(),
            seconds: Some(2.5),
            steps: Some(9),
            residual: Some(1e-5),
            note: Some("residual".into()),
        };
        let saved = Checkpoint { stage, arrays: vec![array![[1.5, -0.0], [3.0, 4.0]]] };
        store.save_checkpoint(RunId(1), &saved).expect("save");
        assert_eq!(store.checkpoint(RunId(1), "factorise").expect("read"), Some(saved));
        assert_eq!(store.checkpoint(RunId(1), "rectify").expect("read"), None);
        let damage = "UPDATE matrix_chunk SET data = zeroblob(length(data))";
        let other = "UPDATE run_checkpoint SET program_version = '0.0.1'";
        for harm in [damage, other, "DELETE FROM matrix"] {
            store.execute_batch("SAVEPOINT harm").expect("savepoint");
            store.execute_batch(harm).expect("harm");
            assert_eq!(store.checkpoint(RunId(1), "factorise").expect("read"), None);
            store.execute_batch("ROLLBACK TO harm; RELEASE harm").expect("rollback");
        }
        assert!(store.checkpoint(RunId(1), "factorise").expect("read").is_some());
    }
}
