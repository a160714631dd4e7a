//! How the settings of a corpus turn its texts into documents.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use super::error::{IngestError, Result};
use super::formats::opening::Context;
use super::plan::{Planned, plan};
use super::request::IngestRequest;
use super::settings::CorpusSettings;
use super::summary::IngestProgress;
use super::texts::chunks::Chunker;
use super::texts::repairs::TextRepairs;
use super::texts::{LineEndWords, TextMender};
use super::tokens::Tokenizer;
use super::tokens::lexicon::Lexicon;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// Prepares the documents of an ingest; shared by its sources and threads.
pub(crate) struct Preparer {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) lexicon: Lexicon,
    /// The chunker; `None` if documents are not split.
    pub(crate) chunker: Option<Chunker>,
    pub(crate) mender: TextMender,
    /// Number of documents that were decoded as Windows-1252.
    pub(crate) guessed: AtomicU64,
    /// Number of documents that are UTF-8, and were read in the requested encoding all the same.
    pub(crate) mistaken: AtomicU64,
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
        let mender = TextMender::new(tokens.texts);
        Ok(Self {
            tokenizer,
            lexicon,
            chunker,
            mender,
            guessed: AtomicU64::new(0),
            mistaken: AtomicU64::new(0),
        })
    }

    /// The same for the sources of `request`. If words that are parted at line ends are to be joined, all sources are
    /// read once before: what a word is shows in them and in the terms of `corpus`.
    ///
    /// # Errors
    /// [`IngestError::ReadTwice`] for standard input or a pipe; what makes a source impossible to open.
    pub(crate) fn for_sources(
        settings: &CorpusSettings,
        planned: &[Planned],
        request: &IngestRequest,
        corpus: Option<(&Store, &Corpus)>,
        progress: &dyn IngestProgress,
    ) -> Result<Self> {
        let preparer = Self::new(settings)?;
        let repairs = match settings {
            CorpusSettings::Text { tokens, .. } if tokens.texts.hyphens => tokens.texts,
            _ => return Ok(preparer),
        };
        if let Some(pipe) = planned.iter().find(|source| source.open.is_some()) {
            return Err(IngestError::ReadTwice(pipe.name.clone()));
        }
        // All other repairs are made before words at line ends are looked for.
        let before = TextMender::new(TextRepairs { hyphens: false, ..repairs });
        let collected = Mutex::new(LineEndWords::default());
        let collect = |text: String| {
            let mut words = LineEndWords::default();
            words.add(&before.mend(text).0, &preparer.tokenizer);
            collected.lock().unwrap_or_else(PoisonError::into_inner).merge(words);
        };
        let context = Context { request, preparer: &preparer, collector: Some(&collect) };
        read_all(&context, progress)?;
        let words = collected.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_term = |word: &str| match corpus {
            Some((store, corpus)) => {
                let found = store.find_term(corpus.id, word)?;
                Ok::<_, IngestError>(found.is_some_and(|(_, term)| term.document_frequency > 0))
            }
            None => Ok(false),
        };
        let joined = words.joined(&preparer.tokenizer, is_term)?;
        let mender = preparer.mender.with_joined(joined);
        // Documents are counted when they are read for the corpus.
        Ok(Self { mender, guessed: AtomicU64::new(0), mistaken: AtomicU64::new(0), ..preparer })
    }
}

/// Reads all sources for what is collected of their texts. What cannot be read is reported when they are read again.
fn read_all(context: &Context<'_>, progress: &dyn IngestProgress) -> Result<()> {
    for mut source in plan(context.request)? {
        let size = source.path.metadata().ok().filter(|found| found.is_file());
        progress.source(&source.name, size.map(|found| found.len()));
        let mut no_words = |_: &[String]| Ok(Vec::new());
        let Ok(Some(mut batches)) = context.open(&mut source, &mut no_words, None) else {
            continue;
        };
        loop {
            let batch = batches.next_batch();
            progress.advanced(batch.consumed, 0, 0);
            if batch.is_last {
                break;
            }
        }
    }
    Ok(())
}
