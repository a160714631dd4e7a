//! An update: the topics and documents of an earlier run, revised by what is new, corrected and deleted since. Its cost
//! follows that, not the corpus.

use ndarray::{Array1, Array2};

use super::about_documents::{Completed, TOLERANCE};
use super::material::{Material, Sources};
use super::measure::{
    MeasuredRun, coherence, diversity, metric_for_run, metrics_for_topics, most_words,
};
use super::work_error::WorkError;
use crate::request::RunRequest;
use crate::request::start::topics_of;
use topoi_core::metric::coherence::variants::default_variants;
use topoi_core::metric::revision::{
    ADDED_LOG_PROBABILITY, DOCUMENTS_ADDED, DOCUMENTS_GONE, DOCUMENTS_READ_AGAIN,
    DOCUMENTS_WHEN_WHOLE, DRIFT, drift,
};
use topoi_core::metric::run_process::{
    ALPHA_SUM, DOCUMENT_TOPICS_RESIDUAL, DOCUMENT_TOPICS_SWEEPS, DOCUMENTS_LEFT_OUT,
    DOCUMENTS_USED, TOKENS_USED,
};
use topoi_core::metric::words::top_words::top_words_of_topics;
use topoi_core::metric::words::topic_diversity::DIVERSITIES;
use topoi_core::metric::{MetricInput, Values, metrics_of_topics};
use topoi_core::model::documents::cvb0::Cvb0;
use topoi_core::model::documents::mixtures::{KnownMixtures, MixtureSummary};
use topoi_core::model::documents::pass::document_topics;
use topoi_core::model::documents::topic_rows::TopicRows;
use topoi_core::model::refine::revise::{EarlierTopics, ROUNDS, revise};
use topoi_core::model::refine::{GAIN, PASSES, RefineSettings, refine};
use topoi_core::model::topic_model::Fit;
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::selection::{DocumentSelection, SelectedBlocks};
use topoi_store::Store;
use topoi_store::id::{DocumentId, RunId};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::metric::Metric;
use topoi_store::result::series::Revises;
use topoi_store::run::Run;

/// Updates within which every document is read again.
const UPDATES_UNTIL_READ_AGAIN: i64 = 60;
/// All documents are read and the topics refined on them once the corpus has so many times the documents it had then: topics
/// of a small corpus are a poor start for a large one.
const GROWTH_UNTIL_WHOLE: f64 = 1.5;
/// Documents that coherence is counted in, about.
const COHERENCE_DOCUMENTS: u64 = 10_000;
/// Documents whose earlier proportions are read together.
const DOCUMENTS_AT_ONCE: usize = 1024;

/// An update that was made, and what it shares with the run before.
pub struct Revision {
    pub completed: Completed,
    pub revises: Revises,
}

/// The run before, and what has changed since.
struct Changes {
    start: RunId,
    selection: DocumentSelection,
    gone: Vec<(DocumentId, u64)>,
    /// The last document that the run before saw.
    last: i64,
    /// Whether all documents are read.
    is_whole: bool,
    /// The documents of the run before when all were read last.
    when_whole: f64,
}

impl Changes {
    fn since(store: &Store, run: &Run, start: RunId) -> Result<Self, WorkError> {
        let unknown = || WorkError::StartIsGone { run: run.id, start };
        store.run(start).map_err(|_| unknown())?;
        let last = store.last_document_of_run(start)?.ok_or_else(unknown)?.0;
        let of_start = |name: &str| store.run_metric(start, name);
        let when_whole = match of_start(DOCUMENTS_WHEN_WHOLE.id)? {
            Some(documents) => documents,
            None => of_start(DOCUMENTS_USED.id)?.unwrap_or(0.0),
        };
        let now = store.corpus_by_id(run.corpus_id)?.documents as f64;
        let turn = store.place_in_series(start)?.revision.rem_euclid(UPDATES_UNTIL_READ_AGAIN);
        let begins = |turn: i64| 1 + last / UPDATES_UNTIL_READ_AGAIN * turn;
        let end = if turn + 1 == UPDATES_UNTIL_READ_AGAIN {
            last.saturating_add(1)
        } else {
            begins(turn + 1)
        };
        let ids = store.corrected_since(start)?.into_iter().map(|id| id.0).collect();
        let is_whole = now >= GROWTH_UNTIL_WHOLE * when_whole;
        let selection = match is_whole {
            true => DocumentSelection { after: i64::MIN, ..DocumentSelection::default() },
            false => DocumentSelection { range: begins(turn)..end, after: last, ids },
        };
        let gone = store.deleted_since(start)?;
        Ok(Self { start, selection, gone, last, is_whole, when_whole })
    }
}

