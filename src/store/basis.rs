//! What a later run of a corpus can start from.
//!
//! `run_basis.data` holds rows and columns as `u64`, then the entries row by row as `f32`, all
//! little-endian; as `f64` in rows that were written before entries were halved.

use ndarray::Array2;

use super::Store;
use super::error::Result;

const SAVE: &str = "INSERT INTO run_basis (run_id, data) VALUES (?1, ?2)";
const READ: &str = "SELECT data FROM run_basis WHERE run_id = ?1";

impl Store {
    pub(super) fn insert_basis(&self, run: i64, basis: &Array2<f32>) -> Result<()> {
        let (rows, columns) = basis.dim();
        let mut data = Vec::with_capacity(16 + 4 * basis.len());
        data.extend_from_slice(&(rows as u64).to_le_bytes());
        data.extend_from_slice(&(columns as u64).to_le_bytes());
        data.extend(basis.iter().flat_map(|entry| entry.to_le_bytes()));
        self.execute(SAVE, (run, data)).map(|_| ())
    }

    /// The vectors that a run's factorisation came to, a row for each term of its vocabulary; `None`
    /// for a run that saved none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn basis(&self, run: i64) -> Result<Option<Array2<f64>>> {
        let data: Vec<Vec<u8>> = self.rows(READ, [run], |row| row.get(0))?;
        Ok(data.first().and_then(|data| unpacked(data)))
    }
}

/// The matrix of these bytes; `None` where they are none.
fn unpacked(data: &[u8]) -> Option<Array2<f64>> {
    let (rows, data) = data.split_first_chunk()?;
    let (columns, data) = data.split_first_chunk()?;
    let rows = usize::try_from(u64::from_le_bytes(*rows)).ok()?;
    let columns = usize::try_from(u64::from_le_bytes(*columns)).ok()?;
    let entries = if data.len() == rows.checked_mul(columns)?.checked_mul(4)? {
        data.as_chunks().0.iter().map(|&entry| f64::from(f32::from_le_bytes(entry))).collect()
    } else {
        data.as_chunks().0.iter().map(|&entry| f64::from_le_bytes(entry)).collect()
    };
    Array2::from_shape_vec((rows, columns), entries).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::checkpoint::pack;
    use ndarray::array;

    #[test]
    fn entries_of_both_sizes_are_read_and_other_bytes_are_not() {
        let wide = array![[1.5, -2.0, 0.25], [3.0, 0.0, 1e-3]];
        let old = pack(std::slice::from_ref(&wide));
        assert_eq!(unpacked(&old), Some(wide.clone()));
        let halved = wide.iter().flat_map(|&entry| (entry as f32).to_le_bytes());
        let new: Vec<u8> = old[..16].iter().copied().chain(halved).collect();
        assert_eq!(unpacked(&new), Some(wide.mapv(|entry| f64::from(entry as f32))));
        assert!(unpacked(&new[..20]).is_none() && unpacked(&new[..9]).is_none());
    }
}
