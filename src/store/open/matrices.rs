//! The step of migration 15 that SQL cannot do: matrices of earlier stores, whose layouts were
//! several, into the table `matrix`.

use rusqlite::{Connection, Transaction};
use rusqlite_migration::HookResult;

use crate::store::run::matrix::{MatricesOf, MatrixWriter};

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
