//! The thread that asks the store: what a screen wants to show, and again when it has changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::data::{Answer, Data, Request};
use super::message::Message;
use super::pace::Pace;
use super::query;
use crate::store::Store;

/// How often the store is asked whether it has changed; more seldom over SSH.
const LOOK_EVERY: Duration = Duration::from_millis(250);
const LOOK_EVERY_OVER_SSH: Duration = Duration::from_secs(1);
/// A worker that falls silent or dies changes nothing in the store: while runs are active, ask
/// again at least this often.
const ACTIVE_EVERY: Duration = Duration::from_secs(2);

/// Starts the thread. It ends when the sender of `requests` is dropped.
///
/// # Errors
/// When no thread can be made.
pub fn start(
    path: &Path,
    requests: Receiver<Request>,
    answers: Sender<Message>,
    over_ssh: bool,
) -> std::io::Result<()> {
    let look_every = if over_ssh { LOOK_EVERY_OVER_SSH } else { LOOK_EVERY };
    let reader = Reader {
        path: path.to_path_buf(),
        store: None,
        pace: Pace::default(),
        current: None,
        last: None,
        version: None,
        asked_at: Instant::now(),
    };
    let work = move || reader.work(&requests, &answers, look_every);
    std::thread::Builder::new().name("reader".into()).spawn(work).map(drop)
}

struct Reader {
    path: PathBuf,
    store: Option<Store>,
    pace: Pace,
    /// What is on the screen.
    current: Option<Request>,
    /// The last answer that was sent.
    last: Option<Answer>,
    /// The store's version at the last answer.
    version: Option<i64>,
    asked_at: Instant,
}

impl Reader {
    fn work(mut self, requests: &Receiver<Request>, answers: &Sender<Message>, every: Duration) {
        loop {
            match requests.recv_timeout(every) {
                Ok(request) => {
                    // Only the newest question matters.
                    self.current = Some(requests.try_iter().last().unwrap_or(request));
                }
                Err(RecvTimeoutError::Timeout) if !self.has_news() => continue,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let Some(answer) = self.answer() else { continue };
            if self.last.as_ref() != Some(&answer) {
                self.last = Some(answer.clone());
                if answers.send(Message::Answer(Box::new(answer))).is_err() {
                    return;
                }
            }
        }
    }

    /// Whether what is on the screen may have changed.
    fn has_news(&self) -> bool {
        let Some(store) = &self.store else { return true };
        let moved = store.data_version().ok() != self.version;
        let active = self.last.as_ref().is_some_and(|answer| answer.active > 0);
        moved || (active && self.asked_at.elapsed() >= ACTIVE_EVERY)
    }

    fn answer(&mut self) -> Option<Answer> {
        let Request { generation, query } = self.current.clone()?;
        self.asked_at = Instant::now();
        let answered = self.store().and_then(|(store, pace)| {
            let version = store.data_version()?;
            Ok((version, query::ask(store, &query, pace)?))
        });
        let (active, data) = match answered {
            Ok((version, found)) => {
                self.version = Some(version);
                found
            }
            Err(error) => {
                // A file that was replaced is opened anew at the next look.
                self.store = None;
                (0, Data::Failed(error.to_string()))
            }
        };
        Some(Answer { generation, active, data })
    }

    fn store(&mut self) -> Result<(&Store, &mut Pace), crate::store::StoreError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::open(&self.path)?,
        };
        Ok((self.store.insert(store), &mut self.pace))
    }
}
