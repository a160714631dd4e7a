//! Following the progress of a run on a terminal until it is over.

use crate::process_one;
use crate::shown::{TerminalText, shown};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use topoi_store::id::RunId;

use super::bar::Line;
use super::messages::{log, say};
use signal_hook::consts::SIGTERM;
use signal_hook::iterator::Signals;
use topoi_run::life::mark_if_lost;
use topoi_run::life::queue::{ahead_of, tend};
use topoi_run::life::spawn::reap;
use topoi_store::Store;
use topoi_store::run::progress::Progress;
use topoi_store::run::{Run, RunStatus};

/// Interval between two reads of the store.
const LOOK: Duration = Duration::from_millis(50);
/// Resolution of the progress bar.
const OF_ALL: u64 = 1000;
/// Interval between two checks of the queue while the run waits in it.
const TEND: Duration = Duration::from_secs(1);
/// Maximum number of workers started without one taking the run; more means that they fail.
const MOST_STARTS: usize = 10;
/// How long a worker may take to end after its run is over.
const WORKER_END: Duration = Duration::from_secs(5);

/// Waits until run `run` is over and its worker has ended. Shows a progress line if standard error is a terminal, and
/// otherwise the runs that it waits for. Returns early with the current row once `stop` is set.
pub fn follow(store: &Store, run: RunId, stop: &AtomicBool) -> anyhow::Result<Run> {
    let bar = Line::new("run {prefix}  {msg:40} [{bar:20}] {percent}%", OF_ALL);
    bar.set_title(&shown!("{run}"));
    let (mut queue, mut stage) = (QueueWait::new(), String::new());
    loop {
        let row = store.run(run)?;
        if row.status.is_over() || stop.load(Ordering::Relaxed) {
            bar.finish();
            wait_until_the_worker_has_ended(store, &row);
            return Ok(row);
        }
        if row.status == RunStatus::Queued {
            queue.look(store, run, &bar)?;
        } else if let Some(progress) = store.progress(run)? {
            // Without a plan, the progress of the stage.
            let of_stage = progress.step as f64 / progress.total.max(1) as f64;
            let share = progress.share.unwrap_or(of_stage).clamp(0.0, 1.0);
            bar.set_position((share * OF_ALL as f64) as u64);
            bar.set_message(&TerminalText::line(&described(&progress)));
            if progress.stage != stage {
                stage.clone_from(&progress.stage);
                log(&shown!("run {run}: {stage}"));
            }
        }
        // No other process may notice a killed worker.
        mark_if_lost(store, &row)?;
        std::thread::sleep(LOOK);
    }
}

/// A worker writes the run's row before it writes the ends of its stages.
fn wait_until_the_worker_has_ended(store: &Store, row: &Run) {
    let begun = Instant::now();
    while row.status.is_over() && store.run_is_alive(row.id) && begun.elapsed() < WORKER_END {
        std::thread::sleep(LOOK / 10);
    }
}

/// The last known state of a run in the queue.
struct QueueWait {
    looked: Option<Instant>,
    said: Vec<RunId>,
    started: usize,
}

impl QueueWait {
    fn new() -> Self {
        Self { looked: None, said: Vec::new(), started: 0 }
    }

    /// Reports the runs that the run waits for if they have changed, and starts workers in place of those that were
    /// killed.
    fn look(&mut self, store: &Store, run: RunId, bar: &Line) -> anyhow::Result<()> {
        if self.looked.is_some_and(|at| at.elapsed() < TEND) {
            return Ok(());
        }
        let ahead = ahead_of(store, run)?;
        if let Some(runs) = behind(&ahead).filter(|_| ahead != self.said) {
            bar.set_message(&shown!("waits {runs}"));
            if bar.is_hidden() {
                say(&shown!("run {run} waits {runs}"));
            }
            self.said = ahead;
        }
        if self.looked.is_some() {
            let workers = tend(store)?;
            self.started += workers.len();
            reap(workers);
        }
        self.looked = Some(Instant::now());
        anyhow::ensure!(
            self.started < MOST_STARTS,
            "run {run} waits and no worker takes it up; see {}",
            store.worker_log_path().display()
        );
        Ok(())
    }
}

/// "behind run 3", "behind runs 3, 4"; `None` for none.
pub fn behind(ahead: &[RunId]) -> Option<String> {
    let numbers: Vec<String> = ahead.iter().map(RunId::to_string).collect();
    match ahead.len() {
        0 => None,
        1 => Some(format!("behind run {}", numbers[0])),
        _ => Some(format!("behind runs {}", numbers.join(", "))),
    }
}

/// Sets a flag on Ctrl-C, for commands that clean up first.
pub fn interrupt_flag() -> std::io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag))?;
    Ok(flag)
}

/// On SIGTERM, reports what becomes of `runs`, and then ends this command.
pub fn say_when_terminated(runs: &[RunId]) -> std::io::Result<()> {
    let Some(first) = runs.first() else { return Ok(()) };
    let numbers: Vec<String> = runs.iter().map(RunId::to_string).collect();
    let (what, numbers) = (if runs.len() == 1 { "run" } else { "runs" }, numbers.join(", "));
    let line = if process_one::is_above() {
        shown!("SIGTERM ends {what} {numbers} as interrupted; `topoi resume {first}` continues")
    } else {
        shown!(
            "SIGTERM ends this command and not {what} {numbers}; `topoi watch {first}` follows, `topoi cancel {first}` \
             stops it"
        )
    };
    let (send, receive) = mpsc::channel::<Signals>();
    let waits = move || {
        let Ok(mut signals) = receive.recv() else { return };
        if let Some(signal) = signals.forever().next() {
            say(&line);
            // Ends the process by the default action of the signal.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    // If no thread can be started, SIGTERM ends the command without a message. A handler without the thread would
    // keep it from ending.
    if std::thread::Builder::new().name("sigterm".into()).spawn(waits).is_ok() {
        // The thread waits for the signals.
        let _ = send.send(Signals::new([SIGTERM])?);
    }
    Ok(())
}

/// The stage with its residual, and the remaining time of the whole run.
fn described(now: &Progress) -> String {
    let residual = now.residual.map(|r| format!("  residual {r:.1e}")).unwrap_or_default();
    let left = now.left_now().map(|left| format!("  {} left", in_words(left))).unwrap_or_default();
    format!("{}{residual}{left}", now.stage)
}

/// A duration, as precise as an estimate can be.
pub fn in_words(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
