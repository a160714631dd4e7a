//! The kernel lock that shows whether a run's worker is alive.
//!
//! The lock file is beside the store, in `STORE.runs/N.lock`. The kernel releases the lock when its process
//! ends in any way, so a free lock and a `running` row mean a dead worker.

use std::fs::{File, TryLockError};
use std::time::Duration;

use super::runs_directory::{OpenMode, lock_name};
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::RunId;

/// Attempts to take a lock before it is considered held. Others take it for an instant: a check whether a run is alive, a
/// `delete` that makes sure of it, and a process that was just forked, until it executes its program.
const LOCK_ATTEMPTS: u32 = 20;
/// Time between two attempts.
const LOCK_INTERVAL: Duration = Duration::from_millis(5);

/// A run's lock, held by its worker.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

/// One of the slots for a store's workers, held while a worker works.
#[derive(Debug)]
pub struct Slot {
    _lock: RunLock,
}

impl Store {
    /// Takes a run's lock; `None` if a living process holds it.
    ///
    /// # Errors
    /// [`StoreError::File`] or [`StoreError::NotOurs`] if the lock file cannot be opened.
    pub fn lock_run(&self, run: RunId) -> Result<Option<RunLock>> {
        self.lock_soon(&lock_name(run))
    }

    /// Takes an ingest's lock; `None` if a living process holds it.
    pub(crate) fn lock_ingest(&self, ingest: i64) -> Result<Option<RunLock>> {
        self.lock_soon(&format!("ingest-{ingest}.lock"))
    }

    fn lock_soon(&self, name: &str) -> Result<Option<RunLock>> {
        for _ in 0..LOCK_ATTEMPTS {
            if let Some(lock) = self.lock_file(name)? {
                return Ok(Some(lock));
            }
            std::thread::sleep(LOCK_INTERVAL);
        }
        Ok(None)
    }

    /// Takes the first free one of `slots` worker slots; `None` if living processes hold all. For workers only:
    /// a mere check could turn a worker away.
    ///
    /// # Errors
    /// As [`Store::lock_run`].
    pub fn take_slot(&self, slots: u64) -> Result<Option<Slot>> {
        for slot in 1..=slots {
            if let Some(lock) = self.lock_file(&format!("slot-{slot}.lock"))? {
                return Ok(Some(Slot { _lock: lock }));
            }
        }
        Ok(None)
    }

    fn lock_file(&self, name: &str) -> Result<Option<RunLock>> {
        let Some(file) = self.open_beside(name, OpenMode::Append)? else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => Ok(Some(RunLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => {
                Err(StoreError::File { path: self.runs_directory().join(name), source })
            }
        }
    }

    /// Whether a living process of this host holds a run's lock.
    pub fn run_is_alive(&self, run: RunId) -> bool {
        let Ok(Some(file)) = self.open_beside(&lock_name(run), OpenMode::Read) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    #[test]
    fn a_lock_is_held_once_and_free_again_when_dropped() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        assert!(!store.run_is_alive(RunId(1)));
        let lock = store.lock_run(RunId(1)).expect("lock").expect("free");
        assert!(store.run_is_alive(RunId(1)));
        assert!(store.lock_run(RunId(1)).expect("lock").is_none());
        drop(lock);
        assert!(!store.run_is_alive(RunId(1)));
        assert!(store.lock_run(RunId(1)).expect("lock").is_some());
    }

    #[test]
    fn a_lock_that_is_held_for_an_instant_is_waited_for() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        let store = Store::open(&path, Access::Create).expect("open");
        type Take = fn(&Store) -> Option<RunLock>;
        let takes: [Take; 2] = [
            |store| store.lock_run(RunId(1)).expect("lock"),
            |store| store.lock_ingest(1).expect("lock"),
        ];
        for take in takes {
            let held = take(&store).expect("free");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(20));
                    drop(held);
                });
                assert!(take(&store).is_some());
            });
        }
    }

    #[test]
    fn there_are_as_many_slots_as_requested() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let first = store.take_slot(2).expect("slot").expect("free");
        let second = store.take_slot(2).expect("slot").expect("free");
        assert!(store.take_slot(2).expect("slot").is_none());
        assert!(store.take_slot(3).expect("slot").is_some());
        drop(first);
        assert!(store.take_slot(1).expect("slot").is_some());
        drop(second);
    }
}
