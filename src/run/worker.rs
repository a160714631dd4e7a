//! The worker process: takes one queued run, works, reports, ends its row.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::life::this_process;
use super::memory::peak_resident_bytes;
use super::reporter::Reporter;
use super::work::do_work;
use crate::store::run::{RunEnd, RunStatus};
use crate::store::{Store, StoreError};

/// How often the store is told and asked; a cancel is seen within this.
const BEAT: Duration = Duration::from_millis(250);

/// Works on run `run` of the store at `path` until it is over. Returns without doing anything
/// when another worker has the run or it is over already.
///
/// The process becomes leader of a session of its own first, so that no terminal's end reaches
/// it. SIGTERM and SIGINT end the run as interrupted.
///
/// # Errors
/// When the store cannot be opened or the row cannot be ended; a run that fails is not an error
/// here: its row says why.
pub fn work_on(path: &Path, run: i64) -> Result<(), StoreError> {
    // Fails only for a process that leads a group already: then it is out of reach anyway.
    let _ = rustix::process::setsid();
    let mut store = Store::open(path)?;
    store.wait_for_writers()?;
    let Some(_lock) = store.lock_run(run)? else { return Ok(()) };
    if !store.take_run(run)? {
        return Ok(());
    }
    store.write_lease(run, &this_process())?;
    let stop = stop_flag();
    let reporter = Reporter::default();
    let done = AtomicBool::new(false);
    let begun = Instant::now();
    let outcome = std::thread::scope(|scope| {
        let beat = scope.spawn(|| beat_until_done(path, run, &reporter, &stop, &done));
        let work = AssertUnwindSafe(|| {
            let row = store.run(run)?;
            do_work(&mut store, &row, &reporter)
        });
        let outcome = std::panic::catch_unwind(work);
        done.store(true, Ordering::Relaxed);
        beat.thread().unpark();
        outcome
    });
    reporter.write(&mut store, run)?;
    let (status, error) = match outcome {
        Ok(Ok(())) => (RunStatus::Finished, None),
        Ok(Err(error)) if error.is_cancel() && stop.load(Ordering::Relaxed) => {
            (RunStatus::Interrupted, Some("its worker was told to stop".to_string()))
        }
        Ok(Err(error)) if error.is_cancel() => (RunStatus::Cancelled, None),
        Ok(Err(error)) => (RunStatus::Failed, Some(error.to_string())),
        Err(panic) => (RunStatus::Failed, Some(format!("a bug in topica: {}", words_of(&*panic)))),
    };
    store.end_run(
        run,
        RunEnd {
            status,
            seconds: begun.elapsed().as_secs_f64(),
            peak_memory_bytes: peak_resident_bytes(),
            error: error.as_deref(),
        },
    )
}

/// Set by SIGTERM and SIGINT.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        // Without the handler the signal ends the process, which the lock tells as well.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// Tells the store how far the run is and asks whether it is still wanted.
fn beat_until_done(
    path: &Path,
    run: i64,
    reporter: &Reporter,
    stop: &AtomicBool,
    done: &AtomicBool,
) {
    let Ok(mut store) = Store::open(path) else { return };
    while !done.load(Ordering::Relaxed) {
        // A store that is busy now is told at the next beat.
        let _ = reporter.write(&mut store, run);
        if stop.load(Ordering::Relaxed) || store.wants_cancel(run).unwrap_or(false) {
            reporter.cancel();
        }
        std::thread::park_timeout(BEAT);
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}
