//! Marks runs whose worker has died and starts what waits, apart from the reader: writing may
//! have to wait for long while another process fills the store.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::store::{Access, Store};

/// Tends the queue in a thread, one thread at a time.
#[derive(Debug)]
pub struct QueueKeeper {
    path: PathBuf,
    at_work: Option<JoinHandle<()>>,
}

impl QueueKeeper {
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), at_work: None }
    }

    /// Marks the runs whose workers have died as interrupted, and starts what waits for their
    /// places. What cannot be done now is asked for again with the next look at the store.
    pub fn tend(&mut self) {
        if self.at_work.as_ref().is_some_and(|work| !work.is_finished()) {
            return;
        }
        let path = self.path.clone();
        let work = move || {
            if let Ok(workers) = Store::open(&path, Access::Write).and_then(|store| tend(&store)) {
                reap(workers);
            }
        };
        self.at_work = std::thread::Builder::new().name("queue".into()).spawn(work).ok();
    }
}
