//! Shares of a run's topics in another corpus, both in the stores of parts.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::outline::broadcast;
use super::run_in_parts::RunInParts;
use topoi_core::stream::parts::Parts;
use topoi_run::saved::infer::{CorpusInference, infer_in_parts};
use topoi_store::Store;
use topoi_store::run::Run;

/// A corpus to all parts.
#[derive(Debug, Serialize, Deserialize)]
struct SharedCorpus {
    run: RunInParts,
    corpus: String,
}

/// The topics of `run` in the documents that the parts have of `corpus`, in part 0, which has the `store` of the whole.
/// `pattern` is the path of the parts' stores, with `{rank}` for the part's number. The other parts call [`follow`].
///
/// # Errors
/// [`PartsError::DocumentsAreHere`] if the run's corpus is whole in `store`; [`PartsError::Part`] for the first part that
/// cannot be opened or does not have the run; the errors of [`infer_in_parts`].
pub fn lead(
    store: &Store,
    run: &Run,
    corpus: &str,
    pattern: &str,
    parts: &dyn Parts,
) -> Result<CorpusInference, PartsError> {
    let shared = RunInParts::new(store, run, pattern, parts.count())
        .map(|run| Some(SharedCorpus { run, corpus: corpus.into() }));
    inferred(&broadcast(parts, shared)?, parts)
}

/// The work of all parts except part 0.
///
/// # Errors
/// [`PartsError`], which part 0 has too.
pub fn follow(parts: &dyn Parts) -> Result<(), PartsError> {
    inferred(&broadcast(parts, Ok(None))?, parts).map(drop)
}

/// Ends [`follow`] in the other parts if part 0 has no run.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error of part 0.
    let _ = broadcast::<SharedCorpus>(parts, Err(PartsError::Told));
}

fn inferred(shared: &SharedCorpus, parts: &dyn Parts) -> Result<CorpusInference, PartsError> {
    let (store, run) = shared.run.open(parts)?;
    Ok(infer_in_parts(&store, &run, &shared.corpus, parts)?)
}
