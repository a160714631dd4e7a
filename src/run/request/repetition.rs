//! Whether a run has been made before.

use super::models::model_card;
use crate::run::request::{RunRequest, RunSettings};
use crate::store::run::Run;

/// The first of `runs` that is one of this request. Threads, memory and whom a factorisation is
/// shared with are the machine's matter: they count for nothing but, the last, in the last bits.
pub fn repetition<'a>(runs: &'a [Run], request: &RunRequest) -> Option<&'a Run> {
    let wanted = what_counts(&request.settings, &request.model);
    runs.iter().find(|run| {
        let settings = || RunSettings::of(run).ok();
        run.corpus == request.corpus
            && run.model == request.model
            && (run.k, run.seed) == (request.k as u64, request.seed)
            && settings().is_some_and(|settings| what_counts(&settings, &run.model) == wanted)
    })
}

fn what_counts(settings: &RunSettings, model: &str) -> RunSettings {
    RunSettings {
        threads: 0,
        memory: 0.0,
        factorise: None,
        iterations: settings.iterations.or(model_card(model).map(|card| card.iterations)),
        ..settings.clone()
    }
}
