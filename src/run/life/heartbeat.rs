//! While a worker works: telling the store how far it is, and asking whether it is still wanted.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::worker::{Attempt, Place};
use crate::store::{Access, Store};

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
    let Ok(mut store) = Store::open(path, Access::Write) else { return };
    let mut said = String::new();
    let mut asked: Option<Instant> = None;
    while !attempt.done.load(Ordering::Relaxed) {
        // A store that is busy now is told at the next beat.
        if let Err(error) = attempt.reporter.write(&mut store)
            && error.to_string() != said
        {
            said = error.to_string();
            note(&format!("progress is not saved: {said}"));
        }
        let is_told = attempt.stop.load(Ordering::Relaxed);
        if is_told || store.wants_cancel(attempt.run).unwrap_or(false) {
            attempt.reporter.cancel();
            asked.get_or_insert_with(Instant::now);
        }
        if asked.is_some_and(|at| at.elapsed() > GRACE) {
            leave_work_undone(&store, attempt, place);
        }
        std::thread::park_timeout(if asked.is_some() { LAST_BEAT } else { BEAT });
    }
}

/// Ends the row and the process in the middle of the work: no worse than a killed worker, as
/// nothing of a result is saved before all of it is.
fn leave_work_undone(store: &Store, attempt: &Attempt, place: &Place) -> ! {
    let (status, error) = attempt.asked_to_stop();
    let ended = store.end_run(attempt.run, attempt.ended(status, error.as_deref()));
    if let Err(error) = ended.and(place.leave(store)) {
        note(&error.to_string());
    }
    std::process::exit(0)
}

/// Writes a line to standard error: the run's log, or a terminal where a worker was started by
/// hand, which is not to act on what a store says.
fn note(line: &str) {
    // Where it cannot be written nobody can be told.
    let _ = writeln!(std::io::stderr(), "{}", line.replace(char::is_control, " "));
}
