//! The state of a run, derived from its row, its kernel lock and its heartbeat; never stored.

pub mod delete;
pub(crate) mod heartbeat;
pub mod here;
pub mod queue;
pub mod spawn;
pub mod threads;
pub mod worker;

use super::request::RunRequest;
use super::work::material::Material;
use super::work::work_error::WorkError;
use topoi_store::run::progress::Lease;
use topoi_store::run::{Run, RunEnd, RunStatus};
use topoi_store::{Store, StoreError};

/// A heartbeat older than this many seconds, with the lock held, is a stalled worker.
const STALLED_AFTER: f64 = 10.0;

/// The state of a run, as its row, its lock and its heartbeat show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vitality {
    /// Queued, or over: the row says all.
    AsSaved,
    /// Its worker is alive and was heard of lately.
    Running,
    /// Its worker is alive and has been asked to stop.
    Cancelling,
    /// Its worker is alive but silent: a long step, a stopped process, a machine that swaps.
    Stalled,
    /// The row says running, but its worker on this host is dead.
    Lost,
    /// Its worker is on another host; only its heartbeat can be believed.
    OtherHost,
}

impl Vitality {
    /// One word for the state of a run of this status, for lists and screens.
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

/// The vitality of `run`.
///
/// # Errors
/// When the store cannot be read.
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

/// One word for the state of `run`, for lists and screens.
///
/// # Errors
/// When the store cannot be read.
pub fn state_word(store: &Store, run: &Run) -> Result<&'static str, StoreError> {
    Ok(vitality(store, run)?.word(run.status))
}

/// Marks a run whose worker has died as interrupted; any other run stays as it is.
/// Returns whether it was lost.
///
/// # Errors
/// When the store cannot be written.
pub fn mark_if_lost(store: &Store, run: &Run) -> Result<bool, StoreError> {
    if vitality(store, run)? != Vitality::Lost {
        return Ok(false);
    }
    // Holding the lock means no worker can be taking the run up meanwhile.
    let Some(_lock) = store.lock_run(run.id)? else { return Ok(false) };
    // The row was read before the lock was held: the run may be in the queue again by now.
    if store.run(run.id)?.status != RunStatus::Running {
        return Ok(false);
    }
    store.end_run(
        run.id,
        RunEnd {
            error: Some("its worker ended without a word; the log may say more"),
            ..RunEnd::new(RunStatus::Interrupted)
        },
    )?;
    Ok(true)
}

/// Cancels a run: asks a living worker to stop, ends a queued or lost run at once.
///
/// # Errors
/// When the store cannot be written.
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
    /// It has its result, or may get it yet.
    #[error("run {run} is {state}; {advice}")]
    NotStopped {
        /// Row id of the run.
        run: i64,
        /// One word for its state.
        state: &'static str,
        /// What to do instead, as the end of the message.
        advice: String,
    },
    /// It cannot go on from what it began with, or its settings do not parse.
    #[error("{0}")]
    Work(#[from] WorkError),
    /// The store could not be read or written, or has no such row.
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Puts a run that was interrupted, lost, cancelled or failed into the queue again, where it goes
/// on after its last finished stage. Its result is the same to the bit as without the break.
///
/// # Errors
/// [`ResumeError`], among others when the corpus has changed since the run began; the run stays
/// as it is then.
pub fn resume(store: &mut Store, run: &Run) -> Result<(), ResumeError> {
    resume_if(store, run, |store, run| {
        let mut request = RunRequest::of(run)?;
        request.settings.parts = None;
        let corpus = store.corpus_by_id(run.corpus_id)?;
        store.require_documents(&corpus)?;
        Material::of(store, run.corpus_id, &request.settings)?.check_against(store, run)?;
        Ok(store.set_run_settings(run.id, &request.saved_settings())?)
    })
}

/// [`resume`] once `check` finds nothing against it.
///
/// # Errors
/// [`ResumeError`]; whatever `check` returned.
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
        // One that no worker can be started for is not left in the queue.
        store.open_log(None)?;
        // No worker of an earlier attempt may be at its last breath, and no other resume.
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
