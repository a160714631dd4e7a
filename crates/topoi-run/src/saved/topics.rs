//! The topics of a saved run: words by several rankings, documents, and input for a semi-synthetic corpus.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

use crate::request::RunSettings;
use crate::work::recompute::{read_topics, vocabulary};
use crate::work::work_error::WorkError;
use topoi_core::metric::run_process::{REFINE_STEPS, SWEEPS};
use topoi_core::metric::words::ranking::{Ranking, RankingInput, by_relevance};
use topoi_core::synth::Topic;
use topoi_store::corpus::Corpus;
use topoi_store::id::{RunId, TermId, TopicNumber};
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::Word;
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// All words of all topics of a run, which can be ranked repeatedly.
#[derive(Debug)]
pub struct RankedTopics {
    words: Vec<String>,
    counts: Vec<u64>,
    topics: Array2<f64>,
    weights: Array1<f64>,
}

impl RankedTopics {
    /// Reads the topics of `run`.
    pub fn from_run(store: &Store, run: &Run) -> Result<Self, WorkError> {
        let vocabulary = vocabulary(store, run)?;
        let saved = store.saved_topics(run.id)?;
        let topics = read_topics(run, &saved, &vocabulary)?;
        let weights = saved.iter().map(|topic| topic.shares.document_share).collect();
        Ok(Self { words: vocabulary.words, counts: vocabulary.counts, topics, weights })
    }

    /// The `count` first words of every topic by `ranking`, with their probabilities.
    pub fn first_words(&self, ranking: Ranking, count: usize) -> Vec<Vec<Word>> {
        self.named(ranking.top_words(self.ranked(), count))
    }

    /// The `count` words of every topic with the highest relevance at `lambda`, from 0 to 1.
    pub fn relevant_words(&self, lambda: f64, count: usize) -> Vec<Vec<Word>> {
        self.named(by_relevance(self.ranked(), lambda, count))
    }

    fn ranked(&self) -> RankingInput<'_> {
        RankingInput { topics: &self.topics, weights: &self.weights, counts: &self.counts }
    }

    fn named(&self, lists: Vec<Vec<usize>>) -> Vec<Vec<Word>> {
        let words = lists.into_iter().zip(self.topics.columns()).map(|(list, probabilities)| {
            let word =
                |at: usize| Word { word: self.words[at].clone(), probability: probabilities[at] };
            list.into_iter().map(word).collect()
        });
        words.collect()
    }
}

/// The newest finished run of a corpus on all of its documents.
///
/// # Errors
/// When the store cannot be read.
pub fn newest_run(store: &Store, corpus: &Corpus) -> Result<Option<Run>, StoreError> {
    let is_wanted = |run: &Run| {
        run.corpus_id == corpus.id
            && run.status == RunStatus::Finished
            && !RunSettings::is_half(run)
    };
    Ok(store.runs()?.into_iter().find(is_wanted))
}

/// Whether the topics of a run with these metrics were refined, so that its anchors are those of the topics before
/// refining.
pub fn are_refined(metrics: &[Metric]) -> bool {
    metrics.iter().any(|metric| [REFINE_STEPS.id, SWEEPS.id].contains(&metric.name.as_str()))
}

/// The `count` documents with the largest saved proportions θ of a topic; of equal ones, the earlier document.
/// Deleted documents are skipped.
///
/// # Errors
/// [`StoreError::UnknownTopic`] if the run has no such topic, [`WorkError::NoDocuments`] if it has no topics of
/// documents, [`WorkError::DocumentsInParts`] if they are in other stores.
pub fn topic_documents(
    store: &Store,
    run: &Run,
    topic: TopicNumber,
    count: usize,
) -> Result<Vec<TopicDocument>, WorkError> {
    if topic.index() >= store.topic_labels(run.id)?.len() {
        return Err(StoreError::UnknownTopic { run: run.id, topic }.into());
    }
    if let Some(parts) = store.parts_elsewhere(run.corpus_id)? {
        return Err(WorkError::DocumentsInParts { run: run.id, parts });
    }
    if store.alpha(run.id)?.is_empty() {
        return Err(WorkError::NoDocuments { run: run.id });
    }
    Ok(store.documents_of_topic(run.id, topic, count)?)
}

/// Why no corpus can be drawn from the topics of a run.
#[derive(Debug, thiserror::Error)]
pub enum SemiTopicsError {
    /// The store could not be read.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run is not finished, or saved no topics.
    #[error("run {run} is {status} and has no topics to draw from")]
    NoTopics {
        /// Row id of the run.
        run: RunId,
        /// One word for its status.
        status: &'static str,
    },
}

/// The words of a run's vocabulary, by position, and its topics over them: the input of
/// [`topoi_core::synth::semi::semi`].
pub fn semi_topics(
    store: &Store,
    run: RunId,
) -> Result<(Vec<String>, Vec<Topic>), SemiTopicsError> {
    let row = store.run(run)?;
    let saved = store.saved_topics(run)?;
    let vocabulary = row.vocabulary_id.filter(|_| !saved.is_empty());
    let Some(vocabulary) = vocabulary else {
        return Err(SemiTopicsError::NoTopics { run, status: row.status.as_str() });
    };
    let ids = store.vocabulary(vocabulary)?.term_ids;
    let mut texts: HashMap<TermId, String> =
        store.terms(row.corpus_id)?.into_iter().map(|term| (term.id, term.text)).collect();
    let numbers: HashMap<TermId, u32> = ids.iter().copied().zip(0..).collect();
    let words = ids.iter().map(|id| texts.remove(id).unwrap_or_default()).collect();
    let topic = |terms: &[(TermId, f64)]| {
        let mut topic: Topic =
            terms.iter().filter_map(|(id, p)| Some((*numbers.get(id)?, *p))).collect();
        topic.sort_by_key(|&(word, _)| word);
        topic
    };
    Ok((words, saved.iter().map(|saved| topic(&saved.terms)).collect()))
}
