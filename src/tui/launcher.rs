//! Starting and cancelling runs, each in a thread of its own: the store may be busy for long.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use super::message::Message;
use crate::run::life;
use crate::run::request::{RequestError, RunRequest};
use crate::run::spawn::spawn_worker;
use crate::store::run::RunStatus;
use crate::store::{Store, StoreError};

/// Saves a run and starts its worker; then waits for the worker's end, so that it is reaped,
/// and says so if it never took the run up.
pub fn launch(path: &Path, request: RunRequest, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        match start(&path, &request) {
            Err(error) => send(&messages, Message::Launched(Err(error.to_string()))),
            Ok((run, mut worker)) => {
                send(&messages, Message::Launched(Ok(run)));
                let ended = worker.wait();
                if let (Ok(status), Some(log)) = (ended, never_taken(&path, run)) {
                    let log = log.display();
                    let notice = format!("run {run}: its worker ended with {status}; see {log}");
                    send(&messages, Message::Notice(notice));
                }
            }
        };
    });
}

/// Cancels a run.
pub fn cancel(path: &Path, run: i64, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let cancelled = || -> Result<(), StoreError> {
            let store = Store::open(&path)?;
            life::cancel(&store, &store.run(run)?)
        };
        let notice = match cancelled() {
            Ok(()) => format!("run {run} is asked to stop"),
            Err(error) => error.to_string(),
        };
        send(&messages, Message::Notice(notice));
    });
}

fn start(path: &Path, request: &RunRequest) -> Result<(i64, std::process::Child), RequestError> {
    let store = Store::open(path)?;
    let run = request.submit(&store)?;
    match spawn_worker(&store, run) {
        Ok(worker) => Ok((run, worker)),
        Err(error) => {
            // Nobody would ever take it up.
            life::cancel(&store, &store.run(run)?)?;
            Err(error.into())
        }
    }
}

/// The log of a run that is still queued.
fn never_taken(path: &Path, run: i64) -> Option<PathBuf> {
    let store = Store::open(path).ok()?;
    let queued = store.run(run).ok()?.status == RunStatus::Queued;
    queued.then(|| store.log_path(run))
}

fn send(messages: &Sender<Message>, message: Message) {
    // Nobody listens when the workbench has been left meanwhile; then nobody needs to know.
    let _ = messages.send(message);
}
