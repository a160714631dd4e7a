//! The passages of documents in which words are closest together.

use topoi_ingest::search::snippet::{Piece, densest_passage};
use topoi_ingest::{CorpusSettings, Tokenizer};
use topoi_store::id::{CorpusId, DocumentId};
use topoi_store::{Store, StoreError};

/// Characters of a passage.
pub const PASSAGE: usize = 360;

/// Finds passages in the texts of a corpus.
#[derive(Debug)]
pub struct Passages<'a> {
    store: &'a Store,
    /// `None` for a corpus of counts.
    tokenizer: Option<Tokenizer>,
}

impl<'a> Passages<'a> {
    /// # Errors
    /// If the store cannot be read, or has no such corpus.
    pub fn new(store: &'a Store, corpus: CorpusId) -> Result<Self, StoreError> {
        let settings = store.corpus_by_id(corpus)?.settings;
        Ok(Self { store, tokenizer: CorpusSettings::tokenizer(&settings) })
    }

    /// The part of a document's text, of [`PASSAGE`] characters, in which `words` are closest together; empty without a
    /// text. Texts are searched up to their first 256 KB.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn densest(&self, document: DocumentId, words: &[&str]) -> Result<Vec<Piece>, StoreError> {
        let Some(tokenizer) = &self.tokenizer else { return Ok(Vec::new()) };
        let Some(text) = self.store.document_text(document)? else { return Ok(Vec::new()) };
        let tokens = self.store.document_tokens(document)?;
        Ok(densest_passage(&text, tokenizer, tokens.as_deref(), words, PASSAGE))
    }
}
