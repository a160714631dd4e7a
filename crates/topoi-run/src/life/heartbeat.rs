//! The heartbeat of a worker: it reports progress to the store, and asks whether the run is to stop.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::spawn::Program;
use super::worker::{Attempt, Place};
use topoi_store::{Access, Store, StoreError};

/// How often the store is told and asked; a cancel is seen within this.
const BEAT: Duration = Duration::from_millis(250);
/// How often the work is looked at once it has been asked to stop.
const LAST_BEAT: Duration = Duration::from_millis(25);
/// How long the work may take to stop by itself. Numeric code asks between steps, and some steps
/// take longer than a person wants to wait.
const GRACE: Duration = Duration::from_millis(400);

/// Beats until the attempt is done, or until it has been asked to stop and does not: then the
/// process ends here, and its row and its place with it.
pub(super) fn beat_until_done(path: &Path, attempt: &Attempt, place: &Place) {
    let mut heart = Heart { path, attempt, store: None, said: String::new() };
    let mut asked: Option<Instant> = None;
    while !attempt.done.load(Ordering::Relaxed) {
        let is_cancelled = heart.beat();
        if is_cancelled || attempt.stop.load(Ordering::Relaxed) {
            attempt.reporter.cancel();
            asked.get_or_insert_with(Instant::now);
        }
        // Without a program that can end the process, the work is waited for.
        if asked.is_some_and(|at| at.elapsed() > GRACE)
            && let Some(program) = Program::current()
        {
            leave_work_undone(heart.store.as_ref(), attempt, place);
            (program.end)()
        }
        std::thread::park_timeout(if asked.is_some() { LAST_BEAT } else { BEAT });
    }
}

struct Heart<'a> {
    path: &'a Path,
    attempt: &'a Attempt,
    /// Opened at the first beat that can.
    store: Option<Store>,
    /// The last failure that was noted.
    said: String,
}

impl Heart<'_> {
    /// Tells the store how far the work is; whether someone wants it to stop. What fails now, as
    /// the store is busy or out of reach, is told at the next beat.
    fn beat(&mut self) -> bool {
        match self.tell_and_ask() {
            Ok(is_cancelled) => is_cancelled,
            Err(error) => {
                let error = error.to_string();
                if error != self.said {
                    note(&format!("progress is not saved: {error}"));
                    self.said = error;
                }
                false
            }
        }
    }

    fn tell_and_ask(&mut self) -> Result<bool, StoreError> {
        let store = match &mut self.store {
            Some(store) => store,
            none => none.insert(Store::open(self.path, Access::Write)?),
        };
        let told = self.attempt.reporter.write(store);
        let is_cancelled = store.wants_cancel(self.attempt.run);
        // A store that takes no progress may still say that the run is cancelled.
        if matches!(is_cancelled, Ok(true)) { is_cancelled } else { told.and(is_cancelled) }
    }
}

/// Ends the row in the middle of the work: no worse than a killed worker, as nothing of a result is
/// saved before all of it is. Where the store cannot be written, the row tells of a lost worker.
fn leave_work_undone(store: Option<&Store>, attempt: &Attempt, place: &Place) {
    let Some(store) = store else { return };
    let (status, error) = attempt.asked_to_stop();
    let ended = store.end_run(attempt.run, attempt.ended(status, error.as_deref()));
    if let Err(error) = ended.and(place.leave(store)) {
        note(&error.to_string());
    }
}

/// Writes a line to standard error: the run's log, or a terminal where a worker was started by
/// hand, which is not to act on what a store says.
fn note(line: &str) {
    // Where it cannot be written nobody can be told.
    let _ = writeln!(std::io::stderr(), "{}", line.replace(char::is_control, " "));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::work::worker_cache::WorkerCache;
    use topoi_core::progress::Progress;
    use topoi_store::ingest::IngestWriter;
    use topoi_store::run::NewRun;

    #[test]
    fn a_heart_that_cannot_open_the_store_at_first_beats_when_it_can() {
        let directory = tempfile::tempdir().expect("tempdir");
        let (path, away) = (directory.path().join("t.db"), directory.path().join("away.db"));
        let store = Store::open(&path, Access::Create).expect("open");
        let corpus = IngestWriter::begin(&store, "c", "{}", "s", "lines").expect("begin");
        corpus.finish().expect("a corpus");
        let run = NewRun { corpus_id: 1, model: "svd", k: 2, seed: 1, settings: "{}" };
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
        let mut heart = Heart { path: &path, attempt: &attempt, store: None, said: String::new() };
        std::fs::rename(&path, &away).expect("moved away");
        assert!(!heart.beat());
        assert!(heart.said.contains("there is no store here"), "{}", heart.said);
        std::fs::rename(&away, &path).expect("moved back");
        assert!(!heart.beat());
        let store = Store::open(&path, Access::Write).expect("open");
        assert_eq!(store.progress(run).expect("read").expect("progress").step, 4);
        store.ask_to_cancel(run).expect("asked");
        assert!(heart.beat());
    }
}
