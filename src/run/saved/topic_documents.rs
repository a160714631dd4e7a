//! The documents that are most about a topic.

use crate::run::work::work_error::WorkError;
use crate::store::result::document_topic::TopicDocument;
use crate::store::run::Run;
use crate::store::{Store, StoreError};

/// The `count` documents with the largest proportions θ of a topic that the run saved, of equal
/// ones the earlier document. Documents that have been deleted since are passed over.
///
/// # Errors
/// [`StoreError::UnknownTopic`] when the run has no such topic, [`WorkError::NoDocuments`] when it did
/// not look at its documents; when the store cannot be read.
pub fn topic_documents(
    store: &Store,
    run: &Run,
    topic: u64,
    count: usize,
) -> Result<Vec<TopicDocument>, WorkError> {
    if topic >= store.topic_labels(run.id)?.len() as u64 {
        return Err(StoreError::UnknownTopic { run: run.id, topic }.into());
    }
    if store.alpha(run.id)?.is_empty() {
        return Err(WorkError::NoDocuments { run: run.id });
    }
    Ok(store.documents_of_topic(run.id, topic, count)?)
}