/// The documents that were read, as the run before has them.
struct Earlier {
    /// Those of the run before that were read again or are gone.
    summary: MixtureSummary,
    read_again: u64,
    /// Documents that were read again and had been left out.
    had_been_left_out: u64,
}

/// Makes the update that `run` asks for.
///
/// # Errors
/// [`WorkError::StartIsGone`] if the run before was deleted.
pub fn revision_of(
    store: &Store,
    run: &Run,
    request: &RunRequest,
    material: &Material,
    progress: &dyn Progress,
) -> Result<Revision, WorkError> {
    let settings = &request.settings;
    let start = settings.start.unwrap_or(RunId(0));
    let changes = Changes::since(store, run, start)?;
    let earlier_topics = topics_of(store, run.id, start, &material.term_ids)?;
    let alpha = store.alpha(start)?;
    let before = summary_of(store, run, start, &alpha)?;

    let blocks = SelectedBlocks::new(&material.blocks, &changes.selection);
    let documents = Documents::new(&blocks, &material.positions, settings.min_tokens, progress)
        .with_selection(&changes.selection);
    let (mut read, mut too_short) = (Vec::new(), Vec::new());
    documents.visit(0..documents.block_sizes().len(), |batch| {
        read.extend(batch.ids.iter().copied().zip(batch.lengths.iter().copied()));
        too_short.extend(&batch.too_short);
    })?;
    let earlier = earlier_of(store, &changes, &read, &before, &alpha)?;

    let kept = (&before.token_shares * before.tokens
        - &earlier.summary.token_shares * earlier.summary.tokens)
        .mapv(|tokens| tokens.max(0.0));
    let known = EarlierTopics { topics: earlier_topics, tokens: kept.to_vec() };
    let rounds = if changes.is_whole { 0 } else { ROUNDS };
    let revised = revise(&known, (&documents, changes.last), rounds, progress)?;
    let added = revised.added_log_probability.map(|p| metric_for_run(&ADDED_LOG_PROBABILITY, p));
    let mut metrics: Vec<Metric> = added.into_iter().collect();
    let now = match (changes.is_whole, request.settings.refinement(&request.origin)) {
        (true, settings) => {
            let usual = RefineSettings { passes: PASSES, gain: GAIN };
            let earlier = Topics::without_anchors(known.topics.clone(), before.weights.clone());
            let c = CoOccurrence::new(&documents)?;
            let refined = refine(&earlier, &[], &c, settings.unwrap_or(usual), progress)?;
            refined.topics.topics
        }
        (false, _) => revised.topics,
    };

    let meaning = "share of a document's tokens that the last sweep moved";
    progress.begin("documents", read.len() as u64, meaning);
    let rows = TopicRows::with_smoothing(&now, before.tokens);
    let proportions = Cvb0::new(&rows, &alpha, TOLERANCE);
    let (packed, found) = document_topics(&documents, &proportions, rows.topics(), progress)?;
    let after =
        if changes.is_whole { found.clone() } else { before.with(&earlier.summary, &found) };
    let when_whole = if changes.is_whole { after.documents as f64 } else { changes.when_whole };

    let added = read.iter().filter(|(id, _)| *id > changes.last).count();
    let left_out = store.run_metric(start, DOCUMENTS_LEFT_OUT.id)?.unwrap_or(0.0)
        + too_short.len() as f64
        - earlier.had_been_left_out as f64;
    let sweeps = found.sweeps as f64 / found.documents.max(1) as f64;
    metrics.extend([
        metric_for_run(&DOCUMENTS_USED, after.documents as f64),
        metric_for_run(&TOKENS_USED, after.tokens),
        metric_for_run(&DOCUMENTS_LEFT_OUT, left_out.max(0.0)),
        metric_for_run(&DOCUMENTS_ADDED, added as f64),
        metric_for_run(&DOCUMENTS_READ_AGAIN, earlier.read_again as f64),
        metric_for_run(&DOCUMENTS_GONE, changes.gone.len() as f64),
        metric_for_run(&DOCUMENTS_WHEN_WHOLE, when_whole),
        metric_for_run(&ALPHA_SUM, alpha.iter().sum()),
        metric_for_run(&DOCUMENT_TOPICS_RESIDUAL, found.change),
        metric_for_run(&DOCUMENT_TOPICS_SWEEPS, sweeps),
    ]);
    metrics.extend(metrics_for_topics(&DRIFT, drift(&known.topics, &now)));
    let replaced = read.iter().map(|(id, _)| *id).chain(too_short.iter().map(|(id, _)| *id));
    let gone = changes.gone.iter().map(|(id, _)| *id);
    let revises = Revises { run: start, documents: replaced.map(DocumentId).chain(gone).collect() };
    let mut topics = Topics::without_anchors(now, after.weights);
    topics.correlations = Some(after.correlations);
    let labels = labels_of(store, start)?;
    let fitted = Fit { labels, ..Fit::new(topics, Vec::new()) };
    let completed = Completed {
        fitted,
        metrics,
        documents: SavedDocuments { alpha, packed },
        token_shares: after.token_shares.to_vec(),
        left_out: too_short.into_iter().map(|(id, tokens)| (DocumentId(id), tokens)).collect(),
    };
    Ok(Revision { completed, revises })
}

