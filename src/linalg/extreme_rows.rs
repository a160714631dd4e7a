//! Extreme rows of a matrix: column-pivoted QR of its transpose, one row at a time.

use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

/// The rows chosen, and their distances from the span of those before them.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtremeRows {
    /// Row numbers in the order they were chosen.
    pub rows: Vec<usize>,
    /// The norm of each row's component orthogonal to those chosen before it: |R_kk| of the QR.
    pub distances: Vec<f64>,
}

/// The first `k` pivots of column-pivoted QR on Xᵀ, for X of n × p: each time the row farthest
/// from the span of the rows chosen so far (ties go to the lower row number).
///
/// Residual rows are kept and their norms taken afresh in every step, so rounding never chooses
/// a row that only seems far. Fewer than `k` rows come back when X has a lower rank (to 1e-13
/// of its largest row). 4·n·p·k flops, memory n·p.
///
/// # Source
/// Lee et al. 2021, algorithms 1 and 5 (anchor words); Golub and Van Loan, §5.4.2.
pub fn extreme_rows(x: &Array2<f64>, k: usize) -> ExtremeRows {
    let mut found = ExtremeRows { rows: Vec::new(), distances: Vec::new() };
    found.pursue(x.to_owned(), k);
    found
}

/// As [`extreme_rows`], but each time the row farthest from the smallest affine space through the rows chosen so far,
/// not from their span; the first is the one farthest from the origin.
///
/// # Source
/// Arora et al. 2013, algorithm 4 (FastAnchorWords), as the authors' program does it: the first point becomes the origin.
pub fn affinely_extreme_rows(x: &Array2<f64>, k: usize) -> ExtremeRows {
    let mut found = extreme_rows(x, k.min(1));
    if let Some(&first) = found.rows.first() {
        let origin = x.row(first).insert_axis(Axis(0));
        found.pursue(x - &origin, k - 1);
    }
    found
}

impl ExtremeRows {
    /// The same rows by their numbers in a larger matrix, of which these were the rows `numbers`.
    pub fn of(mut self, numbers: &[usize]) -> Self {
        self.rows.iter_mut().for_each(|row| *row = numbers[*row]);
        self
    }

    /// Adds up to `k` rows, each the largest of what is left of `residual` after those before it.
    fn pursue(&mut self, mut residual: Array2<f64>, k: usize) {
        let mut floor = 0.0;
        for _ in 0..k {
            let norms: Vec<f64> =
                residual.axis_iter(Axis(0)).into_par_iter().map(|row| row.dot(&row)).collect();
            let Some((row, norm)) = first_largest(&norms) else { break };
            floor = f64::max(floor, norm * 1e-26);
            if norm <= floor {
                break;
            }
            let direction: Array1<f64> = &residual.row(row) / norm.sqrt();
            residual.axis_iter_mut(Axis(0)).into_par_iter().for_each(|mut other| {
                let share = other.dot(&direction);
                other.scaled_add(-share, &direction);
            });
            self.rows.push(row);
            self.distances.push(norm.sqrt());
        }
    }
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
        // Row 1 lies beyond row 0 as seen from the origin: its span is row 0's, but not its place.
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
    fn a_matrix_of_rank_two_has_two_extreme_rows() {
        let x = array![[1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [1.0, 2.0, 1.0], [0.5, 1.0, 0.5]];
        assert_eq!(extreme_rows(&x, 4).rows.len(), 2);
    }
}
