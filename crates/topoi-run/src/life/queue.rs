//! The queue: runs wait for a slot of the store and start by themselves.
//!
//! A slot is a kernel lock (`STORE.runs/slot-1.lock` …) that a worker holds while it works, so that the slot of a
//! dead worker is free at once. Only workers take these locks. A worker takes a slot first and then the next run of
//! the queue. Whoever releases a slot checks the queue afterwards, so that a run requested meanwhile does not wait
//! for ever. A killed worker cannot check; [`tend`] does.

use std::process::Child;

use super::spawn::spawn_worker;
use crate::life::{Vitality, mark_if_lost, vitality};
use crate::number;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;
use topoi_store::{Store, StoreError};

/// Starts a worker for every free slot while a run waits. A process that lives on reaps the children
/// ([`super::spawn::reap`]). A surplus worker ends by itself.
pub fn start_queued(store: &Store) -> Result<Vec<Child>, StoreError> {
    let waiting = store.queued_runs()?.len();
    if waiting == 0 {
        return Ok(Vec::new());
    }
    let working = living_runs(store)?.len();
    let free = number::size(store.at_once()?).saturating_sub(working);
    (0..free.min(waiting)).map(|_| spawn_worker(store)).collect()
}

/// Marks the runs of dead workers as interrupted, and starts waiting runs in their slots.
pub fn tend(store: &Store) -> Result<Vec<Child>, StoreError> {
    for run in store.running_runs()? {
        mark_if_lost(store, &store.run(run)?)?;
    }
    start_queued(store)
}

/// The runs that run `run` waits for: those that run, and those earlier in the queue. Empty if it does not wait.
pub fn ahead_of(store: &Store, run: RunId) -> Result<Vec<RunId>, StoreError> {
    let waiting = store.queued_runs()?;
    let Some(place) = waiting.iter().position(|&other| other == run) else {
        return Ok(Vec::new());
    };
    let mut ahead = living_runs(store)?;
    if ahead.len() + place < number::size(store.at_once()?) {
        return Ok(Vec::new());
    }
    ahead.extend_from_slice(&waiting[..place]);
    Ok(ahead)
}

/// The runs on this host with a living worker.
fn living_runs(store: &Store) -> Result<Vec<RunId>, StoreError> {
    let mut living = Vec::new();
    for id in store.running_runs()? {
        let run = store.run(id)?;
        let dead = matches!(vitality(store, &run)?, Vitality::Lost | Vitality::OtherHost);
        if run.status == RunStatus::Running && !dead {
            living.push(id);
        }
    }
    Ok(living)
}
