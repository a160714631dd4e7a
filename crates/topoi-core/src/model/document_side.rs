//! The documents' side of a factorisation of the counts X ≈ U·(documents' side), which runs do not keep.

use ndarray::{Array1, Array2, ArrayViewMut1};

use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// K numbers of each document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentSide {
    /// Row ids of the M documents, ascending.
    pub ids: Vec<i64>,
    /// M × K: V of `svd`, H of `r1d`.
    pub values: Array2<f64>,
}

impl DocumentSide {
    /// From (id, K numbers) of the documents, ascending.
    pub(super) fn from_rows(k: usize, rows: impl IntoIterator<Item = (i64, Vec<f64>)>) -> Self {
        let (ids, values): (Vec<i64>, Vec<Vec<f64>>) = rows.into_iter().unzip();
        let values = Array2::from_shape_vec((ids.len(), k), values.concat());
        Self { values: values.expect("K numbers a document"), ids }
    }

    /// The numbers that `add` adds for the words and counts of each document to K zeros. One pass.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn of_each(
        documents: &Documents<'_>,
        k: usize,
        add: impl Fn(&[u32], &[f64], ArrayViewMut1<'_, f64>) + Sync,
    ) -> Result<Self, StreamError> {
        let lanes = documents.by_lane(|lane| {
            let mut rows = Vec::new();
            documents.visit(lane, |batch| {
                for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
                    let mut row = Array1::zeros(k);
                    add(words, counts, row.view_mut());
                    rows.push((id, row.to_vec()));
                }
            })?;
            Ok(rows)
        })?;
        Ok(Self::from_rows(k, lanes.into_iter().flatten()))
    }
}
