//! Deleting runs and corpora, unless a worker works on them.

use crate::run::life::{Vitality, state_word, vitality};
use crate::store::corpus::Corpus;
use crate::store::run::Run;
use crate::store::run::run_lock::RunLock;
use crate::store::{Store, StoreError};

/// Why nothing was deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// A worker works on the run.
    #[error("run {run} is {state}; stop it first with `topoi cancel {run}`")]
    UnderWay {
        /// Row id of the run.
        run: i64,
        /// One word for its state.
        state: &'static str,
    },
    /// The store could not be read or written, or has no such row.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Deletes a run, its log and its lock file.
///
/// # Errors
/// [`DeleteError`]; then nothing is deleted.
pub fn delete_run(store: &Store, run: &Run) -> Result<(), DeleteError> {
    let _lock = hold(store, run)?;
    store.delete_run(run.id)?;
    store.remove_files_of(run.id);
    Ok(())
}

/// Deletes a corpus with its documents, terms and runs: all at once, or where the disk has no space for
/// that, its runs one by one first.
///
/// # Errors
/// [`DeleteError`]; then nothing is deleted, or only runs.
pub fn delete_corpus(store: &mut Store, corpus: &Corpus) -> Result<(), DeleteError> {
    let runs = runs_of(store, corpus)?;
    let _locks: Vec<RunLock> = runs.iter().map(|run| hold(store, run)).collect::<Result<_, _>>()?;
    match store.delete_corpus(corpus.id) {
        // What a run took is enough to write on with.
        Err(StoreError::Full(_)) => {
            for run in &runs {
                store.delete_run(run.id)?;
                store.remove_files_of(run.id);
            }
            store.delete_corpus(corpus.id)?;
        }
        other => other?,
    }
    runs.iter().for_each(|run| store.remove_files_of(run.id));
    Ok(())
}

/// The runs of a corpus, newest first.
///
/// # Errors
/// When the store cannot be read.
pub fn runs_of(store: &Store, corpus: &Corpus) -> Result<Vec<Run>, StoreError> {
    Ok(store.runs()?.into_iter().filter(|run| run.corpus_id == corpus.id).collect())
}

/// Keeps workers from taking the run up.
fn hold(store: &Store, run: &Run) -> Result<RunLock, DeleteError> {
    let elsewhere = vitality(store, run)? == Vitality::OtherHost;
    match store.lock_run(run.id)? {
        Some(lock) if !elsewhere => Ok(lock),
        _ => {
            let run = store.run(run.id)?;
            Err(DeleteError::UnderWay { run: run.id, state: state_word(store, &run)? })
        }
    }
}
