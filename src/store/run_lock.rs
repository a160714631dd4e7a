//! The kernel lock that says whether a run's worker is alive.
//!
//! The lock file stands beside the store, in `STORE.runs/N.lock`. The kernel frees the lock when
//! its process ends, however it ends, so that a free lock and a `running` row mean a dead worker.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::Store;
use super::error::{Result, StoreError};

/// Held by a worker for as long as it works on a run.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
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

    /// Takes a run's lock; `None` when a living process holds it.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn lock_run(&self, run: i64) -> Result<Option<RunLock>> {
        self.lock_file(&format!("{run}.lock"))
    }

    /// Takes an ingest's lock; `None` when a living process holds it.
    pub(super) fn lock_ingest(&self, ingest: i64) -> Result<Option<RunLock>> {
        self.lock_file(&format!("ingest-{ingest}.lock"))
    }

    fn lock_file(&self, name: &str) -> Result<Option<RunLock>> {
        let directory = self.runs_directory();
        let fail = |path: &Path, source| StoreError::File { path: path.into(), source };
        std::fs::create_dir_all(&directory).map_err(|e| fail(&directory, e))?;
        let path = directory.join(name);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|e| fail(&path, e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(RunLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(fail(&path, source)),
        }
    }

    /// Whether a living process of this host holds a run's lock.
    pub fn run_is_alive(&self, run: i64) -> bool {
        let path = self.runs_directory().join(format!("{run}.lock"));
        let Ok(file) = OpenOptions::new().append(true).open(path) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_free_again_when_dropped() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db")).expect("open");
        assert!(!store.run_is_alive(1));
        let lock = store.lock_run(1).expect("lock").expect("free");
        assert!(store.run_is_alive(1));
        assert!(store.lock_run(1).expect("lock").is_none());
        drop(lock);
        assert!(!store.run_is_alive(1));
        assert!(store.lock_run(1).expect("lock").is_some());
    }
}
