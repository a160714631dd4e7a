//! Whether a run has been made before.

use crate::run::request::{RunRequest, RunSettings};
use crate::store::run::Run;

/// The first of `runs` that is one of this request. Threads, memory and whom a factorisation is
/// shared with are the machine's matter: they count for nothing but, the last, in the last bits.
pub fn repetition<'a>(runs: &'a [Run], request: &RunRequest) -> Option<&'a Run> {
    let wanted = what_counts(request.clone());
    runs.iter().find(|run| {
        run.corpus == request.corpus
            && run.model == request.origin.name()
            && (run.k, run.seed) == (request.k as u64, request.seed)
            && RunRequest::of(run).is_ok_and(|other| what_counts(other) == wanted)
    })
}

fn what_counts(request: RunRequest) -> RunRequest {
    let settings = RunSettings { threads: 0, memory: 0.0, factorise: None, ..request.settings };
    RunRequest { settings, ..request }
}
