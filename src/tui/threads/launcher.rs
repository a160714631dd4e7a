//! Starting, cancelling and resuming runs, and starting the processes of jobs: the store may be busy for long.

use std::path::{Path, PathBuf};
use std::process::Child;

use super::background::{Background, Job, Kind, as_notice};
use crate::cli::remedy::explained;
use crate::tui::message::{EffectOutcome, Message};
use topoi_run::choose_k::sweep::{KList, request_sweep};
use topoi_run::life;
use topoi_run::life::delete::delete_runs;
use topoi_run::life::queue::{ahead_of, start_queued, tend};
use topoi_run::life::spawn::{BackgroundJob, reap, spawn_job};
use topoi_run::request::{RequestError, RunRequest};
use topoi_store::command::CommandWords;
use topoi_store::id::RunId;
use topoi_store::run::RunStatus;
use topoi_store::{Access, Store, StoreError};

const QUEUE: &str = "queue";

/// Saves a run for every K and starts a worker if the queue has a free place. Then waits for the workers, so that none
/// stays in the process table, and reports the first run if it is next in the queue and no worker took it.
pub fn launch(
    background: &Background,
    path: &Path,
    (plan, list, command): (RunRequest, KList, Option<CommandWords>),
) {
    let path = path.to_path_buf();
    let launch = move |job: &Job| {
        let (run, workers) = start(&path, (&plan, &list), command.clone())?;
        job.send(Message::EffectOutcome(EffectOutcome::Launched(Ok(run))));
        job.detach();
        for mut worker in workers {
            if let (Ok(status), Some(log)) = (worker.wait(), never_taken(&path, run)) {
                let log = log.display();
                let notice = format!("run {run}: a worker ended with {status}; see {log}");
                job.send(Message::Notice(notice));
            }
        }
        Ok(None)
    };
    background.run(Kind::StoreWrite, "launch", launch, |error| {
        Some(Message::EffectOutcome(EffectOutcome::Launched(Err(explained(error.as_ref())))))
    });
}

/// Starts the process of a job, which continues when the workbench is left. Its end comes as news.
pub fn start_job(background: &Background, path: &Path, process: BackgroundJob) {
    let (path, failed) = (path.to_path_buf(), process.clone());
    let start = move |job: &Job| {
        let child = spawn_job(&path, &process)?;
        job.detach();
        let output = child.wait_with_output()?;
        let outcome = if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            let printed = String::from_utf8_lossy(&output.stderr);
            Err(printed.trim().lines().last().unwrap_or("it ended without a word").to_string())
        };
        Ok(Some(Message::EffectOutcome(EffectOutcome::JobEnded { job: process, outcome })))
    };
    background.run(Kind::FileWrite, "job", start, |error| {
        let outcome = Err(explained(error.as_ref()));
        Some(Message::EffectOutcome(EffectOutcome::JobEnded { job: failed, outcome }))
    });
}

pub fn cancel(background: &Background, path: &Path, run: RunId) {
    let path = path.to_path_buf();
    let cancel = move |_: &Job| {
        let store = Store::open(&path, Access::Write)?;
        life::cancel(&store, &store.run(run)?)?;
        Ok(Some(Message::Notice(format!("run {run} is asked to stop"))))
    };
    background.run(Kind::StoreWrite, "cancel", cancel, as_notice);
}

/// Resumes a run after its last finished stage.
pub fn resume(background: &Background, path: &Path, run: RunId) {
    let path = path.to_path_buf();
    let resume = move |_: &Job| {
        let mut store = Store::open(&path, Access::Write)?;
        let row = store.run(run)?;
        life::resume(&mut store, &row)?;
        reap(start_queued(&store)?);
        Ok(Some(Message::Notice(format!("run {run} resumes"))))
    };
    background.run(Kind::StoreWrite, "resume", resume, as_notice);
}

/// Marks runs whose workers have died as interrupted, and starts queued runs in their places. Errors are not reported:
/// the reader calls this again.
pub fn tend_queue(background: &Background, path: &Path) {
    if background.is_active(QUEUE) {
        return;
    }
    let path = path.to_path_buf();
    let work = move |_: &Job| {
        reap(tend(&Store::open(&path, Access::Write)?)?);
        Ok(None)
    };
    background.run(Kind::StoreWrite, QUEUE, work, |_| None);
}

/// Deletes the runs that the user has deleted and not restored. Called only at a regular end of the workbench.
pub fn delete(path: &Path, runs: &[RunId]) -> anyhow::Result<()> {
    if runs.is_empty() {
        return Ok(());
    }
    let mut store = Store::open(path, Access::Write)?;
    for &run in runs {
        match store.run(run) {
            // Another process has deleted it.
            Err(StoreError::UnknownRun(_)) => {}
            row => delete_runs(&mut store, &[row?])?,
        }
    }
    Ok(())
}

fn start(
    path: &Path,
    (plan, list): (&RunRequest, &KList),
    command: Option<CommandWords>,
) -> Result<(RunId, Vec<Child>), RequestError> {
    let mut store = Store::open(path, Access::Write)?;
    store.set_command(command);
    let run = match list.values() {
        // A sweep reuses runs that exist; a single run is always a new one.
        [_] => plan.submit(&store)?,
        _ => request_sweep(&store, plan, list, 1)?[0],
    };
    match start_queued(&store) {
        Ok(workers) => Ok((run, workers)),
        Err(error) => {
            // No worker would ever take it.
            life::cancel(&store, &store.run(run)?)?;
            Err(error.into())
        }
    }
}

/// The log of workers, if the run is still queued though it is next.
fn never_taken(path: &Path, run: RunId) -> Option<PathBuf> {
    let store = Store::open(path, Access::Read).ok()?;
    let queued = store.run(run).ok()?.status == RunStatus::Queued;
    let first = ahead_of(&store, run).ok()?.is_empty();
    (queued && first).then(|| store.worker_log_path())
}
