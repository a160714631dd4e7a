//! Matrices in single precision: rows and columns as `u64`, then the entries row by row as `f32`, all
//! little-endian. Rows of the store that were written before entries were halved have them as `f64`.

use ndarray::{Array2, ArrayView2};

/// The matrix as bytes.
pub(crate) fn pack_single(matrix: ArrayView2<'_, f32>) -> Vec<u8> {
    let mut data = Vec::with_capacity(16 + 4 * matrix.len());
    for size in [matrix.nrows(), matrix.ncols()] {
        data.extend_from_slice(&(size as u64).to_le_bytes());
    }
    data.extend(matrix.iter().flat_map(|entry| entry.to_le_bytes()));
    data
}

/// The matrix of these bytes; `None` where they are none.
pub(crate) fn unpack_single(data: &[u8]) -> Option<Array2<f64>> {
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
    use crate::store::run::checkpoint::pack;
    use ndarray::array;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_unpacked_or_refused(data in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack_single(&data);
        }
    }

    #[test]
    fn entries_of_both_sizes_are_read_and_other_bytes_are_not() {
        let wide = array![[1.5, -2.0, 0.25], [3.0, 0.0, 1e-3]];
        let old = pack(std::slice::from_ref(&wide));
        assert_eq!(unpack_single(&old), Some(wide.clone()));
        let halved = wide.mapv(|entry| entry as f32);
        let new = pack_single(halved.view());
        assert_eq!(new.len(), 16 + 4 * 6);
        assert_eq!(unpack_single(&new), Some(halved.mapv(f64::from)));
        assert!(unpack_single(&new[..20]).is_none() && unpack_single(&new[..9]).is_none());
    }
}
