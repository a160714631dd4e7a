//! Measuring a finished run again from the store.

use std::collections::HashMap;

use ndarray::{Array1, Array2};
use serde_json::{Map, Value};

use super::material::Texts;
use super::measure::{
    CoherenceReference, Reference, coherence_of_lists, diversity, measure, most_words,
};
use super::text_sequences::TextSequences;
use super::work_error::WorkError;
use super::worker_cache::WorkerCache;
use crate::request::RunSettings;
use crate::warning::replace_metrics;
use topoi_core::metric::MetricDef;
use topoi_core::metric::coherence::variants::{
    CoherenceVariant, coherence_variant, default_variants,
};
use topoi_core::metric::run_process::{
    DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, NONZEROS_USED, TOKENS_USED,
};
use topoi_core::metric::words::ranking::{RELEVANCE_LAMBDA, Ranking, RankingInput};
use topoi_core::metric::words::topic_diversity::DIVERSITIES;
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::{CoOccurrence, Totals};
use topoi_core::stream::documents::Documents;
use topoi_store::block::blocks::CorpusBlocks;
use topoi_store::id::TermId;
use topoi_store::result::metric::Metric;
use topoi_store::result::topic::SavedTopic;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Measures run `run` again and replaces the saved values: the default coherence variants, those it was saved with,
/// and `more`. Metrics of the model itself (residuals, the KKT gap) are unchanged, as are those of anchors if no
/// anchors are saved.
///
/// Documents added to the corpus after the run are left out, so that the values are equal to the bit. Only
/// `relative_recovery` is equal up to rounding, as its p(topic | word) is not saved and is computed from the topics
/// by Bayes' rule.
///
/// # Errors
/// [`WorkError::NoTopics`], [`WorkError::OtherDocuments`], or a cancellation; then the old values are kept.
pub fn recompute(
    store: &mut Store,
    run: &Run,
    more: &[&'static CoherenceVariant],
    progress: &dyn Progress,
) -> Result<(), WorkError> {
    let variants = wanted(store, run, more)?;
    let mut metrics = over_documents(store, run, progress, |reference, topics, _| {
        Ok(measure(reference, topics, &variants, progress)?.metrics)
    })?;
    if store.run_metric(run.id, DOCUMENTS_LEFT_OUT.id)?.is_some() {
        // Documents may have been added since; the blocks that were read end with the last one used.
        metrics.retain(|metric| metric.name != DOCUMENTS_LEFT_OUT.id);
    }
    replace_metrics(store, run, &metrics)
}

/// Measures the words of the topics of run `run` ranked by `ranking`: coherence by the default variants and `more`,
/// and the number of different words. Each value is saved under its name, `@` and the name of the ranking, as
/// `npmi@exclusive`; by probability under its own name. Other values are unchanged.
pub fn measure_ranking(
    store: &mut Store,
    run: &Run,
    ranking: Ranking,
    more: &[&'static CoherenceVariant],
    progress: &dyn Progress,
) -> Result<(), WorkError> {
    let variants = with_defaults(more.iter().copied());
    let metrics = over_documents(store, run, progress, |reference, topics, vocabulary| {
        let (topics, weights) = (&topics.topics, &topics.weights);
        let ranked = RankingInput { topics, weights, counts: &vocabulary.counts };
        let most = DIVERSITIES.iter().map(|&(_, words)| words).max().unwrap_or(0);
        let lists = ranking.top_words(ranked, most.max(most_words(&variants)));
        progress.begin("coherence", reference.c.totals().documents, "");
        let counted_in =
            CoherenceReference::run_documents(reference.c.documents(), reference.texts);
        let mut metrics = coherence_of_lists(&lists, topics.nrows(), &counted_in, &variants)?;
        metrics.extend(diversity(&lists));
        metrics.iter_mut().for_each(|metric| name_after(ranking, metric));
        Ok(metrics)
    })?;
    replace_metrics(store, run, &metrics)
}

/// Adds the ranking to name and settings, unless it is by probability.
fn name_after(ranking: Ranking, metric: &mut Metric) {
    if ranking == Ranking::Probability {
        return;
    }
    metric.name = format!("{}@{}", metric.name, ranking.name());
    let settings = metric.settings.as_deref().map(serde_json::from_str::<Map<String, Value>>);
    let mut settings = settings.and_then(Result::ok).unwrap_or_default();
    settings.insert("ranking".into(), ranking.name().into());
    if ranking == Ranking::Relevance {
        settings.insert("lambda".into(), RELEVANCE_LAMBDA.into());
    }
    metric.settings = Some(Value::Object(settings).to_string());
}

/// The metrics that `measure` computes for the saved topics of run `run` on the documents that it was fitted to.
fn over_documents(
    store: &Store,
    run: &Run,
    progress: &dyn Progress,
    measure: impl FnOnce(Reference<'_>, &Topics, &Vocabulary) -> Result<Vec<Metric>, WorkError>,
) -> Result<Vec<Metric>, WorkError> {
    let mut vocabulary = vocabulary(store, run)?;
    let saved = store.saved_topics(run.id)?;
    let topics = as_saved(store, run, &saved, &vocabulary)?;
    let settings = RunSettings::from_run(run)?;
    progress.begin("prepare", 0, "");
    let blocks = blocks_of_run(store, run, &vocabulary.positions, &settings, progress)?;
    let documents = Documents::new(&blocks, &vocabulary.positions, settings.min_tokens, progress)
        .with_sample(settings.sample);
    let c = CoOccurrence::new(&documents)?;
    let texts = Texts { path: store.path(), corpus_id: run.corpus_id, ids_from: 0 };
    let words = std::mem::take(&mut vocabulary.words);
    let texts = TextSequences::open(texts, words, &documents, progress)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let (cache, exact_norms) = (&WorkerCache::default(), settings.exact_norms);
    let seed = run.seed;
    let reference = Reference { c: &c, cache, exact_norms, seed, texts };
    measure(reference, &topics, &vocabulary)
}

/// The default variants, those of the run, and `more`, without repetitions.
fn wanted(
    store: &Store,
    run: &Run,
    more: &[&'static CoherenceVariant],
) -> Result<Vec<&'static CoherenceVariant>, WorkError> {
    let saved = store.metrics(run.id)?;
    let saved = saved.iter().filter_map(|metric| coherence_variant(&metric.name));
    Ok(with_defaults(saved.chain(more.iter().copied())))
}

/// The default variants and `more`, without repetitions.
fn with_defaults(
    more: impl Iterator<Item = &'static CoherenceVariant>,
) -> Vec<&'static CoherenceVariant> {
    let mut variants = default_variants();
    for variant in more {
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    variants
}

/// The W terms of a run's vocabulary in their order.
#[derive(Default)]
pub(crate) struct Vocabulary {
    pub(crate) positions: Vec<u32>,
    pub(crate) words: Vec<String>,
    /// The words in the form that is shown.
    pub(crate) shown: Vec<String>,
    /// Tokens of each word in the corpus.
    pub(crate) counts: Vec<u64>,
    word_of_term: HashMap<TermId, usize>,
}

pub(crate) fn vocabulary(store: &Store, run: &Run) -> Result<Vocabulary, WorkError> {
    let id = run.vocabulary_id.ok_or(WorkError::NoTopics { run: run.id })?;
    let word_of_term: HashMap<TermId, usize> =
        store.vocabulary(id)?.term_ids.into_iter().zip(0..).collect();
    // Terms and vocabulary are both in the order of positions.
    let terms = store.terms(run.corpus_id)?.into_iter().zip(0u32..);
    let mut found = Vocabulary { word_of_term, ..Vocabulary::default() };
    for (term, position) in terms {
        if found.word_of_term.contains_key(&term.id) {
            found.positions.push(position);
            found.counts.push(term.total_count);
            found.shown.push(term.shown().to_string());
            found.words.push(term.text);
        }
    }
    let words = found.words.len();
    if found.word_of_term.len() != words || found.word_of_term.values().any(|&word| word >= words) {
        let what = "terms of its vocabulary are not those of its corpus".into();
        return Err(StoreError::DamagedRun { run: run.id, what }.into());
    }
    Ok(found)
}

impl Vocabulary {
    pub(crate) fn word(&self, term: TermId) -> Option<usize> {
        self.word_of_term.get(&term).copied()
    }
}

/// B (W × K), as saved.
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
    let weights: Array1<f64> = saved.iter().map(|topic| topic.shares.document_share).collect();
    let correlations = store.saved_correlations(run.id)?;
    Ok(Topics {
        correlations: Array2::from_shape_vec((k, k), correlations).ok(),
        anchors: saved.iter().map(|topic| vocabulary.word(topic.anchor_term_id?)).collect(),
        ..Topics::without_anchors(read_topics(run, saved, vocabulary)?, weights)
    })
}

/// The blocks that hold the documents the run was made from: those that were there at the time.
pub(crate) fn blocks_of_run(
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
    if settings.revises {
        // Its counts follow from those of the run before, and do not tell which documents it has.
        return match run.corpus_hash == Some(store.corpus_hash(run.corpus_id)?) {
            true => Ok(blocks),
            false => Err(WorkError::OtherDocuments { run: run.id }),
        };
    }
    let documents = Documents::new(&blocks, positions, settings.min_tokens, progress)
        .with_sample(settings.sample);
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
