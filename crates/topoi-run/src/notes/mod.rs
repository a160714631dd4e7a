//! Notes and bookmarks: passages by their quote, sources in a form for citations, and Markdown of them.

pub mod citation;
mod markdown;

use topoi_ingest::search::passage::passage_around;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::document::Document;
use topoi_store::note::{NewNote, NoteSubject, Passage};
use topoi_store::{Store, StoreError};

use self::citation::{CitationForm, Cited};

pub use self::markdown::markdown;

/// Why nothing is noted.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// The document's text does not have the quote.
    #[error(
        "the text of {key} has no {quote:?}; a quote is as the text has it, with any whitespace between words"
    )]
    NotInText { key: String, quote: String },
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The passage of a document with this quote: the first place of its text that has these words, however they are
/// parted by whitespace.
///
/// # Errors
/// [`NoteError::NotInText`].
pub fn passage_of_quote(
    store: &Store,
    document: &Document,
    quote: &str,
) -> Result<Passage, NoteError> {
    let text = store.document_text(document.id)?.unwrap_or_default();
    let words: Vec<&str> = quote.split_whitespace().collect();
    let found = words.first().and_then(|first| {
        let starts = text.match_indices(first).map(|(at, _)| at);
        starts.filter_map(|at| Some(at..at + length_of_words(&text[at..], &words)?)).next()
    });
    let found = found.ok_or_else(|| NoteError::NotInText {
        key: document.key.clone(),
        quote: words.join(" ").chars().take(80).collect(),
    })?;
    Ok(passage_at(&document.key, &text, found))
}

/// Bytes that these words have at the beginning of `text`, with the whitespace between them.
fn length_of_words(text: &str, words: &[&str]) -> Option<usize> {
    let mut rest = text;
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            let trimmed = rest.trim_start();
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
        }
        rest = rest.strip_prefix(word)?;
    }
    Some(text.len() - rest.len())
}

/// The bytes of `place` in the text of a document as a passage.
pub fn passage_at(key: &str, text: &str, place: std::ops::Range<usize>) -> Passage {
    let start = text[..place.start].chars().count() as u64;
    Passage { document: key.into(), start, quote: text[place].to_string() }
}

/// The sentences around a place of a document's text, as a passage.
pub fn passage_near(key: &str, text: &str, place: std::ops::Range<usize>) -> Passage {
    passage_at(key, text, passage_around(text, place))
}

/// The source of a document, or of a passage of it.
///
/// # Errors
/// When the store cannot be read.
pub fn source_of(
    store: &Store,
    corpus: &Corpus,
    document: &Document,
    passage: Option<&Passage>,
    form: &CitationForm,
) -> Result<String, StoreError> {
    let fields = store.document_fields(document.id)?;
    let place =
        passage.map(|passage| passage.start..passage.start + passage.quote.chars().count() as u64);
    Ok(form.cite(Cited {
        corpus: &corpus.name,
        document,
        fields: fields.as_deref(),
        place: place.as_ref(),
    }))
}

/// Saves a note, with the source of the document or passage that it is about.
///
/// # Errors
/// What [`Store::id_of_document`] and [`Store::save_note`] refuse.
pub fn save_note(
    store: &Store,
    corpus: &Corpus,
    subject: NoteSubject,
    (text, by): (String, String),
    form: &CitationForm,
) -> Result<(), StoreError> {
    let source = match subject.document() {
        Some(key) => {
            let id = store.id_of_document(corpus, key)?;
            match store.document(id)? {
                Some(document) => {
                    Some(source_of(store, corpus, &document, subject.passage(), form)?)
                }
                None => None,
            }
        }
        None => None,
    };
    store.save_note(&NewNote { corpus: corpus.id, subject, source, text, by })
}
