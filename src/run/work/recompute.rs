//! Measuring a finished run again, from what the store has of it.

use std::collections::HashMap;

use ndarray::{Array1, Array2};

use super::material::Texts;
use super::measure::{Reference, measure};
use super::text_sequences::TextSequences;
use super::work_error::WorkError;
use super::worker_cache::WorkerCache;
use crate::metric::MetricDef;
use crate::metric::coherence::variants::{CoherenceVariant, coherence_variant, default_variants};
use crate::metric::of_the_work::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, NONZEROS_USED, TOKENS_USED};
use crate::model::topics::Topics;
use crate::progress::Progress;
use crate::run::request::RunSettings;
use crate::run::warning::replace_metrics;
use crate::store::Store;
use crate::store::block::blocks::CorpusBlocks;
use crate::store::result::topic::SavedTopic;
use crate::store::run::Run;
use crate::stream::cooccurrence::{CoOccurrence, Totals};
use crate::stream::documents::Documents;

/// Measures run `run` again and saves the values in place of the old ones: the default coherence
/// variants, those it was saved with, and `more`. Metrics that only the model itself knows
/// (its residuals, the KKT gap) stay as they are, as do those of anchors where none are saved.
///
/// Documents that came into the corpus after the run are left out, so that the values are the
/// run's own: all to the bit, but `relative_recovery`, whose p(topic | word) is not saved and
/// follows from the topics by Bayes' rule, to rounding.
///
/// # Errors
/// When the run has no topics, its documents are no longer those it was made from, the store
/// cannot be read or written, or on cancel; then the old values are kept.
pub fn recompute(
    store: &mut Store,
    run: &Run,
    more: &[&'static CoherenceVariant],
    progress: &dyn Progress,
) -> Result<(), WorkError> {
    let vocabulary = vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = as_saved(store, run, &saved, &vocabulary)?;
    let settings = RunSettings::of(run)?;
    progress.begin("prepare", 0, "");
    let blocks = blocks_of_run(store, run, &vocabulary.positions, &settings, progress)?;
    let documents = Documents::new(&blocks, &vocabulary.positions, settings.min_tokens, progress)
        .among(settings.sample);
    let c = CoOccurrence::new(&documents)?;
    let texts = Texts { path: store.path(), corpus_id: run.corpus_id, ids_from: 0 };
    let texts = TextSequences::open(texts, vocabulary.words, &documents, progress)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let reference = Reference { c: &c, cache: &WorkerCache::default(), texts };
    let variants = wanted(store, run, more)?;
    let mut measured = measure(reference, &topics, &variants, progress)?.metrics;
    if store.run_metric(run.id, DOCUMENTS_LEFT_OUT.id)?.is_some() {
        // Documents may have been added since; the blocks that were read end with the last one used.
        measured.retain(|metric| metric.name != DOCUMENTS_LEFT_OUT.id);
    }
    replace_metrics(store, run, &measured)
}

/// The default variants, those the run has, and `more`, each once.
fn wanted(
    store: &Store,
    run: &Run,
    more: &[&'static CoherenceVariant],
) -> Result<Vec<&'static CoherenceVariant>, WorkError> {
    let mut variants = default_variants();
    let saved = store.metrics(run.id)?;
    let saved = saved.iter().filter_map(|metric| coherence_variant(&metric.name));
    for variant in saved.chain(more.iter().copied()) {
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    Ok(variants)
}

/// A run's vocabulary: W terms in its order.
pub(crate) struct Vocabulary {
    pub(crate) positions: Vec<u32>,
    pub(crate) words: Vec<String>,
    /// Tokens of each word in the corpus.
    pub(crate) counts: Vec<u64>,
    word_of_term: HashMap<i64, usize>,
}

pub(crate) fn vocabulary(store: &Store, run: &Run) -> Result<Vocabulary, WorkError> {
    let id = run.vocabulary_id.ok_or(WorkError::NoTopics { run: run.id })?;
    let word_of_term: HashMap<i64, usize> =
        store.vocabulary(id)?.term_ids.into_iter().zip(0..).collect();
    // The vocabulary is in the order of the terms' positions.
    let terms = store.terms(run.corpus_id)?.into_iter().zip(0u32..);
    let mut found =
        Vocabulary { positions: Vec::new(), words: Vec::new(), counts: Vec::new(), word_of_term };
    for (term, position) in terms {
        if found.word_of_term.contains_key(&term.id) {
            found.positions.push(position);
            found.counts.push(term.total_count);
            found.words.push(term.text);
        }
    }
    Ok(found)
}

impl Vocabulary {
    fn word(&self, term: i64) -> Option<usize> {
        self.word_of_term.get(&term).copied()
    }
}

/// B (W × K) as saved.
pub(crate) fn read_topics(
    run: &Run,
    saved: &[SavedTopic],
    vocabulary: &Vocabulary,
) -> Result<Array2<f64>, WorkError> {
    if saved.is_empty() {
        return Err(WorkError::NoTopics { run: run.id });
    }
    let mut topics = Array2::zeros((vocabulary.words.len(), saved.len()));
    for (number, topic) in saved.iter().enumerate() {
        for &(term, probability) in &topic.terms {
            if let Some(word) = vocabulary.word(term) {
                topics[(word, number)] = probability;
            }
        }
    }
    Ok(topics)
}

/// The topics with p(topic), A and the anchors as saved, and B̆ by Bayes' rule.
fn as_saved(
    store: &Store,
    run: &Run,
    saved: &[SavedTopic],
    vocabulary: &Vocabulary,
) -> Result<Topics, WorkError> {
    let k = saved.len();
    let weights: Array1<f64> = saved.iter().map(|topic| topic.weight).collect();
    let correlations = store.saved_correlations(run.id)?;
    Ok(Topics {
        correlations: Array2::from_shape_vec((k, k), correlations).ok(),
        anchors: saved.iter().map(|topic| vocabulary.word(topic.anchor_term_id?)).collect(),
        ..Topics::without_anchors(read_topics(run, saved, vocabulary)?, weights)
    })
}

/// The blocks that hold the documents the run was made from: those that were there at the time.
fn blocks_of_run(
    store: &Store,
    run: &Run,
    positions: &[u32],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<CorpusBlocks, WorkError> {
    let saved = |metric: &MetricDef| {
        Ok::<_, WorkError>(store.run_metric(run.id, metric.id)?.unwrap_or(-1.0))
    };
    let used = [saved(&DOCUMENTS_USED)?, saved(&NONZEROS_USED)?, saved(&TOKENS_USED)?];
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    let documents =
        Documents::new(&blocks, positions, settings.min_tokens, progress).among(settings.sample);
    let (mut totals, mut read) = (Totals::default(), 0);
    for block in 0..blocks.sizes().len() {
        if totals.documents as f64 >= used[0] {
            break;
        }
        documents.visit(block..block + 1, |batch| totals.add(batch))?;
        read = block + 1;
    }
    let found = [totals.documents, totals.nonzeros, totals.tokens].map(|count| count as f64);
    if found != used {
        return Err(WorkError::OtherDocuments { run: run.id });
    }
    Ok(blocks.first(read))
}
