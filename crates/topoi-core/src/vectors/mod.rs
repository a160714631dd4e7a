//! Vectors of documents that another program made (embeddings): clusters, nearest documents and a plane of them.
//!
//! All of it compares directions: a vector is scaled to length 1, and vectors are near by their cosine. Sums run over
//! fixed blocks of documents in double precision, in the same order for any number of threads.
//!
//! ```
//! use topoi_core::progress::Silent;
//! use topoi_core::vectors::UnitVectors;
//! use topoi_core::vectors::spherical_k_means::spherical_k_means;
//!
//! let vectors = UnitVectors::from_rows(2, vec![1.0, 0.0, 2.0, 0.1, 0.0, 3.0])?;
//! let clusters = spherical_k_means(&vectors, 2, 1, &Silent);
//! assert_eq!(clusters.labels, [0, 0, 1]);
//! assert!((vectors.cosine(0, 1) - 2.0 / 4.01_f64.sqrt()).abs() < 1e-6);
//! # Ok::<(), topoi_core::vectors::VectorError>(())
//! ```

pub mod plane;
pub mod spherical_k_means;

/// Rows that are multiplied at once.
const ROWS_AT_ONCE: usize = 512;
/// Partial sums over documents. The number is fixed because it decides the order of additions.
const PARTIAL_SUMS: usize = 16;
/// Maximum number of dimensions: more than models of texts give. An array that has its documents in columns is found
/// by it.
pub const MAX_DIMENSIONS: usize = 8192;

/// Why vectors are none that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// A vector has no number of dimensions that can be used.
    #[error(
        "vectors of {0} dimensions; a row is a document and has 1 to {MAX_DIMENSIONS} columns: np.save(FILE, array.T) \
         where they are the other way round"
    )]
    Dimensions(usize),
    /// A number is not finite in single precision.
    #[error(
        "row {row}, from 0, has a number in column {column} that is not finite; leave the row out or make its vector anew"
    )]
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// A vector has the length 0, and so no direction.
    #[error(
        "row {0}, from 0, is all zeros and has no direction; leave the row out or make its vector anew"
    )]
    Zero(usize),
}

/// Vectors of length 1, a row a document.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitVectors {
    /// n × d, row by row.
    numbers: Vec<f32>,
    dimensions: usize,
}

impl UnitVectors {
    /// Scales n vectors of d dimensions, row by row in `numbers`, to length 1.
    ///
    /// # Errors
    /// [`VectorError`] for the first row that has no direction.
    ///
    /// # Panics
    /// When the last row is shorter than d.
    pub fn from_rows(dimensions: usize, mut numbers: Vec<f32>) -> Result<Self, VectorError> {
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(VectorError::Dimensions(dimensions));
        }
        for (at, row) in numbers.chunks_mut(dimensions).enumerate() {
            if let Some(column) = row.iter().position(|number| !number.is_finite()) {
                return Err(VectorError::NotFinite { row: at, column });
            }
            // Squares of numbers of single precision neither overflow nor vanish in double precision.
            let length = length(row);
            if length == 0.0 {
                return Err(VectorError::Zero(at));
            }
            row.iter_mut().for_each(|number| *number = (f64::from(*number) / length) as f32);
        }
        Ok(Self::from_unit_rows(dimensions, numbers))
    }

    /// Vectors that have length 1 already, as [`Self::from_rows`] made them.
    ///
    /// # Panics
    /// When the last row is shorter than d, or d is 0.
    pub fn from_unit_rows(dimensions: usize, numbers: Vec<f32>) -> Self {
        assert!(numbers.len().is_multiple_of(dimensions), "rows have the same length");
        Self { numbers, dimensions }
    }

    /// Number of vectors, n.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.dimensions
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Number of dimensions, d.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The vector of a document, by its position.
    pub fn row(&self, at: usize) -> &[f32] {
        &self.numbers[at * self.dimensions..(at + 1) * self.dimensions]
    }

    /// All vectors in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.numbers.chunks_exact(self.dimensions)
    }

    /// The cosine of two vectors, from −1 to 1.
    pub fn cosine(&self, one: usize, other: usize) -> f64 {
        cosine(self.row(one), self.row(other))
    }

    /// The rows at these positions, in their order.
    #[must_use]
    pub fn select(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let numbers = rows.into_iter().flat_map(|row| self.row(row)).copied().collect();
        Self { numbers, dimensions: self.dimensions }
    }

    /// [`PARTIAL_SUMS`] or fewer pieces of consecutive rows, which depend on n alone.
    fn pieces(&self) -> impl rayon::iter::IndexedParallelIterator<Item = &[f32]> {
        use rayon::slice::ParallelSlice;

        let rows = self.len().div_ceil(PARTIAL_SUMS).max(1);
        self.numbers.par_chunks(rows * self.dimensions)
    }
}

/// The cosine of two vectors of length 1, from −1 to 1.
pub fn cosine(one: &[f32], other: &[f32]) -> f64 {
    dot(one, other).clamp(-1.0, 1.0)
}

/// The length of a vector.
pub fn length(row: &[f32]) -> f64 {
    dot(row, row).sqrt()
}

/// The inner product in double precision, by eight sums that a processor adds at once.
fn dot(one: &[f32], other: &[f32]) -> f64 {
    let mut sums = [0.0_f64; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest = ones.remainder().iter().zip(others.remainder());
    let rest: f64 = rest.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
    for (a, b) in ones.zip(others) {
        for lane in 0..8 {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_vector_without_a_direction_is_refused_by_its_row() {
        let of = |numbers: &[f32]| UnitVectors::from_rows(2, numbers.to_vec());
        assert_eq!(of(&[1.0, 0.0, 0.0, 0.0]), Err(VectorError::Zero(1)));
        assert_eq!(of(&[1.0, f32::NAN]), Err(VectorError::NotFinite { row: 0, column: 1 }));
        assert_eq!(
            of(&[1.0, 0.0, f32::INFINITY, 0.0]),
            Err(VectorError::NotFinite { row: 1, column: 0 })
        );
        for dimensions in [0, MAX_DIMENSIONS + 1] {
            let found = UnitVectors::from_rows(dimensions, vec![1.0; dimensions]);
            assert_eq!(found, Err(VectorError::Dimensions(dimensions)));
        }
        // The smallest and the largest numbers of single precision have a direction.
        let extreme = of(&[f32::from_bits(1), 0.0, f32::MAX, f32::MAX]).expect("vectors");
        assert!((extreme.cosine(0, 1) - 0.5_f64.sqrt()).abs() < 1e-7);
    }

    proptest! {
        #[test]
        fn cosines_are_those_of_the_formula(
            rows in prop::collection::vec(prop::collection::vec(-9_i8..9, 11), 2..6),
        ) {
            let rows: Vec<Vec<f64>> = rows
                .iter()
                .map(|row| row.iter().map(|&x| f64::from(x) + 0.5).collect())
                .collect();
            let numbers = rows.iter().flatten().map(|&x| x as f32).collect();
            let vectors = UnitVectors::from_rows(11, numbers).expect("vectors");
            let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for (i, a) in rows.iter().enumerate() {
                for (j, b) in rows.iter().enumerate() {
                    let expected = product(a, b) / (product(a, a) * product(b, b)).sqrt();
                    prop_assert!((vectors.cosine(i, j) - expected).abs() < 1e-6);
                }
            }
        }
    }
}
