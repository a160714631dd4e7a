//! The kernel lock that says whether a run's worker is alive.
//!
//! The lock file stands beside the store, in `STORE.runs/N.lock`. The kernel frees the lock when
//! its process ends, however it ends, so that a free lock and a `running` row mean a dead worker.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::store::Store;
use crate::store::error::{Result, StoreError};

/// How often a run's lock is tried before it counts as held.
const LOOKS: u32 = 10;

/// Held by a worker for as long as it works on a run.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

/// One of the places where a store's workers work, held for as long as it works.
#[derive(Debug)]
pub struct Slot {
    _lock: RunLock,
}

impl Store {
    /// The directory for a store's lock files and logs.
    pub fn runs_directory(&self) -> PathBuf {
        let mut name = self.path().as_os_str().to_os_string();
        name.push(".runs");
        PathBuf::from(name)
    }

    /// The log file of a run.
    pub fn log_path(&self, run: i64) -> PathBuf {
        self.runs_directory().join(format!("{run}.log"))
    }

    /// The lock file of a run.
    pub fn lock_path(&self, run: i64) -> PathBuf {
        self.runs_directory().join(format!("{run}.lock"))
    }

    /// The log file of workers that have no run yet.
    pub fn worker_log_path(&self) -> PathBuf {
        self.runs_directory().join("worker.log")
    }

    /// Takes a run's lock; `None` when a living process holds it.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn lock_run(&self, run: i64) -> Result<Option<RunLock>> {
        // A look at whether the run is alive takes the lock for an instant.
        for _ in 0..LOOKS {
            if let Some(lock) = self.lock_file(&self.lock_path(run))? {
                return Ok(Some(lock));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(None)
    }

    /// Takes an ingest's lock; `None` when a living process holds it.
    pub(crate) fn lock_ingest(&self, ingest: i64) -> Result<Option<RunLock>> {
        self.lock_file(&self.runs_directory().join(format!("ingest-{ingest}.lock")))
    }

    /// Takes the first free one of `slots` places to work at; `None` when living processes hold
    /// them all. For workers only: a mere look could turn a worker away.
    ///
    /// # Errors
    /// When a lock file cannot be made.
    pub fn take_slot(&self, slots: u64) -> Result<Option<Slot>> {
        for slot in 1..=slots {
            let path = self.runs_directory().join(format!("slot-{slot}.lock"));
            if let Some(lock) = self.lock_file(&path)? {
                return Ok(Some(Slot { _lock: lock }));
            }
        }
        Ok(None)
    }

    fn lock_file(&self, path: &Path) -> Result<Option<RunLock>> {
        let directory = self.runs_directory();
        let fail = |path: &Path, source| StoreError::File { path: path.into(), source };
        std::fs::create_dir_all(&directory).map_err(|e| fail(&directory, e))?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| fail(path, e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(RunLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(fail(path, source)),
        }
    }

    /// Whether a living process of this host holds a run's lock.
    pub fn run_is_alive(&self, run: i64) -> bool {
        let Ok(file) = OpenOptions::new().append(true).open(self.lock_path(run)) else {
            return false;
        };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Access;

    #[test]
    fn a_lock_is_held_once_and_free_again_when_dropped() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        assert!(!store.run_is_alive(1));
        let lock = store.lock_run(1).expect("lock").expect("free");
        assert!(store.run_is_alive(1));
        assert!(store.lock_run(1).expect("lock").is_none());
        drop(lock);
        assert!(!store.run_is_alive(1));
        assert!(store.lock_run(1).expect("lock").is_some());
    }

    #[test]
    fn there_are_as_many_places_as_the_store_has() {
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
