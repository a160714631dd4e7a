//! The queue: runs wait for one of the store's places, and start by themselves.
//!
//! A place is a kernel lock (`STORE.runs/slot-1.lock` …) that a worker holds while it works, so
//! a place whose worker dies is free at once. Nobody but a worker touches these locks. A worker
//! takes a place first and then the run whose turn it is; whoever gives up a place looks at the
//! queue afterwards, so a run that was asked for meanwhile is never left waiting. Only a killed
//! worker cannot look; [`tend`] makes up for that.

use std::process::Child;

use super::spawn::spawn_worker;
use crate::life::{Vitality, mark_if_lost, vitality};
use topoi_store::run::RunStatus;
use topoi_store::{Store, StoreError};

/// Starts a worker for every place that is free while a run waits. Reap the children
/// ([`super::spawn::reap`]) if this process lives on. A worker too many ends by itself.
///
/// # Errors
/// When the store cannot be read or a process cannot be started.
pub fn start_queued(store: &Store) -> Result<Vec<Child>, StoreError> {
    let waiting = store.queued_runs()?.len();
    if waiting == 0 {
        return Ok(Vec::new());
    }
    let working = living_runs(store)?.len();
    let free = (store.at_once()? as usize).saturating_sub(working);
    (0..free.min(waiting)).map(|_| spawn_worker(store)).collect()
}

/// Marks the runs whose workers have died as interrupted, and starts what waits for their places.
///
/// # Errors
/// As [`start_queued`], and when the store cannot be written.
pub fn tend(store: &Store) -> Result<Vec<Child>, StoreError> {
    for run in store.running_runs()? {
        mark_if_lost(store, &store.run(run)?)?;
    }
    start_queued(store)
}

/// The runs that run `run` waits behind: those that work, and those whose turn comes before its
/// own. Empty when it does not wait.
///
/// # Errors
/// When the store cannot be read.
pub fn ahead_of(store: &Store, run: i64) -> Result<Vec<i64>, StoreError> {
    let waiting = store.queued_runs()?;
    let Some(place) = waiting.iter().position(|&other| other == run) else {
        return Ok(Vec::new());
    };
    let mut ahead = living_runs(store)?;
    if ahead.len() + place < store.at_once()? as usize {
        return Ok(Vec::new());
    }
    ahead.extend_from_slice(&waiting[..place]);
    Ok(ahead)
}

/// The runs on this host whose workers live.
fn living_runs(store: &Store) -> Result<Vec<i64>, StoreError> {
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
