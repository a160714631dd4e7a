//! The squared norms of the rows of C: exact where that is cheap, otherwise a sketch that estimates
//! them.

use ndarray::{Array1, Array2, ArrayView2};

use super::sketch::Sketch;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::cooccurrence::row_norms::{exact_norms_cost, squared_row_norms};
use crate::stream::error::Result;

/// Additions below which exact norms are always computed: about a tenth of a second.
const CHEAP_ADDITIONS: f64 = 5e7;
/// Cost of a sketch per nonzero, in additions of the exact norms.
const SKETCH_COST_PER_NONZERO: f64 = 26.0;
/// Largest vocabulary without a sketch, which would see nearly all of C.
const MAX_WORDS_UNSKETCHED: usize = 128;
/// Largest vocabulary for which [`squared_norm`] is exact.
const MAX_WORDS_EXACT: usize = 23_000;

/// The norms of C's rows, exact or sketched.
#[derive(Debug, Clone)]
pub enum RowNorms {
    /// ‖C_i‖² of every word, W numbers.
    Exact(Array1<f64>),
    /// A sketch from which norms can be estimated.
    Sketched(Box<Sketch>),
}

impl RowNorms {
    /// Exact norms where `exact` is set or they cost no more than a sketch; otherwise a sketch with
    /// random columns from `seed`.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn new(c: &CoOccurrence<'_>, exact: bool, seed: u64) -> Result<Self> {
        let none = Array2::zeros((c.words(), 0));
        Ok(Self::with_product(c, exact, seed, none.view())?.0)
    }

    /// [`Self::new`] together with C·`columns`, which then needs no extra pass
    /// beside a sketch.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn with_product(
        c: &CoOccurrence<'_>,
        exact: bool,
        seed: u64,
        columns: ArrayView2<'_, f64>,
    ) -> Result<(Self, Array2<f64>)> {
        let sketch = SKETCH_COST_PER_NONZERO * c.totals().nonzeros as f64;
        if exact
            || c.words() <= MAX_WORDS_UNSKETCHED
            || exact_norms_cost(c) <= sketch.max(CHEAP_ADDITIONS)
        {
            return Ok((Self::Exact(squared_row_norms(c)?), c.apply(columns)?));
        }
        let (sketch, images) = Sketch::with_product(c, seed, columns)?;
        Ok((Self::Sketched(Box::new(sketch)), images))
    }
}

/// ‖C‖²_F for models whose objective contains it: exact up to 23,000 words, estimated beyond.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn squared_norm(c: &CoOccurrence<'_>, seed: u64) -> Result<f64> {
    match RowNorms::new(c, c.words() <= MAX_WORDS_EXACT, seed)? {
        RowNorms::Exact(squares) => Ok(squares.sum()),
        RowNorms::Sketched(sketch) => Ok(sketch.squared_norm().value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use sprs::TriMat;

    #[test]
    fn a_corpus_of_long_documents_is_sketched_unless_exact_norms_are_asked_for() {
        let of = |words: usize, count: u32| {
            let mut counts = TriMat::new((4, words));
            (0..4 * words).for_each(|at| counts.add_triplet(at / words, at % words, count));
            let source = MatrixSource::new(counts.to_csr(), 2);
            let positions: Vec<u32> = (0..words as u32).collect();
            let documents = Documents::new(&source, &positions, 2, &Silent);
            let c = CoOccurrence::new(&documents).expect("in memory");
            let is_exact = |asked| match RowNorms::new(&c, asked, 1).expect("in memory") {
                RowNorms::Exact(_) => true,
                RowNorms::Sketched(_) => false,
            };
            [is_exact(false), is_exact(true)]
        };
        assert_eq!(of(200, 100), [false, true]);
        assert_eq!(of(200, 10), [true, true]);
        assert_eq!(of(MAX_WORDS_UNSKETCHED, 100), [true, true]);
    }
}
