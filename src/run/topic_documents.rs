//! The documents in which most is about a topic.

use super::request::RunSettings;
use super::work::WorkError;
use crate::progress::Progress;
use crate::store::Store;
use crate::store::blocks::CorpusBlocks;
use crate::store::document::Document;
use crate::store::run::Run;
use crate::stream::documents::Documents;

/// A document and how much of it is about a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicDocument {
    /// The document.
    pub document: Document,
    /// The mean of p(topic | word) over its tokens.
    pub share: f64,
}

/// The `count` documents of the highest mean of p(topic | word) over their tokens in the run's
/// vocabulary, with p(topic | word) from the run's B and p(topic) by Bayes' rule. A word's topic
/// is judged by the word alone here, not by its document as inference would. All documents of the
/// corpus as it is now are looked at; equal shares go to the earlier document.
///
/// # Cost
/// One pass over the corpus.
///
/// # Errors
/// When the run has no such topic, the store cannot be read, or on cancel.
pub fn topic_documents(
    store: &Store,
    run: &Run,
    topic: u64,
    count: usize,
    progress: &dyn Progress,
) -> Result<Vec<TopicDocument>, WorkError> {
    let (positions, shares) = topic_of_words(store, run, topic as usize)?;
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    let min_tokens = RunSettings::of(run)?.min_tokens;
    let documents = Documents::new(&blocks, &positions, min_tokens, progress);
    let mut best: Vec<(f64, i64)> = Vec::new();
    let all = 0..documents.block_sizes().len();
    documents.visit(all, |batch| {
        for (&id, (words, counts, length)) in batch.ids.iter().zip(batch.documents()) {
            let sum: f64 = words.iter().zip(counts).map(|(&w, n)| shares[w as usize] * n).sum();
            best.push((sum / length, id));
        }
        best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.truncate(count);
    })?;
    let mut found = Vec::new();
    for (share, id) in best {
        found.extend(store.document(id)?.map(|document| TopicDocument { document, share }));
    }
    Ok(found)
}

/// The positions of the vocabulary's terms, ascending, and p(topic | word) of each.
fn topic_of_words(
    store: &Store,
    run: &Run,
    topic: usize,
) -> Result<(Vec<u32>, Vec<f64>), WorkError> {
    let vocabulary = super::recompute::vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = super::recompute::read_topics(run, &saved, &vocabulary)?;
    if topic >= saved.len() {
        return Err(WorkError::NoTopics { run: run.id });
    }
    let share = |word: usize| {
        let joint = |t: usize| topics[(word, t)] * saved[t].weight;
        let all: f64 = (0..saved.len()).map(joint).sum();
        if all > 0.0 { joint(topic) / all } else { 0.0 }
    };
    let shares = (0..topics.nrows()).map(share).collect();
    Ok((vocabulary.positions, shares))
}
