//! The part of a run's page that has the documents which have most of each topic.

use std::fmt::Write;

use crate::export::error::ExportError;
use crate::export::saved_model::SavedModel;
use topoi_core::plot::text::escaped;
use topoi_store::corpus::document::Document;
use topoi_store::{Store, StoreError};

/// Documents of a topic.
const DOCUMENTS: usize = 3;
/// Letters of one that has no title.
const LETTERS: usize = 80;

/// A row a topic; nothing where the run did not look at its documents.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn documents(model: &SavedModel<'_>) -> Result<String, ExportError> {
    let (store, run) = (model.store(), model.run.id);
    if store.alpha(run)?.is_empty() {
        return Ok(String::new());
    }
    let mut html = String::from(
        "<h2>Documents</h2>\n<table><tr><th class=\"n\">topic</th><th>name</th>\
         <th>documents with most of it</th></tr>\n",
    );
    for topic in 0..model.topics.len() {
        let mut list = String::new();
        for found in store.documents_of_topic(run, topic as u64, DOCUMENTS)? {
            let title = escaped(&title(store, &found.document)?);
            // Writing to a string does not fail.
            let _ = write!(list, "<li>{title} ({:.0}%)</li>", 100.0 * found.share);
        }
        let name = escaped(model.name(topic));
        let _ = writeln!(
            html,
            "<tr><td class=\"n\">{topic}</td><td>{name}</td><td><ul>{list}</ul></td></tr>"
        );
    }
    Ok(html + "</table>\n")
}

/// The title of a document, or the first words of its text, or its key.
fn title(store: &Store, document: &Document) -> Result<String, StoreError> {
    if let Some(title) = &document.title {
        return Ok(title.clone());
    }
    let beginning = store.document_beginning(document.id, LETTERS + 1)?.unwrap_or_default();
    let cut = match beginning.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &beginning[..end]),
        None => beginning,
    };
    Ok(if cut.trim().is_empty() { document.key.clone() } else { cut })
}
