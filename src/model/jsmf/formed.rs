//! A co-occurrence matrix that is formed when it is needed, and multiplied until cancelled.

use ndarray::{Array2, ArrayView2};

use crate::linalg::block_krylov::{InMemory, SymmetricOperator};
use crate::model::error::ModelError;
use crate::progress::Progress;
use crate::stream::StreamError;

/// C (W × W) once something needs it: a run that is resumed after the stages that do can spare
/// itself forming it.
pub(in crate::model) struct WhenNeeded<F> {
    form: F,
    formed: Option<Array2<f64>>,
}

impl<F: Fn() -> Result<Array2<f64>, ModelError>> WhenNeeded<F> {
    /// `form` gives C.
    pub(in crate::model) fn new(form: F) -> Self {
        Self { form, formed: None }
    }

    /// C.
    ///
    /// # Errors
    /// Those of forming it.
    pub(in crate::model) fn get(&mut self) -> Result<&mut Array2<f64>, ModelError> {
        let formed = match self.formed.take() {
            Some(formed) => formed,
            None => (self.form)()?,
        };
        Ok(self.formed.insert(formed))
    }

    /// C, for one that uses it up.
    ///
    /// # Errors
    /// Those of forming it.
    pub(in crate::model) fn take(mut self) -> Result<Array2<f64>, ModelError> {
        self.formed.take().map_or_else(self.form, Ok)
    }
}

/// A matrix in memory as an operator that can be stopped between two products.
pub(in crate::model) struct Stoppable<'a> {
    /// The matrix, n × n.
    pub matrix: &'a Array2<f64>,
    /// Asked before every product.
    pub progress: &'a dyn Progress,
}

impl SymmetricOperator for Stoppable<'_> {
    type Error = StreamError;

    fn size(&self) -> usize {
        self.matrix.nrows()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, StreamError> {
        if self.progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        InMemory(self.matrix).multiply(v).map_err(|never| match never {})
    }
}
