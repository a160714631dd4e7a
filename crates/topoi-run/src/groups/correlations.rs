//! Correlations of topics over the documents of a run.

use ndarray::Array2;

use crate::work::work_error::WorkError;
use topoi_core::formula::share_moments::ShareMoments;
use topoi_store::Store;
use topoi_store::run::Run;

/// Correlations of the topics' shares over documents, K × K, without the noise of their tokens
/// ([`ShareMoments::correlations`]), and the number of documents. One parallel pass over the words.
///
/// # Errors
/// [`WorkError::NoTopics`]; [`WorkError::NoDocuments`]; when the store cannot be read.
pub fn correlations(store: &Store, run: &Run) -> Result<(Array2<f64>, u64), WorkError> {
    let linear = store.linear_proportions(run)?.ok_or(WorkError::NoTopics { run: run.id })?;
    let first = || ShareMoments::new(linear.topics());
    let pieces = store.fold_counts(run, first, |moments, document| {
        moments.add(&linear, document.terms, document.counts);
    })?;
    let mut all = first();
    pieces.iter().for_each(|piece| all.merge(piece));
    match all.documents {
        0 | 1 => Err(WorkError::NoDocuments { run: run.id }),
        documents => Ok((all.correlations(&linear), documents)),
    }
}
