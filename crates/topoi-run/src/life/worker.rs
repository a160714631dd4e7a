//! The worker process: takes a slot and the next run, works, reports, and ends the row.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use super::heartbeat::beat_until_done;
use super::queue::start_queued;
use super::spawn::{Program, write_log_of};
use super::this_process;
use super::threads::{NO_THREAD, panic_message, threads_lacked};
use crate::request::RunSettings;
use crate::work::do_work;
use crate::work::memory::{peak_resident_bytes, reset_peak};
use crate::work::reporter::Reporter;
use crate::work::work_error::WorkError;
use crate::work::worker_cache::WorkerCache;
use topoi_store::id::RunId;
use topoi_store::result::topic::SavedResult;
use topoi_store::run::run_lock::{RunLock, Slot};
use topoi_store::run::{Run, RunEnd, RunStatus};
use topoi_store::{Access, Store, StoreError};

/// Interval between attempts on a run that another process holds briefly.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Works on the next run of the store at `path`, then starts the worker of the following one. Returns without work if
/// no slot is free or no run waits.
///
/// SIGTERM and SIGINT end the run as interrupted; SIGHUP is ignored.
///
/// # Errors
/// [`StoreError`] if the store cannot be opened or the row cannot be ended. The failure of a run is in its row.
pub fn work(path: &Path) -> Result<(), StoreError> {
    // SIGHUP reaches a stopped worker when the process that started it ends.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::default());
    let mut store = Store::open(path, Access::Write)?;
    store.wait_for_writers()?;
    let cache = Arc::new(WorkerCache::default());
    loop {
        let Some(slot) = store.take_slot(store.at_once()?)? else { return Ok(()) };
        if let Some((run, lock)) = take_next_run(&store)? {
            let place = WorkerSlot::new(slot, lock);
            reset_peak();
            let ended = write_log_of(&store, run).and_then(|()| {
                work_on(&mut store, run, &place, &cache, stop_flag(), Attempt::work)
            });
            if matches!(ended, Ok(AttemptEnd::ByItself)) && shares_with_next(&store, run)? {
                place.give_up();
                continue;
            }
            return ended.and(place.leave(&store));
        }
        drop(slot);
        if store.queued_runs()?.is_empty() {
            return Ok(());
        }
        // Another process is cancelling the waiting run, or requested it just now.
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Takes the first run in the queue that no other worker holds.
fn take_next_run(store: &Store) -> Result<Option<(RunId, RunLock)>, StoreError> {
    for run in store.queued_runs()? {
        // The lock comes first, as a row that says running without a lock is a dead worker's.
        if let Some(lock) = store.lock_run(run)?
            && store.take_run(run)?
        {
            return Ok(Some((run, lock)));
        }
    }
    Ok(None)
}

/// A worker's slot in the store and its lock on its run.
pub struct WorkerSlot(Mutex<Option<(Option<Slot>, RunLock)>>);

impl WorkerSlot {
    fn new(slot: Slot, lock: RunLock) -> Self {
        Self(Mutex::new(Some((Some(slot), lock))))
    }

    /// A worker whose processors are assigned from outside takes no slot of the store.
    pub fn outside(lock: RunLock) -> Self {
        Self(Mutex::new(Some((None, lock))))
    }

    /// Releases the slot and starts the next run.
    pub(crate) fn leave(&self, store: &Store) -> Result<(), StoreError> {
        self.give_up();
        // The workers outlive this process, and so need no reaping.
        start_queued(store).map(drop)
    }

    /// Releases the slot for this worker's own next run.
    fn give_up(&self) {
        drop(self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take());
    }
}

/// Whether the next run can use the factorisation of `run`.
fn shares_with_next(store: &Store, run: RunId) -> Result<bool, StoreError> {
    let Some(&next) = store.queued_runs()?.first() else { return Ok(false) };
    let (run, next) = (store.run(run)?, store.run(next)?);
    let factorise =
        |run: &Run| RunSettings::from_run(run).ok().and_then(|settings| settings.factorise);
    Ok(run.corpus_id == next.corpus_id
        && factorise(&run).is_some_and(|own| Some(own) == factorise(&next)))
}

/// How an attempt on a run ended.
pub enum AttemptEnd {
    /// Finished, failed or cancelled.
    ByItself,
    /// The worker itself was asked to stop.
    WorkerStopped,
}

/// Does `work` on run `run`, which is locked, with a heartbeat, and ends its row; as interrupted if `stop` is set.
pub fn work_on(
    store: &mut Store,
    run: RunId,
    place: &WorkerSlot,
    cache: &Arc<WorkerCache>,
    stop: Arc<AtomicBool>,
    work: impl FnOnce(&Attempt, &mut Store) -> Result<(), WorkError>,
) -> Result<AttemptEnd, StoreError> {
    store.write_lease(run, &this_process())?;
    let attempt = Attempt::new(store.path(), run, Arc::clone(cache), stop);
    let path = store.path().to_path_buf();
    let outcome = std::thread::scope(|scope| {
        let heartbeat = std::thread::Builder::new().name("heartbeat".into());
        let beat = heartbeat.spawn_scoped(scope, || beat_until_done(&path, &attempt, place));
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| match &beat {
            Ok(_) => work(&attempt, store),
            Err(_) => Err(WorkError::NoThread),
        }));
        attempt.done.store(true, Ordering::Relaxed);
        let _ = beat.map(|beat| beat.thread().unpark());
        outcome
    });
    attempt.reporter.finish();
    let told = attempt.reporter.write(store);
    let (status, error) = match outcome {
        Ok(Ok(())) => return told.map(|()| attempt.how()),
        Ok(Err(error)) if error.is_cancel() => attempt.asked_to_stop(),
        Ok(Err(error)) => (RunStatus::Failed, Some(Program::explained(&error))),
        Err(_) if threads_lacked() => (RunStatus::Failed, Some(NO_THREAD.into())),
        Err(panic) => {
            (RunStatus::Failed, Some(format!("a bug in topoi: {}", panic_message(&*panic))))
        }
    };
    store.end_run(run, attempt.ended(status, error.as_deref())).and(told)?;
    Ok(attempt.how())
}

