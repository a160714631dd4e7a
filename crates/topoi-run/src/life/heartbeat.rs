//! The heartbeat of a worker: writes progress to the store, and checks whether the run is to stop.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::spawn::{Program, end_because, note};
use super::worker::{Attempt, WorkerSlot};
use topoi_store::{Access, Store, StoreError};

/// Interval between heartbeats, and so the delay of a cancellation.
const INTERVAL: Duration = Duration::from_millis(250);
/// Interval between checks whether the work has ended, after it was asked to stop.
const FINAL_INTERVAL: Duration = Duration::from_millis(25);
/// How long the work may take to stop by itself. Numeric code checks between steps, some of which take longer than a
/// person would wait.
const GRACE_PERIOD: Duration = Duration::from_millis(400);

/// Beats until the attempt is done. If the attempt does not stop within [`GRACE_PERIOD`] of being asked to, ends its
/// row and its slot, then the process.
pub(super) fn beat_until_done(path: &Path, attempt: &Attempt, slot: &WorkerSlot) {
    let mut heartbeat = Heartbeat { path, attempt, store: None, last_error: String::new() };
    let mut asked: Option<Instant> = None;
    while !attempt.done.load(Ordering::Relaxed) {
        let is_cancelled = heartbeat.beat();
        if is_cancelled || attempt.is_stopped() {
            attempt.reporter.cancel();
            asked.get_or_insert_with(Instant::now);
        }
        // Waits for the work if no program can end the process.
        if asked.is_some_and(|at| at.elapsed() > GRACE_PERIOD)
            && let Some(program) = Program::current()
        {
            abandon_work(heartbeat.store.as_ref(), attempt, slot);
            if let Some(reason) = attempt.interruption() {
                end_because(&format!("run {} was interrupted: {reason}", attempt.run));
            }
            (program.end)(0)
        }
        std::thread::park_timeout(if asked.is_some() { FINAL_INTERVAL } else { INTERVAL });
    }
}

struct Heartbeat<'a> {
    path: &'a Path,
    attempt: &'a Attempt,
    /// Opened at the first heartbeat that can.
    store: Option<Store>,
    /// The last error that was logged.
    last_error: String,
}

impl Heartbeat<'_> {
    /// Writes the progress to the store; returns whether the run is to stop. A failure, for example of a busy store,
    /// is retried at the next heartbeat.
    fn beat(&mut self) -> bool {
        match self.report_and_check() {
            Ok(is_cancelled) => is_cancelled,
            Err(error) => {
                let error = error.to_string();
                if error != self.last_error {
                    note(&format!("progress is not saved: {error}"));
                    self.last_error = error;
                }
                false
            }
        }
    }

    fn report_and_check(&mut self) -> Result<bool, StoreError> {
        let store = match &mut self.store {
            Some(store) => store,
            none => none.insert(Store::open(self.path, Access::Write)?),
        };
        let told = self.attempt.reporter.write(store);
        let is_cancelled = store.wants_cancel(self.attempt.run);
        // A store that accepts no progress may still report the cancellation.
        if matches!(is_cancelled, Ok(true)) { is_cancelled } else { told.and(is_cancelled) }
    }
}

/// Ends the row in the middle of the work. This is as safe as a killed worker, as a result is saved in one
/// transaction at the end. If the store cannot be written, the row shows a lost worker.
fn abandon_work(store: Option<&Store>, attempt: &Attempt, slot: &WorkerSlot) {
    let Some(store) = store else { return };
    let (status, error) = attempt.asked_to_stop();
    let ended = store.end_run(attempt.run, attempt.ended(status, error.as_deref()));
    if let Err(error) = ended.and(slot.leave(store)) {
        note(&error.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::work::worker_cache::WorkerCache;
    use topoi_core::progress::Progress;
    use topoi_store::id::CorpusId;
    use topoi_store::ingest::IngestWriter;
    use topoi_store::run::NewRun;

    #[test]
    fn a_heartbeat_opens_the_store_as_soon_as_it_can() {
        let directory = tempfile::tempdir().expect("tempdir");
        let (path, away) = (directory.path().join("t.db"), directory.path().join("away.db"));
        let store = Store::open(&path, Access::Create).expect("open");
        let corpus = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        corpus.finish().expect("a corpus");
        let run = NewRun { corpus_id: CorpusId(1), model: "svd", k: 2, seed: 1, settings: "{}" };
        let run = store.create_run(&run).expect("run");
        assert!(store.take_run(run).expect("taken"));
        drop(store);
        let attempt = Attempt::new(
            &path,
            run,
            Arc::new(WorkerCache::default()),
            Arc::new(AtomicBool::new(false)),
        );
        attempt.reporter.begin("factorise", 9, "");
        attempt.reporter.step(4, None);
        let mut heartbeat =
            Heartbeat { path: &path, attempt: &attempt, store: None, last_error: String::new() };
        std::fs::rename(&path, &away).expect("moved away");
        assert!(!heartbeat.beat());
        assert!(
            heartbeat.last_error.contains("there is no store here"),
            "{}",
            heartbeat.last_error
        );
        std::fs::rename(&away, &path).expect("moved back");
        assert!(!heartbeat.beat());
        let store = Store::open(&path, Access::Write).expect("open");
        assert_eq!(store.progress(run).expect("read").expect("progress").step, 4);
        store.ask_to_cancel(run).expect("asked");
        assert!(heartbeat.beat());
    }
}
