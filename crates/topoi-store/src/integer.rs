//! Numbers as SQLite's integers, which have a sign and 64 bits.
//!
//! Numbers that are written need none of this, as rusqlite refuses what does not fit. It also refuses to read a negative
//! number as an unsigned one.

use rusqlite::Row;

/// A number to look for or to limit rows by. What does not fit is the largest integer, which no row has and no limit
/// reaches.
pub(crate) fn saturated(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A whole number that is saved as a real one; `None` for any other. Real numbers are exact up to 2⁵³.
#[expect(clippy::cast_possible_truncation, reason = "whole numbers of this size are exact")]
pub(crate) fn from_real(number: f64) -> Option<i64> {
    let is_exact = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    is_exact.then_some(number as i64)
}

/// A sum by SQLite's `total`, which is a real number, as that of `sum` ends with an error where it does not fit.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 or more, and what is too large becomes the largest"
)]
pub(crate) fn total(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let total: f64 = row.get(column)?;
    match total >= 0.0 {
        true => Ok(total as u64),
        false => Err(rusqlite::Error::IntegralValueOutOfRange(column, total as i64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_damaged_store_do_not_wrap() {
        assert_eq!([3, u64::MAX].map(saturated), [3, i64::MAX]);
        let read = [7.0, -7.0, 0.5, f64::NAN, 1e300].map(from_real);
        assert_eq!(read, [Some(7), Some(-7), None, None, None]);
        let connection = rusqlite::Connection::open_in_memory().expect("open");
        let sum = |sql: &str| connection.query_row(sql, [], |row| total(row, 0));
        assert_eq!(sum("SELECT 12.0").ok(), Some(12));
        assert_eq!(sum("SELECT 1e300").ok(), Some(u64::MAX));
        assert!(sum("SELECT -5.0").is_err());
    }
}
