//! Effective number of documents behind an estimate.

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

/// For each column of `combinations`, the effective number of groups of rows that determine the
/// estimate.
///
/// A combination of coefficients is Σ a·y over documents, with a = rows · combination. Each group
/// contributes Σ a² to the variance, and the effective number is 1 over the largest share of one
/// group. For the mean of n documents it is n; for the difference from the mean of m others it is
/// n·(1 + n/m), where n is the smaller.
///
/// `chunks` contains rows by group.
pub(super) fn rests_on(
    rows: ArrayView2<'_, f64>,
    combinations: &Array2<f64>,
    chunks: &[Vec<Vec<usize>>],
) -> Vec<f64> {
    let of = |chunk: &Vec<Vec<usize>>| -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0_f64); combinations.ncols()];
        let own: Vec<usize> = chunk.iter().flatten().copied().collect();
        let squares = rows.select(Axis(0), &own).dot(combinations).mapv(|a| a * a);
        let mut from = 0;
        for group in chunk {
            let span = squares.slice(ndarray::s![from..from + group.len(), ..]);
            from += group.len();
            for (sum, column) in sums.iter_mut().zip(span.columns()) {
                let own = column.sum();
                *sum = (sum.0 + own, sum.1.max(own));
            }
        }
        sums
    };
    let parts: Vec<Vec<(f64, f64)>> = chunks.par_iter().map(of).collect();
    let mut sums = vec![(0.0, 0.0_f64); combinations.ncols()];
    for part in parts {
        for (sum, (all, most)) in sums.iter_mut().zip(part) {
            *sum = (sum.0 + all, sum.1.max(most));
        }
    }
    sums.into_iter().map(|(all, most)| if most > 0.0 { all / most } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_groups_rests_on_the_smaller() {
        // The slope of an indicator by least squares: the mean of 2 documents minus that of 8
        // others.
        let rows = Array2::from_shape_fn((10, 2), |(row, column)| {
            if column == 0 { 1.0 } else { f64::from(u8::from(row < 2)) }
        });
        // (XᵀX)⁻¹ of 10 rows, 2 of them with the indicator.
        let inverse = ndarray::arr2(&[[2.0, -2.0], [-2.0, 10.0]]) / 16.0;
        let each: Vec<Vec<Vec<usize>>> = vec![(0..10).map(|row| vec![row]).collect()];
        let found = rests_on(rows.view(), &inverse, &each);
        assert!((found[0] - 8.0).abs() < 1e-9 && (found[1] - 2.5).abs() < 1e-9, "{found:?}");
        // With both documents in one cluster, that cluster determines nearly all of the estimate.
        let clusters = vec![vec![vec![0, 1], (2..6).collect(), (6..10).collect()]];
        let found = rests_on(rows.view(), &inverse, &clusters);
        assert!((found[1] - 1.25).abs() < 1e-9, "{found:?}");
    }
}
