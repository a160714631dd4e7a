//! X·Xᵀ of the plain counts X: the operator whose eigenvectors are the singular vectors of the corpus.

use ndarray::{Array2, ArrayView2};

use super::documents::{Batch, Documents};
use super::error::Result;
use super::panel::{RankOne, Side};
use super::product::{ProductRule, Stripes, streamed_product};

/// X·Xᵀ, W × W, for the W × M counts X of the documents, as an operator that is never formed. Its
/// eigenvalues are the squared singular values of X, its eigenvectors the left singular vectors.
pub struct Gram<'a> {
    documents: &'a Documents<'a>,
}

impl<'a> Gram<'a> {
    /// The operator of these documents.
    pub fn new(documents: &'a Documents<'a>) -> Self {
        Self { documents }
    }

    /// W, the number of words.
    pub fn words(&self) -> usize {
        self.documents.words()
    }

    /// X·(Xᵀ·V) for V of W × b, in one pass: 4·b·nonzeros flops, memory for seven to eleven W × b blocks. The
    /// result does not depend on the number of threads.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn apply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        streamed_product(&GramRule, self.documents, v)
    }
}

/// The rule of X·Xᵀ: a document's counts times themselves.
struct GramRule;

impl ProductRule for GramRule {
    type Scratch = ();

    fn add<const S: usize>(&self, batch: &Batch, _: &mut (), stripes: Stripes<'_, S>) {
        let terms = batch.documents().map(|(words, values, _)| {
            let side = Side { words, values };
            RankOne { from: side, to: side, scale: 1.0 }
        });
        stripes.output.add_products(terms, stripes.input, stripes.first);
    }
}
