//! Ends work in parts that MPI would wait for without end: of parts that no longer answer, as when a machine hangs, and of a
//! part that gets a signal to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use topoi_core::stream::parts::Waiting;

/// How long the other parts may take by default.
const USUAL_LIMIT: Duration = Duration::from_secs(600);
/// Or as many times the longest work of this part between two exchanges, if that is more: parts differ in size and speed.
const TIMES_OWN_WORK: u32 = 30;
/// Interval between checks.
const INTERVAL: Duration = Duration::from_millis(250);
/// How long a part waits after a signal for part 0 to end the run. Batch systems send the signal to all parts at once.
const TIME_FOR_PART_0: Duration = Duration::from_secs(2);

/// How long a part waits for the others.
fn limit(chosen: Option<Duration>, longest_work: Duration) -> Duration {
    chosen.unwrap_or_else(|| USUAL_LIMIT.max(TIMES_OWN_WORK * longest_work))
}

/// What is wrong once the others have not answered for longer than `chosen`, or than the default.
pub(super) fn overdue(waiting: Waiting, chosen: Option<Duration>) -> Option<String> {
    let Waiting { now, longest_work } = waiting;
    (now > limit(chosen, longest_work)).then(|| {
        format!(
            "other parts have not answered for {} s: a machine or its network hangs, or parts are of very different \
             sizes (`--parts-timeout`)",
            now.as_secs()
        )
    })
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
    use super::*;

    fn waiting(now: u64, longest_work: u64) -> Waiting {
        Waiting { now: Duration::from_secs(now), longest_work: Duration::from_secs(longest_work) }
    }

    #[test]
    fn a_part_waits_as_long_as_was_chosen_or_as_its_own_work_suggests() {
        assert_eq!(overdue(waiting(600, 1), None), None);
        assert!(overdue(waiting(601, 1), None).is_some_and(|why| why.contains("for 601 s")));
        assert_eq!(overdue(waiting(2900, 100), None), None);
        assert!(overdue(waiting(3001, 100), None).is_some());
        let chosen = Some(Duration::from_secs(5));
        assert_eq!(overdue(waiting(5, 100), chosen), None);
        assert!(overdue(waiting(6, 100), chosen).is_some());
    }
}
