//! A question about a run whose documents are in the stores of parts, which all parts answer together.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::outline::broadcast;
use super::run_in_parts::RunInParts;
use topoi_core::stream::parts::Parts;
use topoi_run::work::work_error::WorkError;
use topoi_store::Store;
use topoi_store::run::Run;

/// Answers a question from the store of a part and the run there, and exchanges sums with the other parts.
pub type Answers<Q, A> = fn(&Store, &Run, &Q, &dyn Parts) -> Result<A, WorkError>;

/// The answer of all parts, in part 0, which has the `store` of the whole corpus and its `run`. `pattern` is the path of the
/// parts' stores, with `{rank}` for the part's number. The other parts call [`follow`].
///
/// # Errors
/// [`PartsError::DocumentsAreHere`] if the corpus is whole in `store`; [`PartsError::Part`] for the first part that cannot be
/// opened or does not have the run; the errors of `answers`.
pub fn lead<Q, A>(
    (store, run): (&Store, &Run),
    question: &Q,
    pattern: &str,
    parts: &dyn Parts,
    answers: Answers<Q, A>,
) -> Result<A, PartsError>
where
    Q: Serialize + for<'de> Deserialize<'de> + Clone,
{
    let shared = RunInParts::new(store, run, pattern, parts.count());
    answer(broadcast(parts, shared.map(|run| Some((run, question.clone()))))?, parts, answers)
}

/// The work of all parts except part 0.
///
/// # Errors
/// [`PartsError`], which part 0 has too.
pub fn follow<Q, A>(parts: &dyn Parts, answers: Answers<Q, A>) -> Result<(), PartsError>
where
    Q: Serialize + for<'de> Deserialize<'de>,
{
    answer(broadcast(parts, Ok(None))?, parts, answers).map(drop)
}

/// Ends [`follow`] in the other parts if part 0 has no question.
pub fn call_off(parts: &dyn Parts) {
    // The caller has the error of part 0.
    let _ = broadcast::<()>(parts, Err(PartsError::Told));
}

fn answer<Q, A>(
    (run, question): (RunInParts, Q),
    parts: &dyn Parts,
    answers: Answers<Q, A>,
) -> Result<A, PartsError> {
    let (store, run) = run.open(parts)?;
    Ok(answers(&store, &run, &question, parts)?)
}
