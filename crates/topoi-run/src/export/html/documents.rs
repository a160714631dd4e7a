//! The section of a run's page that lists the documents with the largest share of each topic.

use maud::{Markup, html};

use crate::export::error::ExportError;
use crate::export::saved_model::SavedModel;
use topoi_store::corpus::document::Document;
use topoi_store::id::TopicNumber;
use topoi_store::{Store, StoreError};

/// Documents listed per topic.
const DOCUMENTS: usize = 3;
/// Characters shown of a text without a title.
const BEGINNING: usize = 80;

/// A table with one row per topic; empty for a run without documents.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn documents(model: &SavedModel<'_>) -> Result<Markup, ExportError> {
    let (store, run) = (model.store(), model.run.id);
    if store.alpha(run)?.is_empty() {
        return Ok(Markup::default());
    }
    let mut rows = Vec::with_capacity(model.topics.len());
    for topic in 0..model.topics.len() {
        let mut documents = Vec::with_capacity(DOCUMENTS);
        for hit in store.documents_of_topic(run, TopicNumber::from_index(topic), DOCUMENTS)? {
            documents.push((title(store, &hit.document)?, 100.0 * hit.share));
        }
        rows.push((topic, documents));
    }
    Ok(html! {
        h2 { "Documents" }
        table {
            tr { th.n { "topic" } th { "name" } th { "documents with most of it" } }
            @for (topic, documents) in &rows {
                tr {
                    td.n { (topic) }
                    td { (model.name(*topic)) }
                    td { ul { @for (title, percent) in documents { li { (title) (format!(" ({percent:.0}%)")) } } } }
                }
            }
        }
    })
}

/// The title of a document; without one the beginning of its text, and without a text its key.
fn title(store: &Store, document: &Document) -> Result<String, StoreError> {
    if let Some(title) = &document.title {
        return Ok(title.clone());
    }
    let beginning = store.document_beginning(document.id, BEGINNING + 1)?.unwrap_or_default();
    let cut = match beginning.char_indices().nth(BEGINNING) {
        Some((end, _)) => format!("{}…", &beginning[..end]),
        None => beginning,
    };
    Ok(if cut.trim().is_empty() { document.key.clone() } else { cut })
}
