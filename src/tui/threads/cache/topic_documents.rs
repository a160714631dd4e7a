//! The documents of a topic as a list shows them: what they are called, and where they speak of it.

use crate::cli::remedy::explained;
use topoi_ingest::CorpusSettings;
use topoi_ingest::search::snippet::{Piece, around_terms};
use topoi_run::saved::topics::topic_documents;
use topoi_run::work::work_error::WorkError;
use topoi_store::corpus::document::Document;
use topoi_store::id::{DocumentId, TopicNumber};
use topoi_store::result::topic::Topic;
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Documents of a topic that are listed.
pub const DOCUMENTS: usize = 300;
/// Letters of a document that are shown in place of a title.
pub const BEGINNING: usize = 120;
/// The letters of a snippet.
const SNIPPET: usize = 220;
/// Words of a document without a text that are shown in place of a snippet.
const COUNTED_WORDS: usize = 12;

/// The documents that are most about a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocuments {
    pub topic: TopicNumber,
    /// The largest share first, or why there are none.
    pub found: Result<Vec<DocumentLine>, String>,
}

/// A document of a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentLine {
    pub document: Document,
    /// The share of the topic in it.
    pub share: f64,
    /// Its title, else its first words; empty where it has neither.
    pub name: String,
    /// Where it has most of the topic's words.
    pub snippet: Vec<Piece>,
}

/// Looks the documents of a topic up, and where in them its words are.
///
/// # Errors
/// When the store cannot be read.
pub fn find(store: &Store, run: &Run, topic: &Topic) -> Result<TopicDocuments, StoreError> {
    let number = topic.topic;
    let found = match topic_documents(store, run, number, DOCUMENTS) {
        Ok(found) => found,
        Err(WorkError::Store(error)) => return Err(error),
        Err(error) => return Ok(TopicDocuments { topic: number, found: Err(explained(&error)) }),
    };
    Ok(TopicDocuments { topic: number, found: Ok(lines(store, run, topic, found)?) })
}

/// What documents are called, and where they have words of the topic.
///
/// # Errors
/// When the store cannot be read.
pub fn lines(
    store: &Store,
    run: &Run,
    topic: &Topic,
    found: Vec<TopicDocument>,
) -> Result<Vec<DocumentLine>, StoreError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let tokenizer = CorpusSettings::tokenizer(&corpus.settings);
    let terms: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
    let line = |found: TopicDocument| {
        let (document, share) = (found.document, found.share);
        let text = store.document_text(document.id)?.unwrap_or_default();
        let snippet = match tokenizer.as_ref().filter(|_| !text.is_empty()) {
            Some(tokenizer) => {
                let tokens = store.document_tokens(document.id)?;
                around_terms(&text, tokenizer, tokens.as_deref(), &terms, SNIPPET)
            }
            None => counted(store, document.id, &terms)?,
        };
        let name = document.title.clone().unwrap_or_else(|| beginning(&text));
        Ok(DocumentLine { document, share, name, snippet })
    };
    found.into_iter().map(line).collect()
}

/// The first words of a text, on one line.
pub fn beginning(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if words.len() >= BEGINNING {
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().take(BEGINNING));
    }
    words
}

/// The terms that a document without a text has of those, with their counts.
fn counted(store: &Store, document: DocumentId, terms: &[&str]) -> Result<Vec<Piece>, StoreError> {
    let counts = store.document_counts(document)?.into_iter();
    let own = counts.filter(|(term, _)| terms.contains(&term.as_str())).take(COUNTED_WORDS);
    let pieces = own.flat_map(|(term, count)| {
        [Piece { text: term, is_hit: true }, Piece { text: format!(" {count}  "), is_hit: false }]
    });
    Ok(pieces.collect())
}
