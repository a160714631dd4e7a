//! What finished stages of a run leave for the stages after them.
//!
//! `run_checkpoint.data` holds a stage's matrices one after the other: rows and columns as `u64`,
//! then the entries row by row as `f64`, all little-endian. Anything that does not fit the layout
//! or its hash, or was written by another version of the program, counts as not there: a stage
//! can always be done again.

use ndarray::Array2;

use super::progress::Stage;
use crate::store::Store;
use crate::store::error::Result;

/// A finished stage and what it left.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// How the stage went.
    pub stage: Stage,
    /// What later stages need of it.
    pub arrays: Vec<Array2<f64>>,
}

impl Store {
    /// Saves what a stage of a run that is running left, in place of what was there for it; one
    /// that is over needs it no more.
    ///
    /// # Errors
    /// When the store cannot be written, or the arrays take more than SQLite's 10⁹ bytes.
    pub fn save_checkpoint(&self, run: i64, checkpoint: &Checkpoint) -> Result<()> {
        let Checkpoint { stage, arrays } = checkpoint;
        let data = pack(arrays);
        self.execute(
            "INSERT OR REPLACE INTO run_checkpoint (run_id, stage, seconds, steps, residual, \
             note, program_version, hash, data) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 \
             FROM run WHERE id = ?1 AND status = 'running'",
            (
                run,
                &stage.name,
                stage.seconds,
                stage.steps.map(|steps| steps as i64),
                stage.residual,
                &stage.note,
                env!("CARGO_PKG_VERSION"),
                hash(&data),
                &data,
            ),
        )?;
        Ok(())
    }

    /// What a stage of a run left; `None` when there is nothing that this program can go on from.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn checkpoint(&self, run: i64, stage: &str) -> Result<Option<Checkpoint>> {
        let mut rows = self.rows(
            "SELECT stage, seconds, steps, residual, note, hash, data FROM run_checkpoint \
             WHERE run_id = ?1 AND stage = ?2 AND program_version = ?3",
            (run, stage, env!("CARGO_PKG_VERSION")),
            |row| {
                let stage = Stage {
                    name: row.get(0)?,
                    seconds: row.get(1)?,
                    steps: row.get(2)?,
                    residual: row.get(3)?,
                    note: row.get(4)?,
                };
                let data = row.get_ref(6)?.as_blob()?;
                let is_whole = row.get_ref(5)?.as_blob()? == hash(data).as_slice();
                let arrays = is_whole.then(|| unpack(data)).flatten();
                Ok(arrays.map(|arrays| Checkpoint { stage, arrays }))
            },
        )?;
        Ok(rows.pop().flatten())
    }
}

fn hash(data: &[u8]) -> Vec<u8> {
    blake3::hash(data).as_bytes()[..16].to_vec()
}

/// The matrices as bytes.
pub fn pack(arrays: &[Array2<f64>]) -> Vec<u8> {
    let bytes = arrays.iter().map(|array| 16 + 8 * array.len()).sum();
    let mut data = Vec::with_capacity(bytes);
    for array in arrays {
        let (rows, columns) = array.dim();
        data.extend_from_slice(&(rows as u64).to_le_bytes());
        data.extend_from_slice(&(columns as u64).to_le_bytes());
        for entry in array {
            data.extend_from_slice(&entry.to_le_bytes());
        }
    }
    data
}

/// The matrices that [`pack`] made these bytes of; `None` for other bytes.
pub fn unpack(mut data: &[u8]) -> Option<Vec<Array2<f64>>> {
    let mut arrays = Vec::new();
    while !data.is_empty() {
        let rows = usize::try_from(u64::from_le_bytes(take(&mut data)?)).ok()?;
        let columns = usize::try_from(u64::from_le_bytes(take(&mut data)?)).ok()?;
        let bytes = rows.checked_mul(columns)?.checked_mul(8)?;
        let (entries, rest) = data.split_at_checked(bytes)?;
        let (entries, _) = entries.as_chunks::<8>();
        let entries = entries.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        arrays.push(Array2::from_shape_vec((rows, columns), entries).ok()?);
        data = rest;
    }
    Some(arrays)
}

fn take(data: &mut &[u8]) -> Option<[u8; 8]> {
    let (first, rest) = data.split_first_chunk::<8>()?;
    *data = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Access;
    use ndarray::array;
    use proptest::prelude::*;

    fn bits(arrays: &[Array2<f64>]) -> Vec<((usize, usize), Vec<u64>)> {
        let of = |array: &Array2<f64>| (array.dim(), array.iter().map(|x| x.to_bits()).collect());
        arrays.iter().map(of).collect()
    }

    proptest! {
        #[test]
        fn matrices_come_back_to_the_bit(
            entries in proptest::collection::vec(any::<u64>().prop_map(f64::from_bits), 0..60),
            columns in 1usize..5,
        ) {
            let rows = entries.len() / columns;
            let entries = entries[..rows * columns].to_vec();
            let matrix = Array2::from_shape_vec((rows, columns), entries).expect("a shape");
            // A transposed matrix lies column by column in memory; it is saved row by row.
            let arrays = [matrix.t().to_owned(), matrix.clone(), Array2::zeros((0, 3))];
            let found = unpack(&pack(&arrays)).expect("packed by us");
            prop_assert_eq!(bits(&found), bits(&arrays));
            prop_assert!(found.iter().all(|array| array.is_standard_layout()));
        }

        #[test]
        fn any_bytes_are_unpacked_or_refused(data in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = unpack(&data);
        }
    }

    #[test]
    fn a_damaged_checkpoint_and_one_of_another_version_count_as_not_there() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
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
        let damage = "UPDATE run_checkpoint SET data = zeroblob(length(data))";
        for harm in [damage, "UPDATE run_checkpoint SET program_version = '0.0.1'"] {
            store.execute_batch("SAVEPOINT harm").expect("savepoint");
            store.execute_batch(harm).expect("harm");
            assert_eq!(store.checkpoint(1, "factorise").expect("read"), None);
            store.execute_batch("ROLLBACK TO harm; RELEASE harm").expect("rollback");
        }
        assert!(store.checkpoint(1, "factorise").expect("read").is_some());
    }
}
