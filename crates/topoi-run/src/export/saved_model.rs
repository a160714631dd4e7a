//! A saved run, read for export.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

use super::error::ExportError;
use super::figures::TopicSummary;
use crate::coverage::Coverage;
use crate::judging::scores::{metrics_with_scores, scores_of};
use crate::work::work_error::WorkError;
use topoi_core::judge::scores::TaskScores;
use topoi_core::metric::run_process::TOKENS_USED;
use topoi_core::model::topic_model::TopicLabel;
use topoi_store::id::{DocumentId, RunId, TermId};
use topoi_store::result::document_topic::DocumentTopics;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::SavedTopic;
use topoi_store::result::topic_shares::TopicShares;
use topoi_store::result::warning::Warning;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// A topic with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedTopic {
    /// Its shares of the corpus.
    pub shares: TopicShares,
    /// The label a user gave it.
    pub label: Option<String>,
    /// The row of its anchor word in B.
    pub anchor: Option<usize>,
    /// α of its Dirichlet prior; `None` for a run without documents.
    pub alpha: Option<f64>,
    /// (row in B, probability), most probable first, without zeros.
    pub words: Vec<(usize, f64)>,
}

/// A finished run without its documents, which [`SavedModel::visit_documents`] reads one by one.
pub struct SavedModel<'a> {
    store: &'a Store,
    /// The run's row.
    pub run: Run,
    /// The W words of its vocabulary.
    pub words: Vec<String>,
    /// Tokens of each word in the corpus.
    pub counts: Vec<u64>,
    /// The K topics by number.
    pub topics: Vec<ExportedTopic>,
    /// A (K × K); `None` for models without topic correlations.
    pub correlations: Option<Array2<f64>>,
    /// Metrics of the run and of its topics, including scores of human judgements.
    pub metrics: Vec<Metric>,
    /// Scores of human judgements, by task.
    pub judgements: Vec<TaskScores>,
    /// Warnings, the most severe first.
    pub warnings: Vec<Warning>,
    /// The part of the corpus that the run was fitted to; `None` for a run that did not save it.
    pub coverage: Option<Coverage>,
    /// (value, residual), largest first; empty for a model without a spectrum.
    pub spectrum: Vec<(f64, Option<f64>)>,
}

impl<'a> SavedModel<'a> {
    /// Reads run `run`.
    ///
    /// # Errors
    /// [`WorkError::NoTopics`] for an unfinished run.
    pub fn read(store: &'a Store, run: RunId) -> Result<Self, ExportError> {
        let run = store.run(run)?;
        let vocabulary = run.vocabulary_id.ok_or(WorkError::NoTopics { run: run.id })?;
        let numbers: HashMap<TermId, usize> =
            store.vocabulary(vocabulary)?.term_ids.into_iter().zip(0..).collect();
        let mut words = vec![String::new(); numbers.len()];
        let mut counts = vec![0; numbers.len()];
        for term in store.terms(run.corpus_id)? {
            if let Some(&word) = numbers.get(&term.id) {
                counts[word] = term.total_count;
                words[word] = term.into_shown();
            }
        }
        let topics = topics(store, &run, &numbers)?;
        let k = topics.len();
        if k == 0 {
            return Err(WorkError::NoTopics { run: run.id }.into());
        }
        Ok(Self {
            correlations: Array2::from_shape_vec((k, k), store.saved_correlations(run.id)?).ok(),
            metrics: metrics_with_scores(store, &run)?,
            judgements: scores_of(store, &run)?,
            warnings: store.warnings(run.id)?,
            coverage: Coverage::from_run(store, &run)?,
            spectrum: store.spectrum(run.id)?,
            store,
            run,
            words,
            counts,
            topics,
        })
    }

    /// Calls `visit` with every document of the run that is still in the store, with its topics, in the order of ids.
    pub fn visit_documents(
        &self,
        mut visit: impl FnMut(&DocumentTopics) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.store.visit_document_topics(self.run.id, &mut visit)
    }

    /// As [`Self::visit_documents`], with the row ids of the documents.
    pub fn visit_documents_with_ids(
        &self,
        mut visit: impl FnMut(DocumentId, &DocumentTopics) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.store.visit_document_topics_with_ids(self.run.id, &mut visit)
    }

