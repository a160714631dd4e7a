//! The texts of a corpus as sequences of a run's words.

use std::collections::HashMap;
use std::sync::Mutex;

use super::material::Texts;
use topoi_core::metric::coherence::windows::{NOT_A_WORD, TokenSequences};
use topoi_core::progress::Progress;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::Result;
use topoi_ingest::tokens::given::GivenTokens;
use topoi_ingest::{CorpusSettings, Tokenizer};
use topoi_store::corpus::texts::CorpusTexts;
use topoi_store::id::DocumentId;
use topoi_store::{Access, Store};

/// The texts of the documents of a run, tokenized again by the saved settings of the corpus: the ingested tokens in
/// their order, without stop words and words of excluded lengths. Every block of documents is a part.
pub struct TextSequences<'a> {
    documents: &'a Documents<'a>,
    texts: CorpusTexts,
    ids_from: i64,
    tokenizer: Tokenizer,
    /// Only for look-ups, as the order of iteration differs between processes.
    word_of: HashMap<String, u32>,
    progress: &'a dyn Progress,
    done: Mutex<u64>,
}

impl<'a> TextSequences<'a> {
    /// The texts of `documents`; `None` if one of the corpus's documents up to the last of them has no text. `words`
    /// is the vocabulary in its order. Every visited document is a step of `progress`.
    pub fn open(
        of: Texts<'_>,
        words: Vec<String>,
        documents: &'a Documents<'a>,
        progress: &'a dyn Progress,
    ) -> Result<Option<Self>> {
        let Texts { path, corpus_id, ids_from } = of;
        let store = Store::open(path, Access::Read)?;
        let settings = store.corpus_by_id(corpus_id)?.settings;
        let Ok(CorpusSettings::Text { tokens, .. }) = serde_json::from_str(&settings) else {
            return Ok(None);
        };
        let Some(texts) =
            CorpusTexts::open(&store, corpus_id, DocumentId(last_id(documents)? - ids_from))?
        else {
            return Ok(None);
        };
        Ok(Some(Self {
            documents,
            texts,
            ids_from,
            tokenizer: Tokenizer::new(&tokens),
            word_of: words.into_iter().zip(0..).collect(),
            progress,
            done: Mutex::new(0),
        }))
    }

    fn find_words(&self, text: &str, given: Option<&str>, words: &mut Vec<u32>) {
        words.clear();
        let mut push =
            |token: &str| words.push(self.word_of.get(token).copied().unwrap_or(NOT_A_WORD));
        match given.and_then(GivenTokens::from_json) {
            Some(given) => given.terms().for_each(push),
            None => self.tokenizer.each_token(text, &mut push),
        }
    }
}

/// The id of the last document that is kept; 0 if none is.
fn last_id(documents: &Documents<'_>) -> Result<i64> {
    let mut last = 0;
    for block in (0..documents.block_sizes().len()).rev() {
        documents.visit(block..block + 1, |batch| last = batch.ids.last().copied().unwrap_or(0))?;
        if last > 0 {
            break;
        }
    }
    Ok(last)
}

impl TokenSequences for TextSequences<'_> {
    fn parts(&self) -> usize {
        self.documents.block_sizes().len()
    }

    fn visit(&self, part: usize, visit: &mut dyn FnMut(&[u32])) -> Result<()> {
        let mut ids = Vec::new();
        self.documents.visit(part..part + 1, |batch| {
            ids.extend(batch.ids.iter().map(|id| DocumentId(id - self.ids_from)));
        })?;
        let mut words = Vec::new();
        self.texts.visit(&ids, |text, tokens| {
            self.find_words(text, tokens, &mut words);
            visit(&words);
        })?;
        // Reported under the lock, so that steps never decrease.
        let mut done = self.done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *done += ids.len() as u64;
        self.progress.step(*done, None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use topoi_core::stream::error::StreamError;
    use topoi_ingest::{IngestRequest, NoProgress, ingest};
    use topoi_store::block::blocks::CorpusBlocks;
    use topoi_store::id::CorpusId;

    /// Records steps, and cancels on request.
    #[derive(Default)]
    struct RecordedSteps {
        steps: Mutex<Vec<u64>>,
        stop: AtomicBool,
    }

    impl Progress for RecordedSteps {
        fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
        fn step(&self, step: u64, _residual: Option<f64>) {
            self.steps.lock().expect("no panic").push(step);
        }
        fn cancelled(&self) -> bool {
            self.stop.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn tokens_are_those_that_were_ingested_and_a_cancel_stops_the_reading() {
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("lines.txt");
        let lines = "The Kernel of a kernels machine\nonly short\nmachine, of the kernel\n";
        std::fs::write(&file, lines).expect("write");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let request = IngestRequest::new("c", [file.clone()]);
        ingest(&store, &request, &NoProgress).expect("ingest");
        let terms = store.terms(CorpusId(1)).expect("terms");
        let positions: Vec<u32> = (0u32..)
            .zip(&terms)
            .filter(|(_, term)| ["kernel", "machine"].contains(&term.text.as_str()))
            .map(|(position, _)| position)
            .collect();
        let blocks = CorpusBlocks::open(&store, CorpusId(1)).expect("blocks");
        let watched = RecordedSteps::default();
        let documents = Documents::new(&blocks, &positions, 2, &watched);
        let words = vec!["kernel".to_string(), "machine".to_string()];
        let of = Texts { path: store.path(), corpus_id: CorpusId(1), ids_from: 0 };
        let texts = TextSequences::open(of, words, &documents, &watched);
        let texts = texts.expect("read").expect("text");
        let mut seen = Vec::new();
        texts.visit(0, &mut |tokens| seen.push(tokens.to_vec())).expect("read");
        // "kernels" is a word of its own, outside this vocabulary.
        assert_eq!(seen, [vec![0, NOT_A_WORD, 1], vec![1, 0]]);
        assert_eq!(*watched.steps.lock().expect("no panic"), [2]);
        watched.stop.store(true, Ordering::Relaxed);
        let stopped = texts.visit(0, &mut |_| ());
        assert!(matches!(stopped, Err(StreamError::Cancelled)));
    }
}
