//! What finished stages of a run leave for the stages after them.
//!
//! What is damaged, or was written by another version of the program, counts as not there: a stage
//! can always be done again.

use ndarray::Array2;

use super::matrix::MatricesOf;
use super::progress::Stage;
use crate::store::Store;
use crate::store::error::Result;

/// A finished stage and what it left.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Duration, steps and residual of the stage.
    pub stage: Stage,
    /// What later stages need of it.
    pub arrays: Vec<Array2<f64>>,
}

impl Store {
    /// Saves what a stage of a run that is running left, in place of what was there for it; one
    /// that is over needs it no more.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn save_checkpoint(&mut self, run: i64, checkpoint: &Checkpoint) -> Result<()> {
        let Checkpoint { stage, arrays } = checkpoint;
        let of = MatricesOf::checkpoint(run, &stage.name);
        self.transaction(|store| {
            let saved = store.execute(
                "INSERT OR REPLACE INTO run_checkpoint (run_id, stage, seconds, steps, residual, \
                 note, program_version, matrices) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 \
                 FROM run WHERE id = ?1 AND status = 'running'",
                (
                    run,
                    &stage.name,
                    stage.seconds,
                    stage.steps.map(|steps| steps as i64),
                    stage.residual,
                    &stage.note,
                    env!("CARGO_PKG_VERSION"),
                    arrays.len() as i64,
                ),
            )?;
            if saved == 0 {
                return Ok(());
            }
            store.delete_matrices(of)?;
            let mut arrays = arrays.iter().enumerate();
            arrays.try_for_each(|(position, array)| store.save_matrix(of, position, array.view()))
        })
    }

    /// What a stage of a run left; `None` when there is nothing that this program can go on from.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn checkpoint(&self, run: i64, stage: &str) -> Result<Option<Checkpoint>> {
        let mut rows = self.rows(
            "SELECT stage AS name, seconds, steps, residual, note, matrices FROM run_checkpoint \
             WHERE run_id = ?1 AND stage = ?2 AND program_version = ?3",
            (run, stage, env!("CARGO_PKG_VERSION")),
            |row| Ok((Stage::from_row(row)?, row.get::<_, usize>("matrices")?)),
        )?;
        let Some((stage, matrices)) = rows.pop() else { return Ok(None) };
        let arrays = self.matrices(MatricesOf::checkpoint(run, &stage.name))?;
        let whole = arrays.filter(|arrays| arrays.len() == matrices);
        Ok(whole.map(|arrays| Checkpoint { stage, arrays }))
    }

    /// Deletes what the stages of a run left.
    pub(crate) fn delete_checkpoints(&self, run: i64) -> Result<()> {
        self.execute("DELETE FROM matrix WHERE run_id = ?1 AND purpose = 'checkpoint'", [run])?;
        self.execute("DELETE FROM run_checkpoint WHERE run_id = ?1", [run]).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Access;
    use ndarray::array;

    #[test]
    fn a_damaged_checkpoint_and_one_of_another_version_count_as_not_there() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        store
            .execute_batch(
                "INSERT INTO corpus (name, created_at, settings) VALUES ('c', '', '{}');
                 INSERT INTO run (corpus_id, model, k, seed, settings, status, created_at, \
                 program_version) VALUES (1, 'lr-jsmf', 2, 1, '{}', 'running', '', '');",
            )
            .expect("rows");
        let stage = Stage {
            name: "factorise".into(),
            seconds: Some(2.5),
            steps: Some(9),
            residual: Some(1e-5),
            note: Some("residual".into()),
        };
        let saved = Checkpoint { stage, arrays: vec![array![[1.5, -0.0], [3.0, 4.0]]] };
        store.save_checkpoint(1, &saved).expect("save");
        assert_eq!(store.checkpoint(1, "factorise").expect("read"), Some(saved));
        assert_eq!(store.checkpoint(1, "rectify").expect("read"), None);
        let damage = "UPDATE matrix_chunk SET data = zeroblob(length(data))";
        let other = "UPDATE run_checkpoint SET program_version = '0.0.1'";
        for harm in [damage, other, "DELETE FROM matrix"] {
            store.execute_batch("SAVEPOINT harm").expect("savepoint");
            store.execute_batch(harm).expect("harm");
            assert_eq!(store.checkpoint(1, "factorise").expect("read"), None);
            store.execute_batch("ROLLBACK TO harm; RELEASE harm").expect("rollback");
        }
        assert!(store.checkpoint(1, "factorise").expect("read").is_some());
    }
}
