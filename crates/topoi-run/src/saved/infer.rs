//! Inference of the topics of new documents from a saved run.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::work::about_documents::TOLERANCE;
use crate::work::recompute::{read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::metric::run_process::TOKENS_USED;
use topoi_core::model::documents::cvb0::{Cvb0, Cvb0Buffers};
use topoi_core::model::documents::topic_rows::{DocumentCounts, TopicRows};
use topoi_core::stream::parts::{Parts, share_made};
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::corpus::Corpus;
use topoi_store::id::TopicNumber;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// The topics of a run, ready for inference.
#[derive(Debug)]
pub struct Inference {
    rows: TopicRows,
    alpha: Vec<f64>,
    /// Only for look-ups, as the order of iteration differs between processes.
    word: HashMap<String, u32>,
}

/// The topics of a new document.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// Tokens in the run's vocabulary.
    pub tokens: u64,
    /// Tokens outside of it.
    pub unknown: u64,
    /// All topics with their proportions, which sum to 1. The largest is first; of equal ones, the lower number.
    pub topics: Vec<(TopicNumber, f64)>,
}

impl Inference {
    /// Reads B and α as `run` saved them.
    ///
    /// # Errors
    /// [`WorkError::NoTopics`], [`WorkError::NoDocuments`].
    pub fn from_run(store: &Store, run: &Run) -> Result<Self, WorkError> {
        let vocabulary = vocabulary(store, run)?;
        let topics = read_topics(run, &store.saved_topics(run.id)?, &vocabulary)?;
        let alpha = store.alpha(run.id)?;
        if alpha.len() != topics.ncols() {
            return Err(WorkError::NoDocuments { run: run.id });
        }
        let tokens = store.run_metric(run.id, TOKENS_USED.id)?.unwrap_or_default();
        let rows = TopicRows::with_smoothing(&topics, tokens);
        Ok(Self { rows, alpha, word: vocabulary.words.into_iter().zip(0..).collect() })
    }

    /// Whether a term is in the run's vocabulary.
    pub fn knows(&self, term: &str) -> bool {
        self.word.contains_key(term)
    }

    /// The topic proportions of a document with these terms and counts. A document with the words of one that the run
    /// was fitted to gets the saved proportions of that document, to the bit. A document without words of the
    /// vocabulary gets α/α₀, the prior mean.
    pub fn infer<'t>(&self, terms: impl Iterator<Item = (&'t str, u64)>) -> Inferred {
        let (mut tokens, mut unknown) = (0, 0);
        let mut entries: Vec<(u32, u64)> = Vec::new();
        for (term, count) in terms {
            match self.word.get(term) {
                Some(&word) => {
                    entries.push((word, count));
                    tokens += count;
                }
                None => unknown += count,
            }
        }
        entries.sort_unstable();
        let (mut words, mut counts): (Vec<u32>, Vec<f64>) = (Vec::new(), Vec::new());
        for (word, count) in entries {
            match counts.last_mut().filter(|_| words.last() == Some(&word)) {
                Some(sum) => *sum += count as f64,
                None => {
                    words.push(word);
                    counts.push(count as f64);
                }
            }
        }
        let mut work = Cvb0Buffers::default();
        let proportions = Cvb0::new(&self.rows, &self.alpha, TOLERANCE);
        proportions.infer(DocumentCounts { words: &words, counts: &counts }, &mut work);
        let mut topics: Vec<(TopicNumber, f64)> =
            (0..).map(TopicNumber).zip(work.theta().iter().copied()).collect();
        topics.truncate(self.alpha.len());
        topics.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Inferred { tokens, unknown, topics }
    }
}

/// The share of a topic in the documents of another corpus.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct TopicInCorpus {
    /// Its number.
    pub topic: TopicNumber,
    /// Its share of the documents that the run was made from: the mean of their proportions.
    pub here: f64,
    /// Its share of the other corpus's documents.
    pub there: f64,
    /// Standard error of `there`, for documents drawn as these were; `None` for fewer than two.
    pub there_error: Option<f64>,
}

/// The topics of a run in another corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusInference {
    /// The topics by number.
    pub topics: Vec<TopicInCorpus>,
    /// Documents with a word of the run's vocabulary, and without.
    pub documents: (u64, u64),
    /// Tokens in the run's vocabulary, and outside of it.
    pub tokens: (u64, u64),
}