/// One worker's attempt on a run.
pub struct Attempt {
    pub run: RunId,
    pub reporter: Reporter,
    stop: Arc<AtomicBool>,
    /// Why the work was interrupted, where not by a signal.
    interruption: OnceLock<String>,
    /// Set when the work has ended.
    pub done: AtomicBool,
    begun: Instant,
}

impl Attempt {
    pub(super) fn new(
        path: &Path,
        run: RunId,
        cache: Arc<WorkerCache>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let reporter = Reporter::new(path, run, cache);
        Self {
            run,
            reporter,
            stop,
            interruption: OnceLock::new(),
            done: AtomicBool::new(false),
            begun: Instant::now(),
        }
    }

    /// Asks the work to stop, for this reason; the run can be resumed.
    pub fn interrupt(&self, reason: String) {
        // The first reason counts.
        let _ = self.interruption.set(reason);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Why it was interrupted, if by [`interrupt`](Self::interrupt).
    pub(super) fn interruption(&self) -> Option<&str> {
        self.interruption.get().map(String::as_str)
    }

    /// Whether a signal or a reason has asked the work to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does the work and saves its result.
    pub(super) fn work(&self, store: &mut Store) -> Result<(), WorkError> {
        let row = store.run(self.run)?;
        do_work(store, &row, &self.reporter, || self.ended(RunStatus::Finished, None))
    }

    /// Saves the result and ends the row. The stage has begun.
    pub fn save(&self, store: &mut Store, result: &SavedResult) -> Result<(), WorkError> {
        store.finish_run(self.run, result, || self.ended(RunStatus::Finished, None))?;
        self.reporter.finish();
        Ok(())
    }

    fn how(&self) -> AttemptEnd {
        if self.is_stopped() { AttemptEnd::WorkerStopped } else { AttemptEnd::ByItself }
    }

    /// The final status of a run that was asked to stop, with the reason.
    pub(crate) fn asked_to_stop(&self) -> (RunStatus, Option<String>) {
        if self.is_stopped() {
            let reason = self.interruption().unwrap_or("its worker was told to stop");
            return (RunStatus::Interrupted, Some(reason.into()));
        }
        (RunStatus::Cancelled, None)
    }

    /// The end of the run, with the current time.
    pub(crate) fn ended<'a>(&self, status: RunStatus, error: Option<&'a str>) -> RunEnd<'a> {
        let seconds = Some(self.begun.elapsed().as_secs_f64());
        RunEnd { seconds, peak_memory_bytes: peak_resident_bytes(), error, ..RunEnd::new(status) }
    }
}

/// The signals that ask a process to stop.
const STOPS: [i32; 2] = [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT];

/// Lets SIGTERM and SIGINT end the process again, whatever flags they set: nobody looks at these any more.
pub fn end_by_signals() {
    let always = Arc::new(AtomicBool::new(true));
    for signal in STOPS {
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&always));
    }
}

/// A flag that SIGTERM and SIGINT set.
pub fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in STOPS {
        // Without a handler the signal ends the process, which frees the lock.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}
