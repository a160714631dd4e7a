//! Extreme rows of a matrix: column-pivoted QR of its transpose, one row at a time.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rayon::prelude::*;

/// Rows chosen by pivoting, and their distances from the span of those before them.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtremeRows {
    /// Row numbers in the order they were chosen.
    pub rows: Vec<usize>,
    /// For each row, the norm of its component orthogonal to the rows before it: |R_kk| of the QR.
    pub distances: Vec<f64>,
}

/// The first `k` pivots of column-pivoted QR on Xᵀ, for X of n × p. Each pivot is the row farthest
/// from the span of the rows chosen so far; ties go to the lower row number.
///
/// Residual rows are kept and their norms are computed anew in every step, so rounding never makes
/// a row seem far. Returns fewer than `k` rows when X has a lower rank (to 1e-13 of its largest
/// row). Costs 4·n·p·k flops and memory n·p.
///
/// # Source
/// Lee et al. 2021, algorithms 1 and 5 (anchor words); Golub and Van Loan, §5.4.2.
pub fn extreme_rows(x: &Array2<f64>, k: usize) -> ExtremeRows {
    extreme_rows_given(x, &Array2::zeros((0, x.ncols())), k)
}

/// [`extreme_rows`] as if the rows `given` (g × p) had been chosen first. Costs 4·n·p·g flops more.
pub fn extreme_rows_given(x: &Array2<f64>, given: &Array2<f64>, k: usize) -> ExtremeRows {
    let mut residual = x.to_owned();
    // Rounding leaves far less than this of rows in the span of `given`.
    let floor = match given.is_empty() {
        true => 0.0,
        false => x.rows().into_iter().map(|row| row.dot(&row)).fold(0.0, f64::max) * 1e-26,
    };
    for direction in orthogonal_directions(given) {
        project_out(&mut residual, &direction);
    }
    let mut found = ExtremeRows { rows: Vec::new(), distances: Vec::new() };
    found.add_pivots(residual, k, floor);
    found
}

/// As [`extreme_rows`], with distances from the affine hull of the rows chosen so far instead of
/// their span. The first row is the one farthest from the origin.
///
/// # Source
/// Arora et al. 2013, algorithm 4 (FastAnchorWords). As in the authors' program, the first point
/// becomes the origin.
pub fn affinely_extreme_rows(x: &Array2<f64>, k: usize) -> ExtremeRows {
    let mut found = extreme_rows(x, k.min(1));
    if let Some(&first) = found.rows.first() {
        let origin = x.row(first).insert_axis(Axis(0));
        found.add_pivots(x - &origin, k - 1, 0.0);
    }
    found
}

impl ExtremeRows {
    /// The same rows renumbered: row r becomes `numbers[r]`, its number in a larger matrix.
    pub fn renumbered(mut self, numbers: &[usize]) -> Self {
        self.rows.iter_mut().for_each(|row| *row = numbers[*row]);
        self
    }

    /// Adds up to `k` pivots: each time the largest row of `residual`, which is then projected out.
    fn add_pivots(&mut self, mut residual: Array2<f64>, k: usize, mut floor: f64) {
        for _ in 0..k {
            let norms: Vec<f64> =
                residual.axis_iter(Axis(0)).into_par_iter().map(|row| row.dot(&row)).collect();
            let Some((row, norm)) = first_largest(&norms) else { break };
            floor = f64::max(floor, norm * 1e-26);
            if norm <= floor {
                break;
            }
            let direction: Array1<f64> = &residual.row(row) / norm.sqrt();
            project_out(&mut residual, &direction);
            self.rows.push(row);
            self.distances.push(norm.sqrt());
        }
    }
}

/// Removes the component along `direction`, a unit vector, from every row.
fn project_out(rows: &mut Array2<f64>, direction: &Array1<f64>) {
    rows.axis_iter_mut(Axis(0)).into_par_iter().for_each(|mut row| {
        let share = row.dot(direction);
        row.scaled_add(-share, direction);
    });
}