/// Infers the topics of every `every`th document of a corpus (1: of all) and returns their means. Documents without a
/// word of the run's vocabulary are left out. One pass over the corpus's blocks.
///
/// # Errors
/// When the store cannot be read.
pub fn infer_corpus(
    store: &Store,
    inference: &Inference,
    run: &Run,
    corpus: &Corpus,
    every: u64,
) -> Result<CorpusInference, StoreError> {
    InferredSums::read(store, inference, corpus, every)?.means(store, run)
}

/// As [`infer_corpus`], of all documents of a corpus in parts: all parts call this with their stores and the run as they have
/// it, and have the same answer.
///
/// # Errors
/// When one of the stores cannot be read.
pub fn infer_in_parts(
    store: &Store,
    run: &Run,
    corpus: &str,
    parts: &dyn Parts,
) -> Result<CorpusInference, WorkError> {
    let own = Inference::from_run(store, run).and_then(|inference| {
        Ok(InferredSums::read(store, &inference, &store.corpus(corpus)?, 1)?)
    });
    let all = share_made(parts, own)?.into_iter().reduce(InferredSums::and);
    Ok(all.unwrap_or_default().means(store, run)?)
}

/// Sums over inferred documents.
#[derive(Debug, Default, Serialize, Deserialize)]
struct InferredSums {
    /// Σ θ and Σ θ² of each topic.
    topics: Vec<(f64, f64)>,
    documents: (u64, u64),
    tokens: (u64, u64),
}

impl InferredSums {
    fn read(
        store: &Store,
        inference: &Inference,
        corpus: &Corpus,
        every: u64,
    ) -> Result<Self, StoreError> {
        let terms: Vec<String> =
            store.terms(corpus.id)?.into_iter().map(|term| term.text).collect();
        let mut topics = vec![(0.0, 0.0); inference.alpha.len()];
        let (mut documents, mut tokens) = ((0, 0), (0, 0));
        let mut turn = (0..every.max(1)).cycle();
        let blocks = CorpusBlocks::open(store, corpus.id)?;
        blocks.visit::<StoreError>(0..blocks.sizes().len(), &mut |block| {
            for (_, positions, counts) in block.documents() {
                if turn.next() != Some(0) {
                    continue;
                }
                let words = positions.iter().map(|&position| terms[position as usize].as_str());
                let found =
                    inference.infer(words.zip(counts.iter().map(|&count| u64::from(count))));
                tokens = (tokens.0 + found.tokens, tokens.1 + found.unknown);
                if found.tokens == 0 {
                    documents.1 += 1;
                    continue;
                }
                documents.0 += 1;
                for (topic, share) in found.topics {
                    let (sum, squares) = &mut topics[topic.index()];
                    (*sum, *squares) = (*sum + share, *squares + share * share);
                }
            }
            Ok(())
        })?;
        Ok(Self { topics, documents, tokens })
    }

    fn and(mut self, other: Self) -> Self {
        for (own, other) in self.topics.iter_mut().zip(other.topics) {
            *own = (own.0 + other.0, own.1 + other.1);
        }
        let both = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        self.documents = both(self.documents, other.documents);
        self.tokens = both(self.tokens, other.tokens);
        self
    }

    fn means(self, store: &Store, run: &Run) -> Result<CorpusInference, StoreError> {
        let Self { topics, documents, tokens } = self;
        let n = documents.0 as f64;
        let here = store.topics(run.id, 1)?;
        let topic = |(number, (sum, square)): (usize, (f64, f64))| {
            let there = if n > 0.0 { sum / n } else { 0.0 };
            let variance = (square - n * there * there).max(0.0) / (n - 1.0);
            TopicInCorpus {
                topic: TopicNumber::from_index(number),
                here: here.get(number).map_or(0.0, |topic| topic.shares.document_share),
                there,
                there_error: (n > 1.0).then(|| (variance / n).sqrt()),
            }
        };
        let topics = topics.into_iter().enumerate().map(topic).collect();
        Ok(CorpusInference { topics, documents, tokens })
    }
}
