//! How the settings of a corpus turn its texts into documents.

use std::sync::atomic::AtomicU64;

use super::chunks::Chunker;
use super::error::Result;
use super::settings::CorpusSettings;
use super::tokens::Tokenizer;
use super::tokens::lexicon::Lexicon;

/// Prepares the documents of an ingest; shared by its sources and threads.
pub(crate) struct Preparer {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) lexicon: Lexicon,
    /// The chunker; `None` if documents are not split.
    pub(crate) chunker: Option<Chunker>,
    /// Number of documents that were decoded as Windows-1252.
    pub(crate) guessed: AtomicU64,
}

impl Preparer {
    /// The preparer for a corpus with these settings. Texts beside a corpus of counts get default settings.
    pub(crate) fn new(settings: &CorpusSettings) -> Result<Self> {
        let (tokens, chunks) = match settings {
            CorpusSettings::Counts => (&Box::default(), None),
            CorpusSettings::Text { tokens, chunks } => (tokens, chunks.as_ref()),
        };
        let tokenizer = Tokenizer::new(tokens);
        let lexicon = Lexicon::new(&tokenizer);
        let chunker = chunks.map(Chunker::new).transpose()?;
        Ok(Self { tokenizer, lexicon, chunker, guessed: AtomicU64::new(0) })
    }
}
