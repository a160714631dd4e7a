//! Points from a file: CSV, or Matrix Market with a point per row.

use std::path::{Path, PathBuf};

use ndarray::Array2;

use super::formats::counts::matrix_market::BANNER;
use super::source::lines_of;

/// Maximum number of numbers in a file of points: 2 GB in memory.
const MAX_NUMBERS: usize = 1 << 28;
/// Maximum number of matrix entries per byte of a sparse file.
const MAX_ENTRIES_PER_BYTE: usize = 1000;

/// Why a file is not a file of points.
#[derive(Debug, thiserror::Error)]
pub enum PointsError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// It holds something else.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What was expected and found.
        problem: String,
    },
}

/// A line and its error.
type LineProblem = (u64, String);

/// Reads N × m points: from a Matrix Market file (`coordinate` or `array`, real or integer, general),
/// recognised by its banner, or from CSV, whose first line may name the columns.
///
/// # Errors
/// [`PointsError::File`]; [`PointsError::Line`], with the line.
pub fn read_points(path: &Path) -> Result<Array2<f64>, PointsError> {
    let file = |source| PointsError::File { path: path.into(), source };
    let text = std::fs::read(path).map_err(file)?;
    let found =
        if text.starts_with(BANNER) { matrix_market(&text) } else { comma_separated(&text) };
    found.map_err(|(line, problem)| PointsError::Line { path: path.into(), line, problem })
}

fn comma_separated(text: &[u8]) -> Result<Array2<f64>, LineProblem> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let (mut numbers, mut columns, mut rows) = (Vec::new(), None, 0);
    for (at, record) in reader.records().enumerate() {
        let record = record.map_err(|e| (at as u64 + 1, e.to_string()))?;
        let line = record.position().map_or(at as u64 + 1, csv::Position::line);
        let parsed: Result<Vec<f64>, LineProblem> =
            record.iter().map(|cell| number(line, cell)).collect();
        let row = match parsed {
            // Column names.
            Err(_) if at == 0 && record.iter().all(|cell| number(1, cell).is_err()) => continue,
            other => other?,
        };
        let width = *columns.get_or_insert(row.len());
        if row.len() != width {
            return Err((line, format!("expected {width} numbers, found {}", row.len())));
        }
        rows += 1;
        numbers.extend(row);
    }
    let columns = columns.ok_or((1, "expected lines of numbers, found none".to_string()))?;
    Array2::from_shape_vec((rows, columns), numbers).map_err(|e| (1, e.to_string()))
}

fn number(line: u64, cell: &str) -> Result<f64, LineProblem> {
    let parsed = cell.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    parsed.ok_or_else(|| {
        let cell: String = cell.chars().take(30).collect();
        (line, format!("expected a number, found {cell:?}"))
    })
}

fn matrix_market(text: &[u8]) -> Result<Array2<f64>, LineProblem> {
    let text = String::from_utf8_lossy(text);
    let mut lines = (1u64..).zip(lines_of(&text));
    let banner = lines.next().map(|(_, line)| line.to_ascii_lowercase()).unwrap_or_default();
    let words: Vec<&str> = banner.split_ascii_whitespace().collect();
    let dense = match words[..] {
        [_, "matrix", "coordinate", "real" | "integer", "general"] => false,
        [_, "matrix", "array", "real" | "integer", "general"] => true,
        _ => {
            let problem = "expected a real or integer general matrix, coordinate or array";
            return Err((1, problem.into()));
        }
    };
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('%'));
    let (line, sizes) = lines.next().ok_or((1, "expected the matrix's sizes".to_string()))?;
    let sizes = whole_numbers(line, sizes)?;
    let (rows, columns, entries) = match (dense, &sizes[..]) {
        (true, &[rows, columns]) => (rows, columns, rows.saturating_mul(columns)),
        (false, &[rows, columns, entries]) => (rows, columns, entries),
        _ => return Err((line, "expected the numbers of rows, columns (and entries)".into())),
    };
    // A sparse file omits zeros, but not any number of them.
    let zeros_of_each = if dense { 1 } else { MAX_ENTRIES_PER_BYTE };
    let most = text.len().saturating_mul(zeros_of_each).min(MAX_NUMBERS);
    if rows.max(1).saturating_mul(columns.max(1)) > most {
        let problem =
            format!("{rows} × {columns} numbers are more than 2 GB, or than the file has");
        return Err((line, problem));
    }
    let mut points = Array2::zeros((rows, columns));
    let (mut found, mut last) = (0, line);
    for (line, entry) in lines {
        let (at, value) = if dense {
            // Column-major order.
            ((found % rows.max(1), found / rows.max(1)), number(line, entry)?)
        } else {
            coordinate(line, entry)?
        };
        let place = points.get_mut(at).filter(|_| found < entries);
        *place
            .ok_or_else(|| (line, format!("an entry outside the {rows} × {columns} matrix")))? =
            value;
        (found, last) = (found + 1, line);
    }
    if found < entries {
        return Err((last, format!("expected {entries} entries, found {found}")));
    }
    Ok(points)
}

