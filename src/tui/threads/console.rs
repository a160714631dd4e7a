//! The thread that answers the user's own queries, on a connection of its own: a query may take
//! as long as it likes, and can be interrupted, without keeping a screen from its data.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use crate::tui::message::{Answered, Message, News};
use crate::tui::screens::sql::LIMITS;
use topoi_store::{Access, Store, StoreError};

/// The way to the thread.
#[derive(Debug)]
pub struct Console {
    queries: Sender<(u64, String)>,
    stop: Arc<AtomicBool>,
}

impl Console {
    /// Starts the thread for the store at `path`. It ends when the console is dropped.
    ///
    /// # Errors
    /// When no thread can be made.
    pub fn start(path: &Path, answers: Sender<Message>) -> std::io::Result<Self> {
        let (queries, asked) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (path, seen) = (path.to_path_buf(), Arc::clone(&stop));
        let work = move || answer_all(&path, &asked, &answers, &seen);
        std::thread::Builder::new().name("console".into()).spawn(work)?;
        Ok(Self { queries, stop })
    }

    /// Asks; the answer comes as a message with this ticket.
    pub fn ask(&self, ticket: u64, sql: String) {
        self.stop.store(false, Ordering::SeqCst);
        // The thread ends only after this end of the channel.
        let _ = self.queries.send((ticket, sql));
    }

    /// Ends the query that is being answered.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.interrupt();
    }
}

fn answer_all(
    path: &Path,
    asked: &Receiver<(u64, String)>,
    answers: &Sender<Message>,
    stop: &Arc<AtomicBool>,
) {
    let mut store = None;
    for (ticket, sql) in asked {
        let outcome = answer(&mut store, path, &sql, stop).map_err(|error| {
            // A file that was replaced is opened anew for the next query.
            if !matches!(
                error,
                StoreError::Query(_) | StoreError::TookTooLong { .. } | StoreError::Interrupted
            ) {
                store = None;
            }
            error.to_string()
        });
        if answers.send(Message::News(News::Queried { ticket, outcome })).is_err() {
            return;
        }
    }
}

fn answer(
    store: &mut Option<Store>,
    path: &Path,
    sql: &str,
    stop: &Arc<AtomicBool>,
) -> Result<Answered, StoreError> {
    let store = match store {
        Some(store) => store,
        None => store.insert(Store::open(path, Access::Read)?),
    };
    let start = Instant::now();
    let result = store.query_within(sql, LIMITS, stop)?;
    Ok(Answered { result, seconds: start.elapsed().as_secs_f64() })
}
