//! Looking for a topic's documents, in a thread of its own: it reads the whole corpus.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use super::message::Message;
use super::state::run::DOCUMENTS;
use crate::progress::Progress;
use crate::run::topic_documents::topic_documents;
use crate::run::work::WorkError;
use crate::store::Store;

/// Starts searches; each new one ends the one before.
#[derive(Debug, Default)]
pub struct Finder {
    newest: Arc<AtomicU64>,
}

/// One search; it is cancelled when a newer one has started.
struct Search {
    number: u64,
    newest: Arc<AtomicU64>,
}

impl Progress for Search {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        self.newest.load(Ordering::Relaxed) != self.number
    }
}

impl Finder {
    /// Looks for the documents of a topic; the answer comes as a message, unless another search
    /// has been started meanwhile.
    pub fn find(&self, path: &Path, run: i64, topic: u64, messages: Sender<Message>) {
        let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
        let search = Search { number, newest: Arc::clone(&self.newest) };
        let path = path.to_path_buf();
        std::thread::spawn(move || {
            let found = || -> Result<_, WorkError> {
                let store = Store::open_existing(&path)?;
                topic_documents(&store, &store.run(run)?, topic, DOCUMENTS, &search)
            };
            let found = match found() {
                Err(error) if error.is_cancel() => return,
                found => found.map_err(|error| error.to_string()),
            };
            // Nobody listens when the workbench has been left meanwhile.
            let _ = messages.send(Message::Documents { run, topic, found });
        });
    }
}