/// Parses a line `row column value`, counted from 1; row and column are returned counted from 0.
fn coordinate(line: u64, entry: &str) -> Result<((usize, usize), f64), LineProblem> {
    let cells: Vec<&str> = entry.split_ascii_whitespace().collect();
    let [row, column, value] = cells[..] else {
        return Err((line, "expected row, column and value".into()));
    };
    let at = whole_numbers(line, &format!("{row} {column}"))?;
    // 0 becomes an index outside every matrix.
    Ok(((at[0].wrapping_sub(1), at[1].wrapping_sub(1)), number(line, value)?))
}

fn whole_numbers(line: u64, text: &str) -> Result<Vec<usize>, LineProblem> {
    let wrong = |cell: &str| (line, format!("expected a whole number, found {cell:?}"));
    text.split_ascii_whitespace().map(|cell| cell.parse().map_err(|_| wrong(cell))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    fn wrong(text: &str) -> String {
        let found = if text.starts_with("%%") {
            matrix_market(text.as_bytes())
        } else {
            comma_separated(text.as_bytes())
        };
        let (line, problem) = found.expect_err("no points");
        format!("{line}: {problem}")
    }

    #[test]
    fn the_three_ways_to_write_points_are_the_same() {
        let expected = array![[1.0, -2.5], [0.0, 3e2], [4.0, 0.0]];
        let named = comma_separated(b"x,y\n1,-2.5\n0, 3e2\n4,0\n").expect("points");
        assert_eq!(named, expected);
        let array =
            b"%%MatrixMarket matrix array real general\n% remark\n3 2\n1\n0\n4\n-2.5\n300\n0\n";
        assert_eq!(matrix_market(array).expect("points"), expected);
        let sparse = b"%%MatrixMarket matrix coordinate real general\n3 2 4\n1 1 1\n2 2 300\n1 2 -2.5\n3 1 4\n";
        assert_eq!(matrix_market(sparse).expect("points"), expected);
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        assert_eq!(wrong("1,2\n3\n"), "2: expected 2 numbers, found 1");
        assert_eq!(wrong("1,2\n3,x\n"), "2: expected a number, found \"x\"");
        assert_eq!(wrong("a,1\n"), "1: expected a number, found \"a\"");
        assert_eq!(wrong("x,y\n1,inf\n"), "2: expected a number, found \"inf\"");
        assert_eq!(wrong(""), "1: expected lines of numbers, found none");
        let head = "%%MatrixMarket matrix coordinate real general\n2 2 2\n";
        assert_eq!(wrong(&format!("{head}0 1 5\n")), "3: an entry outside the 2 × 2 matrix");
        assert_eq!(wrong(&format!("{head}1 1 5\n")), "3: expected 2 entries, found 1");
        for sizes in ["20000 10000 1", "0 18446744073709551615 0", "18446744073709551615 0 0"] {
            let said = wrong(&format!("%%MatrixMarket matrix coordinate real general\n{sizes}\n"));
            assert!(said.starts_with("2: ") && said.ends_with("or than the file has"), "{said}");
        }
        assert!(
            wrong("%%MatrixMarket matrix coordinate pattern general\n")
                .starts_with("1: expected a real")
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parsers_panic(bytes: Vec<u8>, text in "([0-9 .e-]{0,12}\n){0,10}") {
            let _ = comma_separated(&bytes);
            let _ = matrix_market(&bytes);
            let head = "%%MatrixMarket matrix coordinate real general\n";
            let _ = matrix_market(format!("{head}{text}").as_bytes());
        }
    }
}
