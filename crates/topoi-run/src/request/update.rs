//! Requests for a run that continues an earlier one on a corpus that has changed: one that revises its topics, and one
//! that fits the model again from where it ended.

use std::fmt;

use crate::request::{RunRequest, RunSettings};
use crate::vocabulary::choice::VocabularyChoice;
use crate::work::kept_sums::{check_start, current_documents_hash};
use crate::work::work_error::WorkError;
use topoi_core::metric::run_process::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, TOKENS_USED};
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
    /// The run lacks something that a revision continues.
    #[error("run {run} {reason}")]
    NotRevisable {
        /// Row id of the run.
        run: RunId,
        reason: NotRevisable,
    },
    /// The corpus is about other words now.
    #[error(
        "run {run}: documents of corpus {corpus:?} have {now:.1} words of its vocabulary now on average, where they had \
         {before:.1}: too few to continue its topics"
    )]
    NoWords {
        /// Row id of the run.
        run: RunId,
        /// Name of the corpus.
        corpus: String,
        /// Number of topics.
        k: u64,
        /// Words of the run's vocabulary in a document of the corpus, on average.
        now: f64,
        /// The same in the documents of the run.
        before: f64,
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

/// What a run lacks that a revision continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRevisable {
    /// θ of its documents.
    Documents,
    /// The other documents: it is of a sample, or holds some out.
    WholeCorpus,
    /// Topics that follow from the documents alone: the model has its own p(topic) and A.
    Refined,
    /// How far the corpus was; an earlier version did not save it.
    Extent,
    /// The other parts: the store has one part of the corpus, with what the run says of its documents.
    OtherParts,
}

impl fmt::Display for NotRevisable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Documents => "has no topics of documents to continue",
            Self::WholeCorpus => "is of some of the documents only",
            Self::Refined => "has topics as its model finds them, not refined on the documents",
            Self::Extent => "does not say how far its corpus was",
            Self::OtherParts => "is of a corpus in parts, of which this store has one",
        })
    }
}

/// The least part of the words of its vocabulary that a run's documents had on average which those of the corpus have to have
/// for its topics to be continued.
const LEAST_LEFT: f64 = 0.05;

/// The request for a run that continues the topics of `run` with what is new, corrected and deleted since. Topics keep their
/// numbers, and documents that did not change are shared. Seeds, vocabulary and other settings are those of `run`.
///
/// # Errors
/// [`UpdateError::NotRevisable`]; [`StoreError::UpdatedMeanwhile`] for a run that was updated already.
pub fn revising(store: &Store, run: &Run) -> Result<RunRequest, UpdateError> {
    if run.status != RunStatus::Finished {
        return Err(UpdateError::NotFinished(run.id));
    }
    let request = RunRequest::from_run(run)?;
    let newest = store.newest_of_series(run.id)?;
    if newest != run.id {
        return Err(StoreError::UpdatedMeanwhile { run: run.id, newest }.into());
    }
    check_revisable(store, run)?;
    if is_up_to_date(store, run)? {
        return Err(UpdateError::NothingNew { run: run.id, corpus: run.corpus.clone() });
    }
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let saved =
        |metric: &str| Ok::<_, StoreError>(store.run_metric(run.id, metric)?.unwrap_or(0.0));
    // Those that were left out had hardly any of them.
    let documents = saved(DOCUMENTS_USED.id)? + saved(DOCUMENTS_LEFT_OUT.id)?;
    let before = saved(TOKENS_USED.id)? / documents.max(1.0);
    let now = store.tokens_of_vocabulary(run.id)? as f64 / corpus.documents.max(1) as f64;
    if now < LEAST_LEFT * before {
        return Err(UpdateError::NoWords {
            run: run.id,
            corpus: corpus.name,
            k: run.k,
            now,
            before,
        });
    }
    let settings = RunSettings {
        start: Some(run.id),
        keeps_numbers: true,
        revises: true,
        parts: None,
        ..request.settings
    };
    Ok(RunRequest { settings, ..request })
}

/// Refuses a run that an update cannot continue.
///
/// # Errors
/// [`UpdateError::NotFinished`], [`UpdateError::NotRevisable`].
pub fn check_revisable(store: &Store, run: &Run) -> Result<(), UpdateError> {
    if run.status != RunStatus::Finished {
        return Err(UpdateError::NotFinished(run.id));
    }
    match not_revisable(store, run, &RunRequest::from_run(run)?)? {
        Some(reason) => Err(UpdateError::NotRevisable { run: run.id, reason }),
        None => Ok(()),
    }
}

fn not_revisable(
    store: &Store,
    run: &Run,
    request: &RunRequest,
) -> Result<Option<NotRevisable>, UpdateError> {
    let settings = &request.settings;
    let has_own_weights = || -> Result<bool, StoreError> {
        let is_refined = settings.refinement(&request.origin).is_some() || settings.revises;
        Ok(!is_refined && store.topics(run.id, 0)?.iter().any(|topic| topic.anchor.is_some()))
    };
    let is_whole = settings.sample.is_none() && settings.held_out.is_none();
    Ok(if !settings.documents || store.alpha(run.id)?.is_empty() {
        Some(NotRevisable::Documents)
    } else if !is_whole {
        Some(NotRevisable::WholeCorpus)
    } else if settings.parts.is_some() && store.part(run.corpus_id)?.is_some() {
        Some(NotRevisable::OtherParts)
    } else if has_own_weights()? {
        Some(NotRevisable::Refined)
    } else if store.last_document_of_run(run.id)?.is_none() {
        Some(NotRevisable::Extent)
    } else {
        None
    })
}

/// The request for a run that fits the model again from the result of `run`: the same corpus as it is now, model, K, seed and
/// settings. A run that adds to sums has the same vocabulary too.
pub fn refitting(store: &Store, run: &Run) -> Result<RunRequest, UpdateError> {
    if run.status != RunStatus::Finished {
        return Err(UpdateError::NotFinished(run.id));
    }
    let has_sums = store.summed_documents(run.id)?.is_some();
    let request = RunRequest::from_run(run)?;
    let starts_anew =
        request.settings.revises && request.origin.card().starts_from == StartsFrom::Eigenvectors;
    if !has_sums && !starts_anew && store.basis(run.id)?.is_none() {
        return Err(nothing_left(run));
    }
    if is_up_to_date(store, run)? {
        return Err(UpdateError::NothingNew { run: run.id, corpus: run.corpus.clone() });
    }
    let is_here = store.parts_elsewhere(run.corpus_id)?.is_none();
    let mut request = request;
    request.settings = RunSettings {
        start: Some(run.id),
        keeps_numbers: true,
        revises: false,
        parts: None,
        ..request.settings
    };
    if has_sums {
        if is_here {
            let hash_of = |documents: &_| current_documents_hash(store, run.corpus_id, documents);
            check_start(store, run.id, run.id, hash_of)?;
        }
        request.settings.vocabulary = run.vocabulary_id.map(VocabularyChoice::Used);
    }
    Ok(request)
}

/// Whether the corpus is as it was for `run`. The store of a corpus that is in other stores cannot say so.
fn is_up_to_date(store: &Store, run: &Run) -> Result<bool, StoreError> {
    let is_here = store.parts_elsewhere(run.corpus_id)?.is_none();
    Ok(is_here && run.corpus_hash == Some(store.corpus_hash(run.corpus_id)?))
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
