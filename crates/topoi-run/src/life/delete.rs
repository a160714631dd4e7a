//! Deletion of runs, corpora and documents that no worker uses, and compaction.

use crate::life::{Vitality, state_word, vitality};
use crate::request::RunRequest;
use topoi_ingest::CorpusSettings;
use topoi_store::compact::Compaction;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::delete::Deleted;
use topoi_store::id::{DocumentId, RunId};
use topoi_store::run::Run;
use topoi_store::run::run_lock::RunLock;
use topoi_store::search::Words;
use topoi_store::{Store, StoreError};

/// Why a deletion is refused.
#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    /// A worker works on the run.
    #[error("run {run} is {state}")]
    UnderWay {
        /// Row id of the run.
        run: RunId,
        /// One word for its state.
        state: &'static str,
    },
    /// The store could not be read or written, or has no such row.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Deletes runs with their logs and lock files.
///
/// # Errors
/// [`DeleteError`]; then nothing is deleted.
pub fn delete_runs(store: &mut Store, runs: &[Run]) -> Result<(), DeleteError> {
    let _locks: Vec<RunLock> = runs.iter().map(|run| hold(store, run)).collect::<Result<_, _>>()?;
    let ids: Vec<RunId> = runs.iter().map(|run| run.id).collect();
    store.delete_runs(&ids)?;
    ids.iter().for_each(|&id| store.remove_files_of(id));
    Ok(())
}

/// The runs that started from the result of one of `runs` and are not among them, each with the one it started
/// from.
pub fn runs_started_from(store: &Store, runs: &[Run]) -> Result<Vec<(RunId, RunId)>, StoreError> {
    let is_among = |id: RunId| runs.iter().any(|run| run.id == id);
    let others = store.runs()?.into_iter().filter(|run| !is_among(run.id));
    let started = others.filter_map(|run| {
        let start = RunRequest::from_run(&run).ok().and_then(|request| request.settings.start);
        Some((run.id, run.parent.or(start).filter(|&from| is_among(from))?))
    });
    let mut started: Vec<(RunId, RunId)> = started.collect();
    started.sort_unstable();
    Ok(started)
}

/// Deletes a corpus with its documents, terms and runs in one transaction. If the disk has no space for that, its
/// runs are deleted one by one first.
///
/// # Errors
/// [`DeleteError`]; then nothing is deleted, or only runs.
pub fn delete_corpus(store: &mut Store, corpus: &Corpus) -> Result<(), DeleteError> {
    let runs = runs_of(store, corpus)?;
    let _locks: Vec<RunLock> = runs.iter().map(|run| hold(store, run)).collect::<Result<_, _>>()?;
    match store.delete_corpus(corpus.id) {
        // The space of a deleted run is enough to continue.
        Err(StoreError::Full(_)) => {
            for run in &runs {
                store.delete_runs(&[run.id])?;
                store.remove_files_of(run.id);
            }
            store.delete_corpus(corpus.id)?;
        }
        other => other?,
    }
    runs.iter().for_each(|run| store.remove_files_of(run.id));
    Ok(())
}

/// Deletes documents of a corpus by ascending ids, see [`Store::delete_documents`]. No run of the corpus starts
/// meanwhile, as it would lose texts that it counts.
///
/// # Errors
/// [`DeleteError`]; then nothing is deleted, or whole batches.
pub fn delete_documents(
    store: &mut Store,
    corpus: &Corpus,
    ids: &[DocumentId],
) -> Result<Deleted, DeleteError> {
    let mut held: Vec<(RunId, RunLock)> = Vec::new();
    let tokenizer = CorpusSettings::tokenizer(&corpus.settings);
    let words = tokenizer.as_ref().map(|tokenizer| {
        |text: &str, visit: &mut dyn FnMut(&str)| tokenizer.visit_words(text, visit)
    });
    let words = words.as_ref().map(|words| words as Words<'_>);
    store.delete_documents(corpus.id, ids, words, |store| {
        for run in runs_of(store, corpus)?.into_iter().filter(|run| !run.status.is_over()) {
            if held.iter().all(|(id, _)| *id != run.id) {
                held.push((run.id, hold(store, &run)?));
            }
        }
        Ok(())
    })
}

/// Gives the space of what was deleted back to the file system, see [`Store::compact`]. No running run could save
/// meanwhile.
///
/// # Errors
/// [`DeleteError`]; then the store is as it was.
pub fn compact(store: &Store) -> Result<Compaction, DeleteError> {
    for number in store.running_runs()? {
        let run = store.run(number)?;
        if vitality(store, &run)? != Vitality::Lost {
            return Err(DeleteError::UnderWay { run: number, state: state_word(store, &run)? });
        }
    }
    Ok(store.compact()?)
}

/// The runs of a corpus, newest first.
pub fn runs_of(store: &Store, corpus: &Corpus) -> Result<Vec<Run>, StoreError> {
    Ok(store.runs()?.into_iter().filter(|run| run.corpus_id == corpus.id).collect())
}

/// Keeps workers from starting the run.
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
