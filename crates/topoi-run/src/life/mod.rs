//! The state of a run, derived from its row, its kernel lock and its heartbeat; never stored.

pub mod delete;
pub(crate) mod heartbeat;
pub mod here;
pub mod queue;
pub mod retention;
pub mod spawn;
pub mod threads;
pub mod worker;

use super::request::RunRequest;
use super::work::material::Material;
use super::work::work_error::WorkError;
use topoi_store::id::RunId;
use topoi_store::run::progress::Lease;
use topoi_store::run::{Run, RunEnd, RunStatus};
use topoi_store::{Store, StoreError};

/// Maximum age of the heartbeat of a worker in seconds; an older one is stalled.
const STALLED_AFTER: f64 = 10.0;

/// Whether the worker of a run is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vitality {
    /// Queued or ended: the status in the row is right.
    AsSaved,
    /// The worker is alive and has a recent heartbeat.
    Running,
    /// The worker is alive and was asked to stop.
    Cancelling,
    /// The worker is alive without a recent heartbeat: a long step, a stopped process, or a machine that swaps.
    Stalled,
    /// The row says running, but the worker on this host is dead.
    Lost,
    /// The worker is on another host, so that only its heartbeat is known.
    OtherHost,
}

impl Vitality {
    /// One word for a run of this status, for lists and screens.
    pub fn word(self, status: RunStatus) -> &'static str {
        match self {
            Self::AsSaved => status.as_str(),
            Self::Running => "running",
            Self::Cancelling => "cancelling",
            Self::Stalled => "STALLED",
            Self::Lost => "lost",
            Self::OtherHost => "other host",
        }
    }
}

/// The name of this host and its boot id.
pub fn this_process() -> Lease {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Lease { host, boot_id: boot_id.trim().into(), pid: std::process::id() }
}

pub fn vitality(store: &Store, run: &Run) -> Result<Vitality, StoreError> {
    if run.status != RunStatus::Running {
        return Ok(Vitality::AsSaved);
    }
    let lease = store.lease(run.id)?;
    let elsewhere = lease.as_ref().is_some_and(|(lease, _)| lease.host != this_process().host);
    if elsewhere {
        return Ok(Vitality::OtherHost);
    }
    if !store.run_is_alive(run.id) {
        return Ok(Vitality::Lost);
    }
    let silent = lease.is_some_and(|(_, age)| age > STALLED_AFTER);
    Ok(match (store.wants_cancel(run.id)?, silent) {
        (true, _) => Vitality::Cancelling,
        (false, true) => Vitality::Stalled,
        (false, false) => Vitality::Running,
    })
}

/// One word for `run`, for lists and screens.
pub fn state_word(store: &Store, run: &Run) -> Result<&'static str, StoreError> {
    Ok(vitality(store, run)?.word(run.status))
}

/// Marks a run whose worker has died as interrupted; other runs are unchanged. Returns whether the run was lost.
pub fn mark_if_lost(store: &Store, run: &Run) -> Result<bool, StoreError> {
    if vitality(store, run)? != Vitality::Lost {
        return Ok(false);
    }
    // No worker can start the run while the lock is held.
    let Some(_lock) = store.lock_run(run.id)? else { return Ok(false) };
    // The row may have changed since it was read: the run may be queued again.
    if store.run(run.id)?.status != RunStatus::Running {
        return Ok(false);
    }
    let has_log = store.log_of(run.id).is_ok_and(|log| log.is_some_and(|log| !log.is_empty()));
    let error = if has_log {
        "its worker ended without a word; the log may say more"
    } else {
        "its worker was killed, perhaps for want of memory"
    };
    store.end_run(run.id, RunEnd { error: Some(error), ..RunEnd::new(RunStatus::Interrupted) })?;
    Ok(true)
}

/// Cancels a run: asks a living worker to stop, ends a queued or lost run at once.
pub fn cancel(store: &Store, run: &Run) -> Result<(), StoreError> {
    if run.status.is_over() {
        return Ok(());
    }
    store.ask_to_cancel(run.id)?;
    if let Some(_lock) = store.lock_run(run.id)? {
        store.end_run(run.id, RunEnd::new(RunStatus::Cancelled))?;
    }
    Ok(())
}

/// Why a run cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The run has a result or may still get one.
    #[error("run {run} is {state}; {advice}")]
    NotStopped {
        /// Row id of the run.
        run: RunId,
        state: &'static str,
        /// What to do instead; the end of the message.
        advice: String,
    },
    /// The material of the run has changed, or its settings cannot be parsed.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The store could not be read or written, or has no such row.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Puts an interrupted, lost, cancelled or failed run into the queue again. It continues after its last finished
/// stage, with the same result to the bit.
///
/// # Errors
/// [`ResumeError`], for example if the corpus has changed since the run began; then the run is unchanged.
pub fn resume(store: &mut Store, run: &Run) -> Result<(), ResumeError> {
    resume_if(store, run, |store, run| {
        let mut request = RunRequest::from_run(run)?;
        request.settings.parts = None;
        let corpus = store.corpus_by_id(run.corpus_id)?;
        store.require_documents(&corpus)?;
        Material::from_store(store, run.corpus_id, &request.settings)?.check_against(store, run)?;
        Ok(store.set_run_settings(run.id, &request.saved_settings())?)
    })
}

/// [`resume`], unless `check` fails.
///
/// # Errors
/// [`ResumeError`], or the error of `check`.
pub fn resume_if(
    store: &mut Store,
    run: &Run,
    check: impl FnOnce(&mut Store, &Run) -> Result<(), WorkError>,
) -> Result<(), ResumeError> {
    mark_if_lost(store, run)?;
    let run = store.run(run.id)?;
    let is_stopped = run.status.is_over() && run.status != RunStatus::Finished;
    if is_stopped {
        check(store, &run)?;
        // Fails now rather than leaving a run in the queue that no worker can be started for.
        store.open_log(None)?;
        // The lock excludes the worker of an earlier attempt and another resume.
        if let Some(_lock) = store.lock_run(run.id)?
            && store.queue_again(run.id)?
        {
            return Ok(());
        }
    }
    let run = store.run(run.id)?;
    let id = run.id;
    let state = match state_word(store, &run)? {
        "other host" => "running on another host",
        word => word,
    };
    let advice = match run.status {
        RunStatus::Finished => format!("`topoi topics {id}` shows its topics"),
        _ if vitality(store, &run)? == Vitality::OtherHost => {
            format!("if that host is gone, `topoi cancel {id}`, then resume it")
        }
        _ => format!("follow it with `topoi watch {id}`"),
    };
    Err(ResumeError::NotStopped { run: id, state, advice })
}
