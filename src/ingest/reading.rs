//! Documents of sources as their words, without a corpus to add them to.

use super::batches::record::Prepared;
use super::batches::{Batch, Item};
use super::error::Result;
use super::formats::Context;
use super::plan::plan;
use super::request::{IngestRequest, OnError};
use super::settings::CorpusSettings;
use super::tokens::Tokenizer;
use super::tokens::lexicon::Lexicon;

/// A document as its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDocument {
    /// Its key.
    pub key: String,
    /// Its title, where the source gives one.
    pub title: Option<String>,
    /// Its terms with their counts; a term may stand more than once.
    pub terms: Vec<(String, u32)>,
}

/// Calls `visit` with each document of the sources of `request`, in order. Text becomes words as
/// in a corpus of the settings `saved` (JSON), and as usual where that corpus holds counted words.
/// Writes nothing. Documents that cannot be read are passed over if the request says so, and those
/// without a word come with no terms.
///
/// # Errors
/// When a source is not there or not as it should be.
pub fn read_documents(
    request: &IngestRequest,
    saved: &str,
    visit: &mut dyn FnMut(ReadDocument),
) -> Result<()> {
    request.check()?;
    let tokens = match CorpusSettings::from_json(saved) {
        Some(CorpusSettings::Text { tokens }) => tokens,
        _ => super::tokens::token_settings::TokenSettings::default(),
    };
    let (tokenizer, lexicon) = (Tokenizer::new(&tokens), Lexicon::default());
    let context = Context { request, tokenizer: &tokenizer, lexicon: &lexicon };
    for path in request.files()? {
        let mut source = plan(path, request)?;
        let mut words = Vec::new();
        let mut place = |of_source: &[String]| {
            words = of_source.to_vec();
            Ok((0..of_source.len() as u32).collect())
        };
        let Some(mut batches) = context.open(&mut source, &mut place, None)? else { continue };
        loop {
            let Batch { items, is_last, .. } = batches.next_batch();
            for item in items {
                match item {
                    Item::Document(_, document) => visit(as_words(document, &words)),
                    Item::Empty { key, .. } => {
                        visit(ReadDocument { key, title: None, terms: Vec::new() });
                    }
                    Item::Mistake(_) if request.on_error == OnError::Skip => {}
                    Item::Mistake(mistake) => return Err(mistake.into()),
                }
            }
            if is_last {
                break;
            }
        }
    }
    Ok(())
}

fn as_words(document: Prepared, words: &[String]) -> ReadDocument {
    let Prepared { key, title, entries, new, .. } = document;
    let word = |position: u32| words.get(position as usize).cloned().unwrap_or_default();
    let entries = entries.into_iter().map(|(position, count)| (word(position), count));
    let named = new.into_iter().map(|new| (new.term, new.count));
    ReadDocument { key, title, terms: entries.chain(named).collect() }
}
