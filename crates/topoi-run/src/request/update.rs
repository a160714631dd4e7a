//! A request for the same model on a corpus that has changed, starting from an earlier run.

use crate::request::{RunRequest, RunSettings};
use crate::vocabulary::choice::VocabularyChoice;
use crate::work::kept_sums::{check_start, hash_here};
use crate::work::work_error::WorkError;
use topoi_core::model::Model;
use topoi_core::model::topic_model::StartsFrom;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Why a run cannot be updated.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The store could not be read or written, or has no such row.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The saved settings cannot be parsed.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The run has no topics.
    #[error("run {0} is not finished, so that there is nothing to start from")]
    NotFinished(RunId),
    /// The model saves nothing that a later run can start from.
    #[error(
        "run {run} is of model {model}, which saves nothing to start from ({} does, and {} if it \
         keeps its sums)",
        models_from(StartsFrom::Eigenvectors),
        models_from(StartsFrom::Sums)
    )]
    NoBasis {
        /// Row id of the run.
        run: RunId,
        /// Name of the model, as on the command line.
        model: String,
    },
    /// The model could have kept sums, but the run did not request it.
    #[error("run {run} kept no sums to add new documents to")]
    NoSums {
        /// Row id of the run.
        run: RunId,
        /// Name of the model, as on the command line.
        model: String,
        /// Name of the corpus.
        corpus: String,
        /// Number of topics.
        k: u64,
    },
    /// The corpus has not changed.
    #[error("corpus {corpus:?} has not changed since run {run}; there is nothing to update")]
    NothingNew {
        /// Row id of the run.
        run: RunId,
        /// Name of the corpus.
        corpus: String,
    },
}

/// The request for a run that starts from the result of `run`: the same corpus as it is now, model, K, seed and
/// settings. A run that adds to sums has the same vocabulary too.
pub fn updating(store: &Store, run: &Run) -> Result<RunRequest, UpdateError> {
    if run.status != RunStatus::Finished {
        return Err(UpdateError::NotFinished(run.id));
    }
    let has_sums = store.summed_documents(run.id)?.is_some();
    if !has_sums && store.basis(run.id)?.is_none() {
        return Err(nothing_left(run));
    }
    let is_here = store.parts_elsewhere(run.corpus_id)?.is_none();
    if is_here && run.corpus_hash == Some(store.corpus_hash(run.corpus_id)?) {
        return Err(UpdateError::NothingNew { run: run.id, corpus: run.corpus.clone() });
    }
    let mut request = RunRequest::from_run(run)?;
    request.settings =
        RunSettings { start: Some(run.id), keeps_numbers: true, parts: None, ..request.settings };
    if has_sums {
        if is_here {
            let hash_of = |documents: &_| hash_here(store, run.corpus_id, documents);
            check_start(store, run.id, run.id, hash_of)?;
        }
        request.settings.vocabulary = run.vocabulary_id.map(VocabularyChoice::Used);
    }
    Ok(request)
}

fn nothing_left(run: &Run) -> UpdateError {
    let (run, model) = (run.clone(), run.model.clone());
    match Model::from_name(&model) {
        Ok(own) if own.card().starts_from == StartsFrom::Sums => {
            UpdateError::NoSums { run: run.id, model, corpus: run.corpus, k: run.k }
        }
        _ => UpdateError::NoBasis { run: run.id, model },
    }
}

/// The names of the models that can start this way.
fn models_from(start: StartsFrom) -> String {
    Model::names_that(|model| model.card().starts_from == start)
}
