//! The squared lengths of the rows of C: exact where that is cheap, otherwise a sketch to estimate from.

use ndarray::{Array1, Array2, ArrayView2};

use super::sketch::Sketch;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::cooccurrence::row_norms::{exact_work, squared_row_norms};
use crate::stream::error::Result;

/// Additions that exact norms may take wherever they are more than a sketch takes: about a tenth of a second.
const CHEAP: f64 = 5e7;
/// What a sketch takes for each (document, word) pair, in additions of the exact norms.
const SKETCH_OF_A_PAIR: f64 = 26.0;
/// Of fewer words a sketch would see nearly all there is.
const FEW_WORDS: usize = 128;
/// Up to this many words [`squared_norm`] is exact.
const MOST_WORDS: usize = 23_000;

/// What there is to know of the lengths of C's rows.
#[derive(Debug, Clone)]
pub enum RowNorms {
    /// ‖C_i‖² of every word, W numbers.
    Exact(Array1<f64>),
    /// What they can be estimated from.
    Sketched(Box<Sketch>),
}

impl RowNorms {
    /// The norms themselves where they are asked for, or take no longer than a sketch of random columns by `seed`.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn of(c: &CoOccurrence<'_>, exact: bool, seed: u64) -> Result<Self> {
        let none = Array2::zeros((c.words(), 0));
        Ok(Self::beside(c, exact, seed, none.view())?.0)
    }

    /// [`Self::of`] and C times `more` columns, which takes no pass of its own beside a sketch.
    ///
    /// # Errors
    /// When the corpus cannot be read, or on cancel.
    pub fn beside(
        c: &CoOccurrence<'_>,
        exact: bool,
        seed: u64,
        more: ArrayView2<'_, f64>,
    ) -> Result<(Self, Array2<f64>)> {
        let sketch = SKETCH_OF_A_PAIR * c.totals().nonzeros as f64;
        if exact || c.words() <= FEW_WORDS || exact_work(c) <= sketch.max(CHEAP) {
            return Ok((Self::Exact(squared_row_norms(c)?), c.apply(more)?));
        }
        let (sketch, images) = Sketch::beside(c, seed, more)?;
        Ok((Self::Sketched(Box::new(sketch)), images))
    }
}

/// ‖C‖²_F for models whose objective it is a part of: exact up to 23,000 words, estimated beyond.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn squared_norm(c: &CoOccurrence<'_>, seed: u64) -> Result<f64> {
    match RowNorms::of(c, c.words() <= MOST_WORDS, seed)? {
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
            let is_exact = |asked| match RowNorms::of(&c, asked, 1).expect("in memory") {
                RowNorms::Exact(_) => true,
                RowNorms::Sketched(_) => false,
            };
            [is_exact(false), is_exact(true)]
        };
        assert_eq!(of(200, 100), [false, true]);
        assert_eq!(of(200, 10), [true, true]);
        assert_eq!(of(FEW_WORDS, 100), [true, true]);
    }
}
