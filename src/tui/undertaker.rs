//! Marks runs whose worker has died, apart from the reader: writing may have to wait for long
//! while another process fills the store.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use crate::run::life::bury_if_lost;
use crate::store::{Store, StoreError};

/// Buries lost runs in a thread, one thread at a time.
#[derive(Debug)]
pub struct Undertaker {
    path: PathBuf,
    at_work: Option<JoinHandle<()>>,
}

impl Undertaker {
    /// One for the store at `path`.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), at_work: None }
    }

    /// Marks these runs as interrupted if they are lost still. What cannot be done now is asked
    /// for again with the next look at the store.
    pub fn bury(&mut self, runs: Vec<i64>) {
        if runs.is_empty() || self.at_work.as_ref().is_some_and(|work| !work.is_finished()) {
            return;
        }
        let path = self.path.clone();
        let work = move || {
            let _: Result<(), StoreError> = bury_all(&path, &runs);
        };
        self.at_work = std::thread::Builder::new().name("undertaker".into()).spawn(work).ok();
    }
}

fn bury_all(path: &Path, runs: &[i64]) -> Result<(), StoreError> {
    let store = Store::open(path)?;
    for &run in runs {
        bury_if_lost(&store, &store.run(run)?)?;
    }
    Ok(())
}
