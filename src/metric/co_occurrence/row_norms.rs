//! The squared lengths of the rows of C: exact, or estimated where C is too wide.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, transposed_product};
use crate::linalg::orthonormal::orthonormalise;
use crate::metric::definition::{Scope, ValueRange, metric_def};
use crate::random::{standard_normal, stream};
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::cooccurrence::row_norms::squared_row_norms;
use crate::stream::error::Result;

metric_def! {
    /// only above 23,000 words: the relative standard error of ‖C‖²_F, as below
    pub const ROW_NORMS_ERROR {
        id: "row_norms_error",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "",
        tags: &[],
    }
}

/// Up to this many words the norms are exact: W²/2²³ passes over the corpus, 63 of them here.
const MOST_WORDS: usize = 23_000;
/// Columns of the subspace whose share is exact, and random projections of the rest.
const PROJECTIONS: usize = 128;
/// The projections are the same for all runs, so that runs compare with each other.
const SEED: u64 = 1;

/// ‖C_i‖² of every word i, exact or estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct RowNorms {
    /// ‖C_i‖², W numbers.
    pub squares: Array1<f64>,
    /// The accuracy of estimates; `None` where the norms are exact.
    pub estimate: Option<Estimate>,
}

/// The accuracy of estimated norms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Number of random projections.
    pub projections: usize,
    /// The standard error of ‖C‖²_F, the sum of the squares, relative to it.
    pub error: f64,
}

impl RowNorms {
    /// The norms of C's rows: exact up to 23,000 words, beyond that from three passes.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn of(c: &CoOccurrence<'_>) -> Result<Self> {
        if c.words() > MOST_WORDS {
            return Self::estimated(c);
        }
        Ok(Self { squares: squared_row_norms(c)?, estimate: None })
    }

    /// ‖C‖²_F.
    pub fn sum(&self) -> f64 {
        self.squares.sum()
    }

    /// Estimates the norms from a subspace Q of 128 columns, which is nearly the one of C's largest
    /// eigenvectors: `‖C_i‖² = ‖C_i Q‖² + ‖C_i (I − QQᵀ)‖²`, the first term as it is and the second
    /// as the mean over 128 Gaussian g of `(C_i (I − QQᵀ) g)²`. Unbiased; the second term of a row
    /// has a relative standard error of √(2/128), an eighth.
    ///
    /// # Cost
    /// Three passes with 128 columns; memory for seven W × 128 blocks.
    ///
    /// # Source
    /// Q by Halko, Martinsson and Tropp 2011, "Finding structure with randomness", §4.1; projecting
    /// it out first is what Hutch++ does for traces (Meyer, Musco, Musco and
    /// Woodruff 2021).
    fn estimated(c: &CoOccurrence<'_>) -> Result<Self> {
        let mut rng = stream(SEED, "projections of the co-occurrence");
        let columns = PROJECTIONS.min(c.words());
        let mut gaussian =
            || Array2::from_shape_simple_fn((c.words(), columns), || standard_normal(&mut rng));
        let (q, _) = orthonormalise(&c.apply(gaussian().view())?);
        let mut squares = squares_of_rows(&c.apply(q.view())?);
        let mut beside = gaussian();
        beside -= &product(&q, &transposed_product(&q, &beside));
        drop(q);
        let mut image = c.apply(beside.view())?;
        image.mapv_inplace(|entry| entry * entry);
        squares += &(image.sum_axis(Axis(1)) / columns as f64);
        let error = standard_error(&image.sum_axis(Axis(0))) / squares.sum();
        Ok(Self { squares, estimate: Some(Estimate { projections: columns, error }) })
    }
}

fn squares_of_rows(matrix: &Array2<f64>) -> Array1<f64> {
    matrix.rows().into_iter().map(|row| row.dot(&row)).collect()
}

/// The standard error of the mean of independent draws.
fn standard_error(draws: &Array1<f64>) -> f64 {
    (draws.var(1.0) / draws.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use rand::RngExt;
    use sprs::TriMat;

    #[test]
    fn estimates_are_as_near_as_they_say() {
        const WORDS: usize = 600;
        let mut rng = stream(3, "row norms");
        let mut counts = TriMat::new((400, WORDS));
        for document in 0..400 {
            for word in 0..WORDS {
                let likely = if word % 7 == document % 7 { 0.2 } else { 0.02 };
                if rng.random::<f64>() < likely {
                    counts.add_triplet(document, word, rng.random_range(1..4u32));
                }
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 50);
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let exact = RowNorms::of(&c).expect("in memory");
        assert_eq!(exact.estimate, None);
        let found = RowNorms::estimated(&c).expect("in memory");
        let Estimate { projections, error } = found.estimate.expect("an estimate");
        assert_eq!(projections, PROJECTIONS);
        // One draw with a fixed seed, so no alarms from run to run; five standard errors.
        let miss = found.sum() / exact.sum() - 1.0;
        assert!(miss.abs() < 5.0 * error && error < 0.02, "{miss} {error}");
        // χ² with 128 degrees of freedom over 128 leaves (0.5, 1.7) with probability 10⁻⁶ a row.
        let rows = found.squares.iter().zip(&exact.squares);
        assert!(rows.clone().all(|(found, exact)| (0.5..1.7).contains(&(found / exact))));
        let ratio = rows.map(|(found, exact)| found / exact).sum::<f64>() / WORDS as f64;
        assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    }
}
