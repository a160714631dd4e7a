//! Vectors as points in a plane.

use std::convert::Infallible;

use ndarray::{Array1, Array2, ArrayView2};
use rayon::prelude::*;

use super::UnitVectors;
use crate::linalg::accuracy::Accuracy;
use crate::linalg::block_krylov::{KrylovSettings, SymmetricOperator, block_krylov};
use crate::progress::Silent;
use crate::random::stream;

/// Residual of the components, as a share of the second variance: far below what a figure shows.
const ACCURACY: f64 = 1e-6;
/// Applications of the covariance at most. Components of equal variance are any two of their plane.
const MAX_PASSES: usize = 60;
/// Columns that the covariance is applied to at once.
const BLOCK: usize = 6;

/// Vectors in the plane of their first two principal components.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    /// (x, y) of each vector; the mean is at 0.
    pub places: Vec<(f64, f64)>,
    /// The shares of the variance along x and along y.
    pub variance: (f64, f64),
}

/// The first two principal components. The sign of each is such that its farthest vector is positive.
///
/// # Cost
/// About ten passes over the vectors, of 24nd flops each; no d × d matrix is made.
pub fn plane(vectors: &UnitVectors, seed: u64) -> Plane {
    let (n, d) = (vectors.len(), vectors.dimensions());
    if n == 0 {
        return Plane { places: Vec::new(), variance: (0.0, 0.0) };
    }
    let mean = sums(vectors, d, |row, sum| add(sum, 1.0, row)) / n as f64;
    let covariance = Covariance { vectors, mean: &mean };
    // Of vectors of length 1: the mean square is 1.
    let all = 1.0 - mean.dot(&mean);
    let settings = KrylovSettings {
        pairs: 2.min(d),
        kept: 2.min(d),
        block: BLOCK,
        accuracy: Accuracy::Relative(ACCURACY),
        max_passes: MAX_PASSES,
    };
    let mut rng = stream(seed, "plane of vectors");
    let Ok(found) = block_krylov(&covariance, settings, &mut rng, &Silent);
    let axis = |axis: usize| -> (Vec<f64>, f64) {
        let value = found.values.get(axis).copied().unwrap_or_default();
        // Less than the rounding of single precision is no variance.
        if value <= 1e-12 {
            return (vec![0.0; n], 0.0);
        }
        let component = found.vectors.column(axis).to_owned();
        let shift = component.dot(&mean);
        let mut places: Vec<f64> = (0..n)
            .into_par_iter()
            .map(|row| product(vectors.row(row), &component) - shift)
            .collect();
        let farthest =
            places.iter().fold(0.0, |far: f64, &x| if x.abs() > far.abs() { x } else { far });
        places.iter_mut().for_each(|x| *x *= farthest.signum());
        (places, (value / all).min(1.0))
    };
    let ((x, along_x), (y, along_y)) = (axis(0), axis(1));
    Plane { places: x.into_iter().zip(y).collect(), variance: (along_x, along_y) }
}

/// XᵀX/n − μμᵀ of n vectors with the mean μ.
struct Covariance<'a> {
    vectors: &'a UnitVectors,
    mean: &'a Array1<f64>,
}

impl SymmetricOperator for Covariance<'_> {
    type Error = Infallible;

    fn size(&self) -> usize {
        self.vectors.dimensions()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, Infallible> {
        let (d, columns) = v.dim();
        let mut image = Array2::zeros((d, columns));
        for (column, mut out) in v.columns().into_iter().zip(image.columns_mut()) {
            let column = column.to_owned();
            let shift = self.mean.dot(&column);
            // (x − μ) is not centred row by row: the sum of what μ takes away is 0.
            let sum =
                sums(self.vectors, d, |row, sum| add(sum, product(row, &column) - shift, row));
            out.assign(&(sum / self.vectors.len() as f64));
        }
        Ok(image)
    }
}

/// A sum over all vectors in a fixed order.
fn sums(
    vectors: &UnitVectors,
    d: usize,
    one: impl Fn(&[f32], &mut Array1<f64>) + Sync,
) -> Array1<f64> {
    let pieces: Vec<Array1<f64>> = vectors
        .pieces()
        .map(|piece| {
            let mut sum = Array1::zeros(d);
            piece.chunks_exact(d).for_each(|row| one(row, &mut sum));
            sum
        })
        .collect();
    pieces.into_iter().fold(Array1::zeros(d), |sum, piece| sum + piece)
}

fn add(sum: &mut Array1<f64>, factor: f64, row: &[f32]) {
    sum.iter_mut().zip(row).for_each(|(sum, &number)| *sum += factor * f64::from(number));
}

fn product(row: &[f32], column: &Array1<f64>) -> f64 {
    row.iter().zip(column).map(|(&a, b)| f64::from(a) * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dense::symmetric_eigen;
    use crate::random::standard_normal;

    /// Vectors that vary most along the first coordinates.
    fn stretched(n: usize, d: usize) -> UnitVectors {
        let mut rng = stream(3, "stretched");
        let numbers = (0..n * d).map(|at| {
            let column = (at % d) as f64;
            (standard_normal(&mut rng) / (1.0 + column) + f64::from(at % d == 2)) as f32
        });
        UnitVectors::from_rows(d, numbers.collect()).expect("vectors")
    }

    #[test]
    fn places_are_those_by_a_covariance_in_memory() {
        for d in [3, 40] {
            let vectors = stretched(900, d);
            let found = plane(&vectors, 1);
            let x = Array2::from_shape_fn((900, d), |(i, j)| f64::from(vectors.row(i)[j]));
            let mean = x.mean_axis(ndarray::Axis(0)).expect("rows");
            let centred = &x - &mean;
            let (values, axes) = symmetric_eigen(&(centred.t().dot(&centred) / 900.0));
            let places = centred.dot(&axes);
            let all: f64 = values.sum();
            assert!((found.variance.0 - values[0] / all).abs() < 1e-6);
            assert!((found.variance.1 - values[1] / all).abs() < 1e-6);
            for axis in 0..2 {
                let of = |place: &(f64, f64)| if axis == 0 { place.0 } else { place.1 };
                let column = places.column(axis);
                let far =
                    column.iter().fold(0.0_f64, |a, &b| if b.abs() > a.abs() { b } else { a });
                for (place, expected) in found.places.iter().zip(column) {
                    assert!((of(place) - expected * far.signum()).abs() < 1e-4, "d {d}");
                }
            }
        }
    }

    #[test]
    fn vectors_on_a_line_or_a_point_have_no_second_axis() {
        let place = |d: usize, rows: &[f32]| {
            plane(&UnitVectors::from_rows(d, rows.to_vec()).expect("vectors"), 1)
        };
        let point = place(2, &[1.0, 1.0, 2.0, 2.0]);
        assert_eq!((point.places, point.variance), (vec![(0.0, 0.0); 2], (0.0, 0.0)));
        let line = place(1, &[1.0, -1.0, 1.0, 1.0]);
        assert!(line.places.iter().all(|place| place.1 == 0.0));
        assert!((line.variance.0 - 1.0).abs() < 1e-9 && line.places[1].0 > 1.4);
        assert!(place(2, &[]).places.is_empty());
    }

    #[test]
    fn places_are_the_same_for_any_number_of_threads() {
        let vectors = stretched(2_000, 50);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| plane(&vectors, 1))
        };
        assert_eq!(with(1), with(3));
    }
}
