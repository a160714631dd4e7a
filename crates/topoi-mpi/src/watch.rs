//! Ends work in parts that MPI would wait for without end: of parts that no longer answer, as when a machine hangs, and of a
//! part that gets a signal to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use topoi_core::stream::parts::{Parts, Waiting};
use topoi_run::life::spawn::end_because;

/// How long the other parts may take by default.
const USUAL_LIMIT: Duration = Duration::from_secs(600);
/// Or as many times the longest work of this part between two exchanges, if that is more: parts differ in size and speed.
const TIMES_OWN_WORK: u32 = 30;
/// Interval between checks.
const INTERVAL: Duration = Duration::from_millis(250);
/// How long a part waits for part 0 to end the work first. Batch systems send a signal to all parts at once.
const TIME_FOR_PART_0: Duration = Duration::from_secs(2);

/// How long a part waits for the others.
fn limit(chosen: Option<Duration>, longest_work: Duration) -> Duration {
    chosen.unwrap_or_else(|| USUAL_LIMIT.max(TIMES_OWN_WORK * longest_work))
}

/// What is wrong once the others have not answered for longer than `chosen`, or than the default. Part 0 is the first to
/// give up, so that one line is printed.
pub(super) fn overdue(parts: &dyn Parts, chosen: Option<Duration>) -> Option<String> {
    let Waiting { now, longest_work } = parts.waiting();
    let for_part_0 = if parts.number() == 0 { Duration::ZERO } else { TIME_FOR_PART_0 };
    (now > limit(chosen, longest_work) + for_part_0).then(|| {
        format!(
            "other parts have not answered for {} s: a machine or its network hangs, or parts are of very different \
             sizes (`--parts-timeout`)",
            now.as_secs()
        )
    })
}

/// Does `work` in one of the parts, outside of a run. The process ends when the others have not answered for longer than
/// `chosen`, or than the default; MPI then ends the others.
pub fn in_time<T>(parts: &dyn Parts, chosen: Option<Duration>, work: impl FnOnce() -> T) -> T {
    watched(|| overdue(parts, chosen), |reason| end_part(parts, &reason), work)
}

/// Ends this process with an error.
pub(super) fn end_part(parts: &dyn Parts, reason: &str) {
    end_because(&format!("error: part {}: {reason}", parts.number()));
}

/// SIGTERM or SIGINT in a part other than part 0. The part does not end at once: MPI would end the others with it before
/// part 0 has ended the run.
pub(super) struct StopSignal {
    flag: Arc<AtomicBool>,
    since: Option<Instant>,
}

impl StopSignal {
    /// `flag` is set by the signals.
    pub(super) fn new(flag: Arc<AtomicBool>) -> Self {
        Self { flag, since: None }
    }

    /// Why the part ends, once part 0 has had its time.
    pub(super) fn reason(&mut self) -> Option<String> {
        if !self.flag.load(Ordering::Relaxed) {
            return None;
        }
        let since = self.since.get_or_insert_with(Instant::now);
        (since.elapsed() > TIME_FOR_PART_0).then(|| "ended by a signal".into())
    }
}

/// Does `work`, and calls `end` with the reason, once, when `wrong` has one.
pub(super) fn watched<T>(
    mut wrong: impl FnMut() -> Option<String> + Send,
    end: impl FnOnce(String) + Send,
    work: impl FnOnce() -> T,
) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = || {
            while !is_done.load(Ordering::Relaxed) {
                if let Some(reason) = wrong() {
                    return end(reason);
                }
                thread::park_timeout(INTERVAL);
            }
        };
        // Without a thread nobody watches, and the work is done all the same.
        let watcher = thread::Builder::new().name("watch".into()).spawn_scoped(scope, watch);
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use topoi_core::stream::StreamError;

    use super::*;

    /// A part that waits for another.
    struct Waits(usize, Waiting);

    impl Parts for Waits {
        fn count(&self) -> usize {
            2
        }

        fn number(&self) -> usize {
            self.0
        }

        fn add_up(&self, _: &mut [f64]) -> Result<(), StreamError> {
            Ok(())
        }

        fn share(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, StreamError> {
            Ok(vec![own])
        }

        fn collect(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, StreamError> {
            Ok(vec![own])
        }

        fn waiting(&self) -> Waiting {
            self.1
        }
    }

    fn said(number: usize, now: u64, longest_work: u64, chosen: Option<u64>) -> Option<String> {
        let [now, longest_work] = [now, longest_work].map(Duration::from_secs);
        let part = Waits(number, Waiting { now, longest_work });
        overdue(&part, chosen.map(Duration::from_secs))
    }

    #[test]
    fn a_part_waits_as_long_as_was_chosen_or_as_its_own_work_suggests() {
        assert_eq!(said(0, 600, 1, None), None);
        assert!(said(0, 601, 1, None).is_some_and(|why| why.contains("for 601 s")));
        assert_eq!(said(0, 2900, 100, None), None);
        assert!(said(0, 3001, 100, None).is_some());
        assert_eq!(said(0, 5, 100, Some(5)), None);
        assert!(said(0, 6, 100, Some(5)).is_some());
        // Part 0 has two seconds to say it first.
        assert_eq!(said(1, 7, 100, Some(5)), None);
        assert!(said(1, 8, 100, Some(5)).is_some());
    }
}