/// What the run before says of all its documents together.
fn summary_of(
    store: &Store,
    run: &Run,
    start: RunId,
    alpha: &[f64],
) -> Result<MixtureSummary, WorkError> {
    let gone = || WorkError::StartIsGone { run: run.id, start };
    let topics = store.topics(start, 0)?;
    let k = topics.len();
    let joint = store.saved_correlations(start)?;
    let token_shares: Option<Array1<f64>> =
        topics.iter().map(|topic| topic.shares.token_share).collect();
    let number = |name: &str| store.run_metric(start, name)?.ok_or_else(gone);
    if alpha.len() != k {
        return Err(gone());
    }
    Ok(MixtureSummary {
        documents: number(DOCUMENTS_USED.id)? as u64,
        tokens: number(TOKENS_USED.id)?,
        weights: topics.iter().map(|topic| topic.shares.document_share).collect(),
        token_shares: token_shares.ok_or_else(gone)?,
        correlations: Array2::from_shape_vec((k, k), joint).map_err(|_| gone())?,
        log_probability: 0.0,
        change: 0.0,
        sweeps: 0,
    })
}

/// Reads the earlier proportions of the documents that were read (id, tokens), and of those that are gone.
fn earlier_of(
    store: &Store,
    changes: &Changes,
    read: &[(i64, f64)],
    before: &MixtureSummary,
    alpha: &[f64],
) -> Result<Earlier, WorkError> {
    let mut known = KnownMixtures::new(alpha.len(), alpha.iter().sum());
    let (mut read_again, mut had_been_left_out) = (0, 0);
    let old = read.partition_point(|(id, _)| *id <= changes.last);
    for documents in read[..old].chunks(DOCUMENTS_AT_ONCE) {
        let (first, last) = (documents[0].0, documents[documents.len() - 1].0);
        // Documents that lie far apart are read one by one.
        let is_dense = last - first < 4 * documents.len() as i64;
        let of_range = match is_dense {
            true => {
                store.proportions_between(changes.start, DocumentId(first), DocumentId(last))?
            }
            false => Vec::new(),
        };
        for &(id, tokens) in documents {
            let at = of_range.binary_search_by_key(&DocumentId(id), |(id, _)| *id);
            let theta = match (is_dense, at) {
                (true, Ok(at)) => of_range[at].1.clone(),
                (true, Err(_)) => Vec::new(),
                (false, _) => store.topics_of_document(changes.start, DocumentId(id))?,
            };
            if theta.is_empty() {
                had_been_left_out += 1;
            } else {
                known.add(tokens, &theta);
                read_again += 1;
            }
        }
    }
    // Of a document that is gone all tokens are known, not those of the vocabulary; how many it had is a matter of weight.
    let corpus = store.run(changes.start)?.corpus_id;
    let corpus = store.corpus_by_id(corpus)?;
    let per_document = corpus.tokens as f64 / corpus.documents.max(1) as f64;
    let kept = before.tokens / before.documents.max(1) as f64 / per_document.max(1.0);
    for &(id, tokens) in &changes.gone {
        let theta = store.topics_of_document(changes.start, id)?;
        if !theta.is_empty() {
            known.add(tokens as f64 * kept.min(1.0), &theta);
        }
    }
    Ok(Earlier { summary: known.summary(), read_again, had_been_left_out })
}

