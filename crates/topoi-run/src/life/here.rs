//! Runs in this process, for programs without worker processes.

use std::sync::Arc;

use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

use super::worker::{Attempt, POLL_INTERVAL, WorkerSlot, work_on};
use crate::request::{RequestError, RunRequest};
use crate::work::worker_cache::WorkerCache;

/// Why a run did not finish.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The request is out of range or does not match the store.
    #[error("{0}")]
    Request(#[from] RequestError),
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The run failed or was cancelled.
    #[error("run {run} {status}: {reason}")]
    Failed {
        /// Number of the run, whose row is kept.
        run: RunId,
        /// The final status.
        status: &'static str,
        reason: String,
    },
}

/// Submits `request` and works on the run in this process; returns the finished row. Takes no slot of the store,
/// starts no other run and installs no signal handlers. Waits if a worker of the same store takes the run first.
pub fn run(store: &mut Store, request: &RunRequest) -> Result<Run, RunError> {
    let run = request.submit(store)?;
    let cache = Arc::new(WorkerCache::default());
    loop {
        if let Some(lock) = store.lock_run(run)?
            && store.take_run(run)?
        {
            let slot = WorkerSlot::outside(lock);
            work_on(store, run, &slot, &cache, Arc::default(), Attempt::work)?;
        }
        let row = store.run(run)?;
        match row.status {
            RunStatus::Finished => return Ok(row),
            status if status.is_over() => {
                let reason = row.error.unwrap_or_else(|| "nothing more is known".into());
                return Err(RunError::Failed { run, status: status.as_str(), reason });
            }
            _ => {
                // The worker that took the run may have been killed.
                super::mark_if_lost(store, &row)?;
                std::thread::sleep(POLL_INTERVAL);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_ingest::{IngestRequest, NoProgress, ingest};
    use topoi_store::Access;

    fn store(folder: &std::path::Path) -> Store {
        let lines: Vec<String> = (0..40)
            .map(|n| {
                ["harbour vessel anchor storm tide harbour", "flour oven pastry bread cake oven"]
                    [n % 2]
                    .into()
            })
            .collect();
        let file = folder.join("lines.txt");
        std::fs::write(&file, lines.join("\n")).expect("write");
        let store = Store::open(&folder.join("t.db"), Access::Create).expect("open");
        ingest(&store, &IngestRequest::new("lines", [file]), &NoProgress).expect("ingest");
        store
    }

    #[test]
    fn a_run_is_done_when_the_call_returns_and_one_that_is_refused_or_fails_says_why() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = store(folder.path());
        let done = run(&mut store, &RunRequest::new("lines", 2)).expect("a run");
        assert_eq!(done.status, RunStatus::Finished);
        assert_eq!(store.topics(done.id, 3).expect("topics").len(), 2);
        let refused = run(&mut store, &RunRequest::new("lines", 2000));
        assert!(matches!(refused, Err(RunError::Request(RequestError::OutOfRange { .. }))));
        let failed = run(&mut store, &RunRequest::new("lines", 7));
        let Err(RunError::Failed { run, .. }) = failed else { panic!("{failed:?}") };
        assert_eq!(store.run(run).expect("its row").status, RunStatus::Failed);
    }
}
