//! What a later run of a corpus can start from.

use ndarray::Array2;

use super::single::{pack_single, unpack_single};
use crate::store::Store;
use crate::store::error::Result;

const SAVE: &str = "INSERT INTO run_basis (run_id, data) VALUES (?1, ?2)";
const READ: &str = "SELECT data FROM run_basis WHERE run_id = ?1";

impl Store {
    pub(crate) fn insert_basis(&self, run: i64, basis: &Array2<f32>) -> Result<()> {
        let data = pack_single(basis.view());
        self.execute(SAVE, (run, data)).map(|_| ())
    }

    /// The vectors that a run's factorisation came to, a row for each term of its vocabulary; `None`
    /// for a run that saved none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn basis(&self, run: i64) -> Result<Option<Array2<f64>>> {
        let data: Vec<Vec<u8>> = self.rows(READ, [run], |row| row.get(0))?;
        Ok(data.first().and_then(|data| unpack_single(data)))
    }
}
