//! Starting and cancelling runs, each in a thread of its own: the store may be busy for long.

use crate::tui::effect::Said;
use crate::tui::message::{Message, News};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::Sender;
use topoi_run::choose_k::sweep::{KList, request_sweep};
use topoi_run::life;
use topoi_run::life::ResumeError;
use topoi_run::life::delete::delete_run;
use topoi_run::life::queue::{ahead_of, start_queued};
use topoi_run::life::spawn::{BackgroundJob, spawn_job};
use topoi_run::request::{RequestError, RunRequest};
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store, StoreError};

/// Saves a run for every K and starts a worker if there is a place for one; then waits for the
/// worker's end, so that it is reaped, and says so if the first run waits behind nothing and was
/// not taken up.
pub fn launch(path: &Path, plan: RunRequest, list: KList, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        match start(&path, &plan, &list) {
            Err(error) => send(&messages, Message::News(News::Launched(Err(error.to_string())))),
            Ok((run, workers)) => {
                send(&messages, Message::News(News::Launched(Ok(run))));
                for mut worker in workers {
                    let ended = worker.wait();
                    if let (Ok(status), Some(log)) = (ended, never_taken(&path, run)) {
                        let log = log.display();
                        let notice = format!("run {run}: a worker ended with {status}; see {log}");
                        send(&messages, Message::Notice(notice));
                    }
                }
            }
        };
    });
}

/// Has a process of its own do a job, which goes on when the workbench is left; says when it has
/// ended.
pub fn start_job(path: &Path, job: BackgroundJob, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let ended = spawn_job(&path, &job)
            .and_then(std::process::Child::wait_with_output)
            .map_err(|error| error.to_string());
        let outcome = ended.and_then(|output| match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(said.trim().lines().last().unwrap_or("it ended without a word").to_string())
            }
        });
        send(&messages, Message::News(News::JobEnded { job, outcome }));
    });
}

/// Calls a run this or notes this of it, or takes that away.
pub fn say_of_run(
    path: &Path,
    run: i64,
    (what, text): (Said, Option<String>),
    messages: Sender<Message>,
) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let said = || {
            let store = Store::open(&path, Access::Write)?;
            match what {
                Said::Name => store.name_run(run, text.as_deref()),
                Said::Note => store.note_run(run, text.as_deref()),
            }
        };
        let notice = match (said(), what, &text) {
            (Err(error), _, _) => error.to_string(),
            (Ok(()), Said::Name, Some(name)) => format!("run {run} is called {name:?}"),
            (Ok(()), Said::Name, None) => format!("run {run} has no name"),
            (Ok(()), Said::Note, Some(_)) => format!("the note of run {run} is saved"),
            (Ok(()), Said::Note, None) => format!("run {run} has no note"),
        };
        send(&messages, Message::Notice(notice));
    });
}

/// Names a topic of a run (run, topic), or takes its name away.
pub fn label(path: &Path, of: (i64, u64), label: Option<String>, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let (run, topic) = of;
        let named =
            || Store::open(&path, Access::Write)?.set_topic_label(run, topic, label.as_deref());
        let notice = match (named(), &label) {
            (Ok(()), Some(label)) => format!("topic {topic} of run {run} is called {label:?}"),
            (Ok(()), None) => format!("topic {topic} of run {run} has no name"),
            (Err(error), _) => error.to_string(),
        };
        send(&messages, Message::Notice(notice));
    });
}

pub fn cancel(path: &Path, run: i64, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let cancelled = || -> Result<(), StoreError> {
            let store = Store::open(&path, Access::Write)?;
            life::cancel(&store, &store.run(run)?)
        };
        let notice = match cancelled() {
            Ok(()) => format!("run {run} is asked to stop"),
            Err(error) => error.to_string(),
        };
        send(&messages, Message::Notice(notice));
    });
}

/// Goes on with a run after its last finished stage; waits for the worker's end.
pub fn resume(path: &Path, run: i64, messages: Sender<Message>) {
    let path = path.to_path_buf();
    std::thread::spawn(move || {
        let resumed = || -> Result<Vec<Child>, ResumeError> {
            let mut store = Store::open(&path, Access::Write)?;
            let row = store.run(run)?;
            life::resume(&mut store, &row)?;
            Ok(start_queued(&store)?)
        };
        let (notice, workers) = match resumed() {
            Ok(workers) => (format!("run {run} resumes"), workers),
            Err(error) => (error.to_string(), Vec::new()),
        };
        send(&messages, Message::Notice(notice));
        for mut worker in workers {
            // Its run tells how it ended.
            let _ = worker.wait();
        }
    });
}

/// Deletes the runs that the user has deleted and not brought back. Nothing is deleted when the
/// workbench does not end by itself.
pub fn delete(path: &Path, runs: &[i64]) -> anyhow::Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    let store = Store::open(path, Access::Write)?;
    for &run in runs {
        match store.run(run) {
            // Somebody else was quicker.
            Err(StoreError::UnknownRun(_)) => {}
            row => delete_run(&store, &row?)?,
        }
    }
    Ok(())
}

fn start(path: &Path, plan: &RunRequest, list: &KList) -> Result<(i64, Vec<Child>), RequestError> {
    let store = Store::open(path, Access::Write)?;
    let run = match list.values() {
        // A single run may well be asked for again.
        [_] => plan.submit(&store)?,
        _ => request_sweep(&store, plan, list, 1)?[0],
    };
    match start_queued(&store) {
        Ok(workers) => Ok((run, workers)),
        Err(error) => {
            // Nobody would ever take it up.
            life::cancel(&store, &store.run(run)?)?;
            Err(error.into())
        }
    }
}

/// The log of workers, if a run is queued though nothing is before it.
fn never_taken(path: &Path, run: i64) -> Option<PathBuf> {
    let store = Store::open(path, Access::Read).ok()?;
    let queued = store.run(run).ok()?.status == RunStatus::Queued;
    let first = ahead_of(&store, run).ok()?.is_empty();
    (queued && first).then(|| store.worker_log_path())
}

fn send(messages: &Sender<Message>, message: Message) {
    // Nobody listens when the workbench has been left meanwhile; then nobody needs to know.
    let _ = messages.send(message);
}
