//! Shares of a run's topics in groups of documents that are in the stores of parts.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::outline::broadcast;
use super::run_in_parts::RunInParts;
use topoi_core::stream::parts::Parts;
use topoi_run::groups::by::{Answer, Question, by_in_parts};
use topoi_store::Store;
use topoi_store::run::Run;

/// A question to all parts.
#[derive(Debug, Serialize, Deserialize)]
struct SharedQuestion {
    run: RunInParts,
    question: Question,
}

/// The answer to `question` about `run`, in part 0, which has the `store` of the whole corpus. `pattern` is the path of the
/// parts' stores, with `{rank}` for the part's number. The other parts call [`follow`].
///
/// # Errors
/// [`PartsError::DocumentsAreHere`] if the corpus is whole in `store`; [`PartsError::Part`] for the first part that cannot be
/// opened or does not have the run; the errors of [`by_in_parts`].
pub fn lead(
    store: &Store,
    run: &Run,
    question: &Question,
    pattern: &str,
    parts: &dyn Parts,
) -> Result<Answer, PartsError> {
    let shared = RunInParts::new(store, run, pattern, parts.count())
        .map(|run| Some(SharedQuestion { run, question: question.clone() }));
    answer(&broadcast(parts, shared)?, parts)
}

/// The work of all parts except part 0.
///
/// # Errors
/// [`PartsError`], which part 0 has too.
pub fn follow(parts: &dyn Parts) -> Result<(), PartsError> {
    answer(&broadcast(parts, Ok(None))?, parts).map(drop)
}

/// Ends [`follow`] in the other parts if part 0 has no question.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error of part 0.
    let _ = broadcast::<SharedQuestion>(parts, Err(PartsError::Told));
}

fn answer(shared: &SharedQuestion, parts: &dyn Parts) -> Result<Answer, PartsError> {
    let (store, run) = shared.run.open(parts)?;
    Ok(by_in_parts(&store, &run, &shared.question, parts)?)
}
