//! The work of a run: vocabulary → streamed model → metrics → result.

use super::about_documents::{Completed, complete};
use super::held_out::held_out_metrics;
use super::imported::ImportError;
use super::material::Material;
use super::measure::{Reference, measure};
use super::models::{Order, fit, model_card};
use super::reporter::Reporter;
use super::request::RunSettings;
use super::result::saved_result;
use super::text_sequences::TextSequences;
use crate::metric::coherence_variants::default_variants;
use crate::model::ModelError;
use crate::progress::Progress;
use crate::store::run::{Run, RunEnd};
use crate::store::topic::SavedResult;
use crate::store::{Store, StoreError};
use crate::stream::StreamError;
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Documents;
use crate::vocabulary::choice::ChoiceError;
use crate::vocabulary::rules::WrongPattern;

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
    /// The run asks for a model this program does not have.
    #[error("run {run}: there is no model {model:?} in this version; update topica")]
    UnknownModel {
        /// The run.
        run: i64,
        /// Its model.
        model: String,
    },
    /// A run is to be measured again that has no topics.
    #[error("run {run} has no saved topics to measure; start it again with `topica run`")]
    NoTopics {
        /// The run.
        run: i64,
    },
    /// A run is asked about its documents, and did not look at them.
    #[error(
        "run {run} did not save what its documents are about; start it again with `topica run`, \
         without --no-documents"
    )]
    NoDocuments {
        /// The run.
        run: i64,
    },
    /// A run is to be measured again, and its documents are not there any more as they were.
    #[error(
        "run {run}: the corpus no longer holds the documents it was made from; \
         start a new run with `topica run`"
    )]
    OtherDocuments {
        /// The run.
        run: i64,
    },
    /// A run is to go on, and its corpus is not the one it began with.
    #[error(
        "run {run}: corpus {corpus} has changed since the run began; \
         start a new run with `topica run`"
    )]
    CorpusChanged {
        /// The run.
        run: i64,
        /// Its corpus.
        corpus: String,
    },
    /// A run is to go on, and this program chooses another vocabulary than the one it began with.
    #[error(
        "run {run}: this version of topica chooses another vocabulary than the one the run began \
         with; start a new run with `topica run`"
    )]
    VocabularyChanged {
        /// The run.
        run: i64,
    },
    /// The topics are from a file that cannot be read, or is another one by now.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A rule of the vocabulary is wrong.
    #[error(transparent)]
    Vocabulary(#[from] WrongPattern),
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

impl From<ChoiceError> for WorkError {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Store(error) => Self::Store(error),
            ChoiceError::Pattern(error) => Self::Vocabulary(error),
        }
    }
}

impl From<StreamError> for WorkError {
    fn from(error: StreamError) -> Self {
        Self::Model(error.into())
    }
}

/// Does the work of `run`, saves its result and ends its row as `end`, asked at the last moment,
/// says. The caller holds the run's lock. Stages that `reporter` recalls are not done again.
///
/// # Errors
/// [`WorkError`]; then nothing of a result is saved and the row is not ended.
pub fn do_work<'a>(
    store: &mut Store,
    run: &Run,
    reporter: &Reporter,
    end: impl FnOnce() -> RunEnd<'a>,
) -> Result<(), WorkError> {
    let settings = RunSettings::of(run)?;
    let result = in_threads(settings.threads, || {
        reporter.begin("prepare", 0, "");
        let material = Material::of(store, run, &settings)?;
        material.check_against(store, run)?;
        material.save(store, run)?;
        reporter.shelf().open_for(run, &settings, &material);
        result_of(store, run, &settings, &material, reporter)
    })?;
    reporter.begin("save", 0, "");
    store.finish_run(run.id, &result, end)?;
    reporter.finish();
    Ok(())
}

/// Does `work` in so many threads; 0 is one per core.
pub(super) fn in_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, WorkError> + Send,
) -> Result<T, WorkError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| WorkError::Threads { threads, reason: e.to_string() })?.install(work)
}

fn result_of(
    store: &Store,
    run: &Run,
    settings: &RunSettings,
    material: &Material,
    reporter: &Reporter,
) -> Result<SavedResult, WorkError> {
    let Material { blocks, positions, words, term_ids, .. } = material;
    let documents =
        Documents::new(blocks, positions, settings.min_tokens, reporter).among(settings.sample);
    let c = CoOccurrence::new(&documents)?;
    let completed = completed(run, settings, material, &c, reporter)?;
    let scored = (settings, run.seed);
    let held_out = held_out_metrics(&completed, &c, scored, material, reporter)?;
    let words = words.clone();
    let texts = TextSequences::open(store, run.corpus_id, words, &documents, reporter)?;
    let texts = texts.as_ref().map(|texts| texts as _);
    let reference = Reference { c: &c, shelf: reporter.shelf(), texts };
    let mut measured = measure(reference, &completed.fitted.topics, &default_variants(), reporter)?;
    measured.metrics.extend(held_out);
    Ok(saved_result(completed, measured, term_ids))
}

/// The topics of a run, by its model or from its file, refined as asked, and its documents.
pub(super) fn completed(
    run: &Run,
    settings: &RunSettings,
    material: &Material,
    c: &CoOccurrence<'_>,
    progress: &dyn Progress,
) -> Result<Completed, WorkError> {
    let order = order(run, settings)?;
    let fitted = match &settings.import {
        Some(import) => import.topics(&material.words)?,
        None => fit(order, c, progress)?,
    };
    Ok(complete(fitted, order, c, progress)?)
}

/// What of a run's row decides its topics.
fn order<'a>(run: &Run, settings: &'a RunSettings) -> Result<Order<'a>, WorkError> {
    let card = model_card(&run.model)
        .ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })?;
    Ok(Order { card, k: run.k as usize, seed: run.seed, settings })
}
