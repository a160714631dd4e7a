//! The documents with the largest proportions of a topic, each with a passage.

use maud::{Markup, html};

use crate::export::bibliographic::Bibliographic;
use crate::export::error::ExportError;
use crate::export::saved_model::SavedModel;
use crate::saved::passages::Passages;
use topoi_core::fields::values::all;
use topoi_core::plot::text::percent;
use topoi_store::corpus::document::Document;
use topoi_store::id::TopicNumber;
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::{Store, StoreError};

/// Most and fewest documents listed per topic.
const DOCUMENTS: (usize, usize) = (6, 3);
/// Documents listed on a page, unless each topic has the fewest.
const ON_PAGE: usize = 400;
/// Characters shown of a text without a title.
const BEGINNING: usize = 80;
/// Characters shown of a title, an author, a date or a key.
const LONGEST: usize = 200;
/// Characters read of a text for each one that is shown of its beginning: texts begin with blank lines.
pub(super) const READ: usize = 3;

/// Finds the documents of a run's topics.
pub(super) struct TypicalDocuments<'a> {
    model: &'a SavedModel<'a>,
    /// Whether the run has proportions of topics in documents.
    has_documents: bool,
    passages: Passages<'a>,
}

impl<'a> TypicalDocuments<'a> {
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn new(model: &'a SavedModel<'_>) -> Result<Self, ExportError> {
        let store = model.store();
        let has_documents = !store.alpha(model.run.id)?.is_empty();
        let passages = Passages::new(store, model.run.corpus_id)?;
        Ok(Self { model, has_documents, passages })
    }

    /// The list for a topic, with `words` marked in the passages; empty for a run without documents.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub(super) fn list(&self, topic: usize, words: &[&str]) -> Result<Markup, ExportError> {
        if !self.has_documents {
            return Ok(Markup::default());
        }
        let (store, topic) = (self.model.store(), TopicNumber::from_index(topic));
        let (most, fewest) = DOCUMENTS;
        let count = (ON_PAGE / self.model.topics.len().max(1)).clamp(fewest, most);
        let mut items = Vec::with_capacity(count);
        for found in store.documents_of_topic(self.model.run.id, topic, count)? {
            items.push(self.item(store, &found, words)?);
        }
        Ok(html! { ol.documents { @for item in &items { (item) } } })
    }

    fn item(
        &self,
        store: &Store,
        found: &TopicDocument,
        words: &[&str],
    ) -> Result<Markup, StoreError> {
        let document = &found.document;
        let title = title(store, document)?;
        let fields = all(store.document_fields(document.id)?.as_deref());
        let Bibliographic { author, published, .. } = Bibliographic::from_fields(&fields);
        let key = if title == document.key { "" } else { &document.key };
        let details = [&author, &published, key].into_iter().filter(|text| !text.is_empty());
        let passage = self.passages.densest(document.id, words)?;
        Ok(html! {
            li {
                cite { (title) } " "
                span.q { @for detail in details { (cut(detail, LONGEST)) " · " } (percent(found.share)) }
                @if !passage.is_empty() {
                    blockquote {
                        @for piece in &passage {
                            @if piece.is_hit { mark { (piece.text) } } @else { (piece.text) }
                        }
                    }
                }
            }
        })
    }
}

/// The title of a document; without one the beginning of its text, and without a text its key.
fn title(store: &Store, document: &Document) -> Result<String, StoreError> {
    if let Some(title) = document.title.as_ref().filter(|title| !title.trim().is_empty()) {
        return Ok(cut(title, LONGEST));
    }
    let beginning = store.document_beginning(document.id, READ * BEGINNING)?.unwrap_or_default();
    let cut = cut(&beginning, BEGINNING);
    Ok(if cut.is_empty() { document.key.clone() } else { cut })
}

/// The first `most` characters of a text in one line, with `…` where it is longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
