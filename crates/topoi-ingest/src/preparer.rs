//! Everything that the settings of a corpus say of how its texts become documents.

use std::sync::atomic::AtomicU64;

use super::chunks::Chunker;
use super::error::Result;
use super::settings::CorpusSettings;
use super::tokens::Tokenizer;
use super::tokens::lexicon::Lexicon;

/// What prepares the documents of an ingest, shared by its sources and threads.
pub(crate) struct Preparer {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) lexicon: Lexicon,
    /// What cuts texts into chunks; `None` where each is a document as it stands.
    pub(crate) chunker: Option<Chunker>,
    /// How many documents were taken for Windows-1252.
    pub(crate) guessed: AtomicU64,
}

impl Preparer {
    /// Prepares as in a corpus of these settings; texts beside one of counted words as usual.
    pub(crate) fn new(settings: &CorpusSettings) -> Result<Self> {
        let (tokens, chunks) = match settings {
            CorpusSettings::Counts => (&Box::default(), None),
            CorpusSettings::Text { tokens, chunks } => (tokens, chunks.as_ref()),
        };
        let tokenizer = Tokenizer::new(tokens);
        let lexicon = Lexicon::of(&tokenizer);
        let chunker = chunks.map(Chunker::new).transpose()?;
        Ok(Self { tokenizer, lexicon, chunker, guessed: AtomicU64::new(0) })
    }
}