/// An orthonormal basis of the span of the rows. Rows that depend on those before them are skipped.
fn orthogonal_directions(rows: &Array2<f64>) -> Vec<Array1<f64>> {
    let mut found: Vec<Array1<f64>> = Vec::new();
    for row in rows.rows() {
        let rest = orthogonal_part(row, &found);
        let norm = rest.dot(&rest);
        if norm > row.dot(&row) * 1e-26 {
            found.push(rest / norm.sqrt());
        }
    }
    found
}

/// The component of `row` orthogonal to the orthonormal `directions`.
fn orthogonal_part(row: ArrayView1<'_, f64>, directions: &[Array1<f64>]) -> Array1<f64> {
    let mut rest = row.to_owned();
    // Two rounds are enough (Giraud, Langou and Rozložník 2005).
    for _ in 0..2 {
        for direction in directions {
            let share = rest.dot(direction);
            rest.scaled_add(-share, direction);
        }
    }
    rest
}

/// The first row whose distance from the span of the rows before it is at most `share` of its
/// length.
pub fn dependent_row(rows: &Array2<f64>, share: f64) -> Option<usize> {
    let mut directions: Vec<Array1<f64>> = Vec::new();
    for (at, row) in rows.rows().into_iter().enumerate() {
        let rest = orthogonal_part(row, &directions);
        let norm = rest.dot(&rest).sqrt();
        if norm <= share * row.dot(&row).sqrt() {
            return Some(at);
        }
        directions.push(rest / norm);
    }
    None
}

fn first_largest(values: &[f64]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (index, &value) in values.iter().enumerate() {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((index, value));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn it_picks_the_vertices_of_a_simplex_and_not_the_points_inside() {
        let x = array![
            [0.3, 0.3, 0.4],
            [1.0, 0.0, 0.0],
            [0.5, 0.5, 0.0],
            [0.0, 0.9, 0.0],
            [0.0, 0.0, 0.8]
        ];
        let found = extreme_rows(&x, 3);
        assert_eq!(found.rows, [1, 3, 4]);
        for (distance, expected) in found.distances.iter().zip([1.0, 0.9, 0.8]) {
            assert!((distance - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn affine_distances_tell_a_corner_from_a_point_in_line_with_others() {
        // Row 1 lies beyond row 0 as seen from the origin: same span, different affine hull.
        let x = array![[0.0, 2.0], [2.0, 0.0], [1.9, 0.0], [-0.1, 0.1]];
        assert_eq!(extreme_rows(&x, 3).rows, [0, 1]);
        let found = affinely_extreme_rows(&x, 3);
        assert_eq!(found.rows, [0, 1, 3]);
        let expected = [2.0, 8f64.sqrt(), 2.0 / 2f64.sqrt()];
        for (distance, expected) in found.distances.iter().zip(expected) {
            assert!((distance - expected).abs() < 1e-12, "{distance} {expected}");
        }
        assert!(affinely_extreme_rows(&x, 0).rows.is_empty());
    }

    #[test]
    fn rows_that_are_given_count_as_chosen_before() {
        let x = array![[1.0, 0.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.8], [0.5, 0.5, 0.0]];
        let given = array![[2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(extreme_rows_given(&x, &given, 4).rows, [1, 2]);
        assert_eq!(dependent_row(&given, 1e-6), Some(1));
        assert_eq!(dependent_row(&x, 1e-6), Some(3));
        let first = extreme_rows(&x, 1);
        let rest = extreme_rows_given(&x, &x.select(Axis(0), &first.rows), 2);
        assert_eq!([first.rows, rest.rows].concat(), extreme_rows(&x, 3).rows);
    }

    #[test]
    fn a_matrix_of_rank_two_has_two_extreme_rows() {
        let x = array![[1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [1.0, 2.0, 1.0], [0.5, 1.0, 0.5]];
        assert_eq!(extreme_rows(&x, 4).rows.len(), 2);
    }
}