    /// Calls `visit` with every document as [`Self::visit_documents`] does, then with each document that the run left
    /// out, without topics, and the reason.
    pub fn visit_all_documents(
        &self,
        mut visit: impl FnMut(&DocumentTopics, Option<&str>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        self.visit_documents(|document| visit(document, None))?;
        let mut left_out = |document: &_, reason: &str| visit(document, Some(reason));
        self.store.visit_left_out(self.run.id, &mut left_out)
    }

    /// Whether its documents are chunks of others.
    pub fn has_chunks(&self) -> Result<bool, StoreError> {
        self.store.has_chunks(self.run.corpus_id)
    }

    /// The key of the parent document of a chunk and the chunk's position in it, from 1; `None` for a whole document.
    pub fn place_of(&self, document: &DocumentTopics) -> Result<Option<(String, u64)>, StoreError> {
        self.store.position_of_chunk(self.run.corpus_id, &document.key)
    }

    /// The display name of a topic: its label, else its anchor, else its most probable word.
    pub fn name(&self, topic: usize) -> &str {
        let ExportedTopic { label, anchor, words, .. } = &self.topics[topic];
        let word = anchor.or(words.first().map(|&(word, _)| word));
        label.as_deref().or(word.map(|word| self.words[word].as_str())).unwrap_or_default()
    }

    /// A topic as figures show it, with its first `words` words.
    pub fn summary(&self, number: usize, words: usize) -> TopicSummary {
        let topic = &self.topics[number];
        let label = topic.label.as_ref().map(|label| format!(" {label}")).unwrap_or_default();
        let words = topic.words.iter().take(words).map(|&(word, _)| self.words[word].as_str());
        let words = words.collect::<Vec<_>>().join(" ");
        TopicSummary { name: format!("{number}{label}"), words, shares: topic.shares }
    }

    /// The topics' shares of the tokens (K), which `format` needs.
    ///
    /// # Errors
    /// [`ExportError::Missing`] for a run without them.
    pub fn token_shares(&self, format: &'static str) -> Result<Array1<f64>, ExportError> {
        let shares: Option<_> = self.topics.iter().map(|topic| topic.shares.token_share).collect();
        shares.ok_or(ExportError::Missing {
            run: self.run.id,
            what: "topics' shares of the tokens",
            format,
            remedy: "make a run without --no-documents",
        })
    }

    /// Tokens that the run was fitted to.
    pub fn tokens(&self) -> f64 {
        let is_it = |found: &&Metric| found.topic.is_none() && found.name == TOKENS_USED.id;
        let used = self.metrics.iter().find(is_it).map(|found| found.value);
        used.unwrap_or_else(|| self.counts.iter().sum::<u64>() as f64)
    }

    /// The store that the run is in.
    pub fn store(&self) -> &Store {
        self.store
    }

    /// The probabilities of all W words in a topic.
    pub fn row_of_words(&self, topic: &ExportedTopic) -> Vec<f64> {
        let mut row = vec![0.0; self.words.len()];
        topic.words.iter().for_each(|&(word, probability)| row[word] = probability);
        row
    }

    /// B (W × K).
    pub fn topic_words(&self) -> Array2<f64> {
        let mut b = Array2::zeros((self.words.len(), self.topics.len()));
        for (number, topic) in self.topics.iter().enumerate() {
            for &(word, probability) in &topic.words {
                b[(word, number)] = probability;
            }
        }
        b
    }
}

fn topics(
    store: &Store,
    run: &Run,
    numbers: &HashMap<TermId, usize>,
) -> Result<Vec<ExportedTopic>, StoreError> {
    let labels = store.topic_labels(run.id)?;
    let alpha = store.alpha(run.id)?;
    let saved = store.saved_topics(run.id)?.into_iter().zip(labels).enumerate();
    let topic = |(number, (topic, label)): (usize, (SavedTopic, Option<TopicLabel>))| {
        let word = |&(term, p): &(TermId, f64)| Some((*numbers.get(&term)?, p));
        ExportedTopic {
            shares: topic.shares,
            label: label.map(|label| label.text),
            anchor: topic.anchor_term_id.and_then(|term| numbers.get(&term).copied()),
            alpha: alpha.get(number).copied(),
            words: topic.terms.iter().filter_map(word).collect(),
        }
    };
    Ok(saved.map(topic).collect())
}
