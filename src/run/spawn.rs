//! Starting the worker process of a run.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::store::{Store, StoreError};

/// Starts a process of its own that works on queued run `run`, its messages going to the run's
/// log file. The worker makes itself leader of a session of its own (`setsid`), so that neither
/// a closed terminal nor this process's end stops it.
///
/// Reap the returned child (`wait` in a thread, or `try_wait` now and then) if this process
/// lives on.
///
/// # Errors
/// When the log file or the process cannot be made.
pub fn spawn_worker(store: &Store, run: i64) -> Result<Child, StoreError> {
    let log_path = store.log_path(run);
    let fail = |path: &Path, source| StoreError::File { path: path.into(), source };
    let directory = store.runs_directory();
    std::fs::create_dir_all(&directory).map_err(|e| fail(&directory, e))?;
    let log = OpenOptions::new().create(true).append(true).open(&log_path);
    let log = log.map_err(|e| fail(&log_path, e))?;
    let program = std::env::current_exe().map_err(|e| fail(Path::new("topica"), e))?;
    Command::new(&program)
        .arg("--store")
        .arg(store.path())
        .arg("worker")
        .arg(run.to_string())
        .env_remove("TERM")
        .env_remove("TMUX")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(|e| fail(&program, e))
}
