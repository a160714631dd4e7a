//! Words and phrases in their texts: each occurrence with its source, the words beside them, and how often groups of
//! documents have them.

pub mod collocates;
pub mod usage;

use topoi_ingest::search::context::Context;
use topoi_store::corpus::Corpus;
use topoi_store::note::Passage;
use topoi_store::{Store, StoreError};

use crate::notes::citation::{CitationForm, Cited, field_of};
use crate::notes::passage_near;

/// An occurrence with where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedContext {
    /// The occurrence.
    pub context: Context,
    /// The author that the document's fields name.
    pub author: Option<String>,
    /// The date that they name.
    pub date: Option<String>,
    /// The document and the occurrence's place in it, in the form for citations.
    pub source: String,
    /// The sentences around it.
    pub passage: Option<Passage>,
}

/// The occurrences with their sources and passages. Reads the text and fields of each document once.
///
/// # Errors
/// When the store cannot be read.
pub fn cited(
    store: &Store,
    corpus: &Corpus,
    contexts: Vec<Context>,
    form: &CitationForm,
) -> Result<Vec<CitedContext>, StoreError> {
    let mut of_document = std::collections::HashMap::new();
    let mut rows = Vec::with_capacity(contexts.len());
    for context in contexts {
        let id = context.document;
        if let std::collections::hash_map::Entry::Vacant(entry) = of_document.entry(id) {
            let text = store.document_text(id)?.unwrap_or_default();
            entry.insert((store.document(id)?, store.document_fields(id)?, text));
        }
        let Some((Some(document), fields, text)) = of_document.get(&id) else { continue };
        let place = context.start..context.start + context.hit.chars().count() as u64;
        let fields = fields.as_deref();
        let cited = Cited { corpus: &corpus.name, document, fields, place: Some(&place) };
        rows.push(CitedContext {
            passage: passage_of(text, &context),
            author: field_of("author", fields),
            date: field_of("date", fields),
            source: form.cite(cited),
            context,
        });
    }
    Ok(rows)
}

fn passage_of(text: &str, context: &Context) -> Option<Passage> {
    let start = text.char_indices().nth(usize::try_from(context.start).ok()?)?.0;
    // The occurrence as it is in the text can have more whitespace.
    let words = context.hit.split_whitespace();
    let end = words
        .fold(start, |at, word| text[at..].find(word).map_or(at, |found| at + found + word.len()));
    Some(passage_near(&context.key, text, start..end))
}
