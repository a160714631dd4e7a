//! The work of a run: vocabulary → streamed model → metrics → saved result.

use super::reporter::Reporter;
use super::request::RunSettings;
use super::result::saved_result;
use crate::metric::coherence::{COHERENCE_WORDS, npmi, umass};
use crate::metric::document_frequencies::DocumentFrequencies;
use crate::metric::reconstruction::{Reconstruction, reconstruction};
use crate::metric::top_words::top_words_of_topics;
use crate::metric::topic_shape::{dissimilarity, legality, relative_dominancy, specificity};
use crate::model::ModelError;
use crate::model::lr_jsmf::{LrJsmf, LrJsmfSettings, lr_jsmf};
use crate::progress::Progress;
use crate::store::blocks::CorpusBlocks;
use crate::store::metric::Metric;
use crate::store::run::Run;
use crate::store::{Store, StoreError};
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;
use crate::vocabulary::tf_idf::best_by_tf_idf;

/// Why a run's work ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model gave no topics.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The saved settings cannot be read.
    #[error("run {run}: its settings do not parse ({reason}); it was saved by another version")]
    Settings {
        /// The run.
        run: i64,
        /// What serde says.
        reason: String,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads ({reason}); use a lower --threads")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
}

impl WorkError {
    /// Whether the work ended because someone asked for it.
    pub fn is_cancel(&self) -> bool {
        matches!(self, Self::Model(ModelError::Stream(StreamError::Cancelled)))
    }
}

impl From<StreamError> for WorkError {
    fn from(error: StreamError) -> Self {
        Self::Model(error.into())
    }
}

/// Does the work of `run` and saves its result. The caller holds the run's lock and ends the row.
///
/// # Errors
/// [`WorkError`]; then nothing of a result is saved.
pub fn do_work(store: &mut Store, run: &Run, reporter: &Reporter) -> Result<(), WorkError> {
    let settings: RunSettings = serde_json::from_str(&run.settings)
        .map_err(|e| WorkError::Settings { run: run.id, reason: e.to_string() })?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build();
    let pool =
        pool.map_err(|e| WorkError::Threads { threads: settings.threads, reason: e.to_string() })?;
    pool.install(|| work_in_pool(store, run, &settings, reporter))
}

fn work_in_pool(
    store: &mut Store,
    run: &Run,
    settings: &RunSettings,
    reporter: &Reporter,
) -> Result<(), WorkError> {
    reporter.begin("prepare", 0);
    let (positions, term_ids) = choose_vocabulary(store, run, settings)?;
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    let documents = Documents::new(&blocks, &positions, settings.min_tokens, reporter);
    let c = CoOccurrence::new(&documents)?;
    let model = lr_jsmf(&c, &model_settings(run, settings), run.seed, reporter)?;
    reporter.begin("measure", 0);
    let explained = reconstruction(&c, &model.topics)?;
    let metrics = measure(&c, &model, &explained)?;
    reporter.begin("save", 0);
    let result = saved_result(&model, &explained.anchor_rows, metrics, &term_ids);
    store.save_result(run.id, &result)?;
    reporter.finish();
    Ok(())
}

fn model_settings(run: &Run, settings: &RunSettings) -> LrJsmfSettings {
    LrJsmfSettings {
        tolerance: settings.tolerance,
        enn_iterations: settings.iterations,
        ..LrJsmfSettings::new(run.k as usize)
    }
}

/// Chooses and saves the run's vocabulary; returns term positions and term row ids.
fn choose_vocabulary(
    store: &mut Store,
    run: &Run,
    settings: &RunSettings,
) -> Result<(Vec<u32>, Vec<i64>), WorkError> {
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let terms = store.terms(run.corpus_id)?;
    let positions = best_by_tf_idf(&terms, corpus.documents, settings.terms);
    let term_ids: Vec<i64> = positions.iter().map(|&at| terms[at as usize].id).collect();
    let mut hasher = blake3::Hasher::new();
    for id in &term_ids {
        hasher.update(&id.to_le_bytes());
    }
    let hash = hasher.finalize();
    let rule = format!("{{\"rule\":\"tf-idf\",\"terms\":{}}}", settings.terms);
    let id = store.save_vocabulary(run.corpus_id, &rule, &hash.as_bytes()[..16], &term_ids)?;
    store.set_run_vocabulary(run.id, id)?;
    Ok((positions, term_ids))
}

fn measure(
    c: &CoOccurrence<'_>,
    model: &LrJsmf,
    explained: &Reconstruction,
) -> Result<Vec<Metric>, WorkError> {
    let topics = &model.topics;
    let top = top_words_of_topics(&topics.topics, COHERENCE_WORDS);
    let shared = DocumentFrequencies::count(c.documents(), top.iter().flatten().copied())?;
    let of_run = |name: &str, value: f64| Metric { topic: None, name: name.into(), value };
    let mut metrics = vec![
        of_run("relative_recovery", explained.relative_recovery),
        of_run("relative_approximation", explained.relative_approximation),
        of_run("relative_dominancy", relative_dominancy(&topics.correlations)),
        of_run("legality", legality(&topics.correlations)),
        of_run("factorisation_residual", model.eigenpairs.relative_residual),
        of_run("rectification_change", model.rectified.last_change),
        of_run("kkt_gap", topics.worst_gap),
        of_run("documents_used", c.totals().documents as f64),
        of_run("nonzeros_used", c.totals().nonzeros as f64),
        of_run("tokens_used", c.totals().tokens as f64),
    ];
    let of_topics = [
        ("specificity", specificity(&topics.topics, c.row_sums())),
        ("dissimilarity", dissimilarity(&topics.topics)),
        ("npmi", top.iter().map(|words| npmi(words, &shared)).collect()),
        ("umass", top.iter().map(|words| umass(words, &shared)).collect()),
    ];
    for (name, values) in of_topics {
        let values: Vec<f64> = values;
        metrics.push(of_run(name, values.iter().sum::<f64>() / values.len().max(1) as f64));
        metrics.extend((0u64..).zip(values).map(|(topic, value)| Metric {
            topic: Some(topic),
            name: name.into(),
            value,
        }));
    }
    Ok(metrics)
}
