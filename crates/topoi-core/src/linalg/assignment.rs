//! The assignment problem: a one-to-one matching of rows and columns with the largest sum.
//!
//! Written by hand: of equally good matchings a crate may choose another in its next version, and saved comparisons must
//! not change.

use ndarray::{Array2, ArrayView2};

/// The column of every row in the one-to-one assignment with the largest total gain. `gains` is R ×
/// C, and min(R, C) rows get a column.
///
/// # Cost
/// O(min(R, C)² · max(R, C)) time, O(R + C) memory.
///
/// # Source
/// The Hungarian method (Kuhn 1955; Munkres 1957) as shortest augmenting paths with potentials
/// (Jonker and Volgenant 1987).
///
/// # Panics
/// When a gain is not finite.
pub fn assignment(gains: &Array2<f64>) -> Vec<Option<usize>> {
    assert!(gains.iter().all(|gain| gain.is_finite()), "gains are finite");
    let (rows, columns) = gains.dim();
    if rows <= columns {
        return columns_of_rows(gains.view()).into_iter().map(Some).collect();
    }
    let mut found = vec![None; rows];
    for (column, row) in columns_of_rows(gains.t()).into_iter().enumerate() {
        found[row] = Some(column);
    }
    found
}

/// State of the augmenting-path method. Rows are assigned one after another, each along the
/// cheapest path of exchanges.
struct Matching {
    row_potentials: Vec<f64>,
    /// C + 1 potentials. The last belongs to the row that is being assigned.
    column_potentials: Vec<f64>,
    row_of_column: Vec<Option<usize>>,
}

/// The assignment for R ≤ C.
fn columns_of_rows(gains: ArrayView2<'_, f64>) -> Vec<usize> {
    let (rows, columns) = gains.dim();
    let mut matching = Matching {
        row_potentials: vec![0.0; rows],
        column_potentials: vec![0.0; columns + 1],
        row_of_column: vec![None; columns + 1],
    };
    for row in 0..rows {
        matching.assign(gains, row);
    }
    let mut found = vec![0; rows];
    for (column, row) in matching.row_of_column[..columns].iter().enumerate() {
        if let Some(row) = row {
            found[*row] = column;
        }
    }
    found
}

impl Matching {
    fn assign(&mut self, gains: ArrayView2<'_, f64>, row: usize) {
        let columns = gains.ncols();
        let mut cheapest = vec![f64::INFINITY; columns];
        let mut before = vec![columns; columns];
        let mut visited = vec![false; columns + 1];
        let mut at = columns;
        self.row_of_column[at] = Some(row);
        while let Some(from) = self.row_of_column[at] {
            visited[at] = true;
            let (mut step, mut next) = (f64::INFINITY, at);
            for column in (0..columns).filter(|&column| !visited[column]) {
                let reduced = -gains[(from, column)]
                    - self.row_potentials[from]
                    - self.column_potentials[column];
                if reduced < cheapest[column] {
                    (cheapest[column], before[column]) = (reduced, at);
                }
                if cheapest[column] < step {
                    (step, next) = (cheapest[column], column);
                }
            }
            self.update_potentials(&visited, &mut cheapest, step);
            at = next;
        }
        // Back along the path, every column takes the row of the one before it.
        while at != columns {
            self.row_of_column[at] = self.row_of_column[before[at]];
            at = before[at];
        }
        self.row_of_column[columns] = None;
    }

    /// Updates the potentials so that one more column is reached at no cost.
    fn update_potentials(&mut self, visited: &[bool], cheapest: &mut [f64], step: f64) {
        for (column, &visited) in visited.iter().enumerate() {
            match self.row_of_column[column] {
                Some(row) if visited => {
                    self.row_potentials[row] += step;
                    self.column_potentials[column] -= step;
                }
                _ if column < cheapest.len() => cheapest[column] -= step,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The largest total over all ways to give distinct columns to the rows from `row` on.
    fn best_total(gains: &Array2<f64>, row: usize, taken: &mut Vec<bool>, spare: usize) -> f64 {
        if row == gains.nrows() {
            return 0.0;
        }
        let mut best = f64::NEG_INFINITY;
        if spare > 0 {
            best = best_total(gains, row + 1, taken, spare - 1);
        }
        for column in 0..gains.ncols() {
            if !taken[column] {
                taken[column] = true;
                let rest = best_total(gains, row + 1, taken, spare);
                best = best.max(gains[(row, column)] + rest);
                taken[column] = false;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_other_assignment_gains_more(
            rows in 1usize..7,
            columns in 1usize..7,
            values in prop::collection::vec(-4i8..5, 36),
        ) {
            // Few different values, so that there are many ties.
            let gains = Array2::from_shape_fn((rows, columns), |(i, j)| {
                f64::from(values[i * 6 + j]) / 4.0
            });
            let found = assignment(&gains);
            let mut taken = vec![false; columns];
            let mut total = 0.0;
            for (row, column) in found.iter().enumerate() {
                if let Some(column) = *column {
                    prop_assert!(!std::mem::replace(&mut taken[column], true));
                    total += gains[(row, column)];
                }
            }
            prop_assert_eq!(taken.iter().filter(|&&taken| taken).count(), rows.min(columns));
            let spare = rows.saturating_sub(columns);
            let best = best_total(&gains, 0, &mut vec![false; columns], spare);
            prop_assert!((total - best).abs() < 1e-12, "{} < {}", total, best);
        }

        #[test]
        fn a_permutation_is_found_again(order in Just((0..40).collect::<Vec<usize>>()).prop_shuffle()) {
            let gains = Array2::from_shape_fn((40, 40), |(i, j)| {
                if order[i] == j { 1.0 } else { ((i * 7 + j * 3) % 10) as f64 / 20.0 }
            });
            let found: Vec<usize> = assignment(&gains).into_iter().flatten().collect();
            prop_assert_eq!(found, order);
        }
    }

    #[test]
    fn nothing_is_assigned_where_there_is_nothing() {
        assert_eq!(assignment(&Array2::zeros((0, 3))), []);
        assert_eq!(assignment(&Array2::zeros((2, 0))), [None, None]);
    }
}
