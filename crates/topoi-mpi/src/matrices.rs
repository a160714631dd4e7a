//! Matrices as the bytes that parts send to each other.

use ndarray::Array2;

/// The matrices as bytes: for each, its rows and columns as `u64` and its entries row by row as `f64`, little-endian.
pub(super) fn pack(arrays: &[Array2<f64>]) -> Vec<u8> {
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

/// The inverse of [`pack`]; `None` for other bytes.
pub(super) fn unpack(mut data: &[u8]) -> Option<Vec<Array2<f64>>> {
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
    use proptest::prelude::*;

    fn bits(arrays: &[Array2<f64>]) -> Vec<((usize, usize), Vec<u64>)> {
        let of = |array: &Array2<f64>| (array.dim(), array.iter().map(|x| x.to_bits()).collect());
        arrays.iter().map(of).collect()
    }

    proptest! {
        #[test]
        fn unpacked_matrices_are_those_that_were_packed_to_the_bit(
            entries in proptest::collection::vec(any::<u64>().prop_map(f64::from_bits), 0..60),
            columns in 1usize..5,
        ) {
            let rows = entries.len() / columns;
            let entries = entries[..rows * columns].to_vec();
            let matrix = Array2::from_shape_vec((rows, columns), entries).expect("a shape");
            // A transposed matrix is column-major in memory, and is packed row by row.
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
}
