//! The work of a run: vocabulary → streamed model → metrics → saved result.

use super::measure::{Reference, measure};
use super::models::{Order, fit, model_card};
use super::reporter::Reporter;
use super::request::RunSettings;
use super::result::saved_result;
use super::text_sequences::TextSequences;
use super::vocabulary::{Vocabulary, choose_vocabulary};
use crate::metric::coherence_variants::default_variants;
use crate::model::ModelError;
use crate::progress::Progress;
use crate::store::blocks::CorpusBlocks;
use crate::store::run::Run;
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
    /// A run is to be measured again, and its documents are not there any more as they were.
    #[error(
        "run {run}: the corpus no longer holds the documents it was made from; \
         start a new run with `topica run`"
    )]
    OtherDocuments {
        /// The run.
        run: i64,
    },
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

/// Does the work of `run` and saves its result. The caller holds the run's lock and ends the row.
///
/// # Errors
/// [`WorkError`]; then nothing of a result is saved.
pub fn do_work(store: &mut Store, run: &Run, reporter: &Reporter) -> Result<(), WorkError> {
    let settings = RunSettings::of(run)?;
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
    reporter.begin("prepare", 0, "");
    let Vocabulary { positions, term_ids, words } = choose_vocabulary(store, run, settings)?;
    let blocks = CorpusBlocks::open(store, run.corpus_id)?;
    let documents = Documents::new(&blocks, &positions, settings.min_tokens, reporter);
    let c = CoOccurrence::new(&documents)?;
    let card = model_card(&run.model)
        .ok_or_else(|| WorkError::UnknownModel { run: run.id, model: run.model.clone() })?;
    let order = Order { card, k: run.k as usize, seed: run.seed, settings };
    let fitted = fit(order, &c, reporter)?;
    let texts = TextSequences::open(store, run.corpus_id, words, &documents, reporter)?;
    let reference = Reference { c: &c, texts: texts.as_ref().map(|texts| texts as _) };
    let measured = measure(reference, &fitted.topics, &default_variants(), reporter)?;
    reporter.begin("save", 0, "");
    let result = saved_result(&fitted, measured, &term_ids);
    store.save_result(run.id, &result)?;
    reporter.finish();
    Ok(())
}