/// The labels of the run before: they go with the topics.
fn labels_of(store: &Store, start: RunId) -> Result<Vec<(usize, String)>, WorkError> {
    let topics = store.topics(start, 0)?.into_iter();
    Ok(topics.filter_map(|topic| Some((topic.topic.index(), topic.label?))).collect())
}

/// The metrics of the words of revised topics. Coherence is counted in every n-th block of the corpus, about ten
/// thousand documents.
pub fn measured(
    completed: &Completed,
    sources: &Sources<'_>,
    request: &RunRequest,
    progress: &dyn Progress,
) -> Result<MeasuredRun, WorkError> {
    let topics = &completed.fitted.topics;
    let shares = Array1::from(completed.token_shares.clone());
    let word_probabilities = topics.topics.dot(&shares);
    let mut metrics = Vec::new();
    let input = MetricInput { topics, word_probabilities: &word_probabilities };
    for (metric, values) in metrics_of_topics(&input) {
        match values {
            Values::OfRun(value) => metrics.push(metric_for_run(metric, value)),
            Values::OfTopics(values) => metrics.extend(metrics_for_topics(metric, values)),
        }
    }
    let most = DIVERSITIES.iter().map(|&(_, words)| words).max().unwrap_or(0);
    metrics.extend(diversity(&top_words_of_topics(&topics.topics, most)));
    let all = completed.metrics.iter().find(|metric| metric.name == DOCUMENTS_USED.id);
    let documents = all.map_or(0, |metric| metric.value as u64);
    let step = documents.div_ceil(COHERENCE_DOCUMENTS).max(1) as usize;
    progress.begin("coherence", documents / step as u64, "");
    let blocks = SelectedBlocks::every(sources.blocks, step);
    let some = Sources { blocks: &blocks, ..*sources };
    let documents = some.documents(&request.settings, progress);
    let texts = some.sequences(&documents, progress)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let variants = default_variants();
    debug_assert!(most_words(&variants) > 0);
    let counted = coherence(&topics.topics, &documents, texts, &variants)?;
    metrics.extend(counted.into_iter().map(|metric| of_blocks(metric, step)));
    Ok(MeasuredRun { metrics, anchor_rows: None, map: None })
}

/// The metric, with what it was counted in among its settings.
fn of_blocks(metric: Metric, step: usize) -> Metric {
    let all = "the run's documents";
    let counted_in = |settings: String| match step {
        1 => settings,
        _ => settings.replace(all, &format!("every {step}th block of {all}")),
    };
    Metric { settings: metric.settings.map(counted_in), ..metric }
}
