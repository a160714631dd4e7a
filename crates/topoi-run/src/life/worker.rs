//! The worker process: takes a place and the run whose turn it is, works, reports, ends its row.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::heartbeat::beat_until_done;
use super::queue::start_queued;
use super::spawn::{Program, write_log_of};
use super::this_process;
use super::threads::{NO_THREAD, threads_lacked, words_of};
use crate::request::RunSettings;
use crate::work::do_work;
use crate::work::memory::{peak_resident_bytes, reset_peak};
use crate::work::reporter::Reporter;
use crate::work::work_error::WorkError;
use crate::work::worker_cache::WorkerCache;
use topoi_core::progress::Progress;
use topoi_store::result::topic::SavedResult;
use topoi_store::run::run_lock::{RunLock, Slot};
use topoi_store::run::{Run, RunEnd, RunStatus};
use topoi_store::{Access, Store, StoreError};

/// How soon it looks again for a run that someone else holds for a moment.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Works on the run of the store at `path` whose turn it is, until it is over; then has the next
/// one started. Returns without doing anything when no place is free or no run waits.
///
/// SIGTERM and SIGINT end the run as interrupted; SIGHUP does nothing.
///
/// # Errors
/// When the store cannot be opened or the row cannot be ended; a run that fails is not an error
/// here: its row says why.
pub fn work(path: &Path) -> Result<(), StoreError> {
    // A worker that stands still is hung up when the process that started it ends.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::default());
    let mut store = Store::open(path, Access::Write)?;
    store.wait_for_writers()?;
    let cache = Arc::new(WorkerCache::default());
    loop {
        let Some(slot) = store.take_slot(store.at_once()?)? else { return Ok(()) };
        if let Some((run, lock)) = take_next_run(&store)? {
            let place = Place::new(slot, lock);
            reset_peak();
            let ended = write_log_of(&store, run).and_then(|()| {
                work_on(&mut store, run, &place, &cache, stop_flag(), Attempt::work)
            });
            if matches!(ended, Ok(Ended::ByItself)) && shares_with_next(&store, run)? {
                place.give_up();
                continue;
            }
            return ended.and(place.leave(&store));
        }
        drop(slot);
        if store.queued_runs()?.is_empty() {
            return Ok(());
        }
        // Someone is just cancelling the run that waits, or asked for it after this one looked.
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// Takes the first run in the queue that nobody else holds.
fn take_next_run(store: &Store) -> Result<Option<(i64, RunLock)>, StoreError> {
    for run in store.queued_runs()? {
        // The lock comes first: a row that says running without it is a dead worker's.
        if let Some(lock) = store.lock_run(run)?
            && store.take_run(run)?
        {
            return Ok(Some((run, lock)));
        }
    }
    Ok(None)
}

/// A worker's place in the store and its hold on its run, until it leaves.
pub struct Place(Mutex<Option<(Option<Slot>, RunLock)>>);

impl Place {
    fn new(slot: Slot, lock: RunLock) -> Self {
        Self(Mutex::new(Some((Some(slot), lock))))
    }

    /// The place of a worker whose processors are assigned from outside: it takes none of the store's.
    pub fn outside(lock: RunLock) -> Self {
        Self(Mutex::new(Some((None, lock))))
    }

    /// Gives the place up and has the next run started.
    ///
    /// # Errors
    /// When the store cannot be read or a worker cannot be started.
    pub(crate) fn leave(&self, store: &Store) -> Result<(), StoreError> {
        self.give_up();
        // The workers outlive this process, and so need no reaping.
        start_queued(store).map(drop)
    }

    /// Gives the place up for this worker's own next run.
    fn give_up(&self) {
        drop(self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take());
    }
}

/// Whether the run whose turn is next can use the factorisation of `run`.
fn shares_with_next(store: &Store, run: i64) -> Result<bool, StoreError> {
    let Some(&next) = store.queued_runs()?.first() else { return Ok(false) };
    let (run, next) = (store.run(run)?, store.run(next)?);
    let factorise = |run: &Run| RunSettings::of(run).ok().and_then(|settings| settings.factorise);
    Ok(run.corpus_id == next.corpus_id
        && factorise(&run).is_some_and(|own| Some(own) == factorise(&next)))
}

/// How a worker's run ended.
pub enum Ended {
    /// Finished, failed or cancelled.
    ByItself,
    /// The worker itself was told to stop.
    WorkerStopped,
}

/// Does `work` on run `run`, which is taken, while its heart beats, and ends its row. It ends as interrupted
/// once `stop` is set.
pub fn work_on(
    store: &mut Store,
    run: i64,
    place: &Place,
    cache: &Arc<WorkerCache>,
    stop: Arc<AtomicBool>,
    work: impl FnOnce(&Attempt, &mut Store) -> Result<(), WorkError>,
) -> Result<Ended, StoreError> {
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
        Err(panic) => (RunStatus::Failed, Some(format!("a bug in topoi: {}", words_of(&*panic)))),
    };
    store.end_run(run, attempt.ended(status, error.as_deref())).and(told)?;
    Ok(attempt.how())
}

/// One worker's work on a run.
pub struct Attempt {
    pub run: i64,
    pub reporter: Reporter,
    /// Set by SIGTERM and SIGINT.
    pub stop: Arc<AtomicBool>,
    /// Set when there is nothing more to report.
    pub done: AtomicBool,
    begun: Instant,
}

impl Attempt {
    pub(super) fn new(
        path: &Path,
        run: i64,
        cache: Arc<WorkerCache>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let reporter = Reporter::new(path, run, cache);
        Self { run, reporter, stop, done: AtomicBool::new(false), begun: Instant::now() }
    }

    /// Does the work and saves its result.
    pub(super) fn work(&self, store: &mut Store) -> Result<(), WorkError> {
        let row = store.run(self.run)?;
        do_work(store, &row, &self.reporter, || self.ended(RunStatus::Finished, None))
    }

    /// Saves what the work came to and ends the row.
    pub fn save(&self, store: &mut Store, result: &SavedResult) -> Result<(), WorkError> {
        self.reporter.begin("save", 0, "");
        store.finish_run(self.run, result, || self.ended(RunStatus::Finished, None))?;
        self.reporter.finish();
        Ok(())
    }

    fn how(&self) -> Ended {
        if self.stop.load(Ordering::Relaxed) { Ended::WorkerStopped } else { Ended::ByItself }
    }

    /// The status of a run that was asked to stop, and why it stopped.
    pub(crate) fn asked_to_stop(&self) -> (RunStatus, Option<String>) {
        if self.stop.load(Ordering::Relaxed) {
            return (RunStatus::Interrupted, Some("its worker was told to stop".into()));
        }
        (RunStatus::Cancelled, None)
    }

    /// How the run ended, as of now.
    pub(crate) fn ended<'a>(&self, status: RunStatus, error: Option<&'a str>) -> RunEnd<'a> {
        let seconds = Some(self.begun.elapsed().as_secs_f64());
        RunEnd { seconds, peak_memory_bytes: peak_resident_bytes(), error, ..RunEnd::new(status) }
    }
}

/// Set by SIGTERM and SIGINT.
pub fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        // Without the handler the signal ends the process, which the lock tells as well.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}
