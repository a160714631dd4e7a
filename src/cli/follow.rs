//! Following a run's progress on a terminal until it is over.

use crate::shown::{Shown, shown};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::bar::Line;
use super::output::say;
use signal_hook::consts::SIGTERM;
use signal_hook::iterator::Signals;
use topoi_run::life::mark_if_lost;
use topoi_run::life::queue::{ahead_of, tend};
use topoi_run::life::spawn::reap;
use topoi_store::Store;
use topoi_store::run::progress::Progress;
use topoi_store::run::{Run, RunStatus};

/// Time between two looks at the store.
const LOOK: Duration = Duration::from_millis(50);
/// Cells of progress that are told apart.
const OF_ALL: u64 = 1000;
/// Time between two looks at the queue while the run waits in it.
const TEND: Duration = Duration::from_secs(1);
/// After so many workers that were started and did not take the run, something is wrong with them.
const MOST_STARTS: usize = 10;
/// How long a worker may take to end after its run is over.
const WORKER_END: Duration = Duration::from_secs(5);

/// Waits until run `run` is over and its worker has ended, showing a line of progress where
/// standard error is a terminal, and otherwise what it waits behind. Returns early, with the run
/// as it is, once `stop` is set.
///
/// # Errors
/// When the store cannot be read, or no worker takes the run up.
pub fn follow(store: &Store, run: i64, stop: &AtomicBool) -> anyhow::Result<Run> {
    let bar = Line::new("run {prefix}  {msg:40} [{bar:20}] {percent}%", OF_ALL);
    bar.set_title(&shown!("{run}"));
    let mut queue = Waiting::new();
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
            // Without a plan the stage is what is known.
            let of_stage = progress.step as f64 / progress.total.max(1) as f64;
            let share = progress.share.unwrap_or(of_stage).clamp(0.0, 1.0);
            bar.set_position((share * OF_ALL as f64) as u64);
            bar.set_message(&Shown::line(&described(&progress)));
        }
        // Nobody else notices a worker that was killed.
        mark_if_lost(store, &row)?;
        std::thread::sleep(LOOK);
    }
}

/// A worker writes the run's row before it writes how its stages ended.
fn wait_until_the_worker_has_ended(store: &Store, row: &Run) {
    let begun = Instant::now();
    while row.status.is_over() && store.run_is_alive(row.id) && begun.elapsed() < WORKER_END {
        std::thread::sleep(LOOK / 10);
    }
}

/// What is known of a run in the queue.
struct Waiting {
    looked: Option<Instant>,
    said: Vec<i64>,
    started: usize,
}

impl Waiting {
    fn new() -> Self {
        Self { looked: None, said: Vec::new(), started: 0 }
    }

    /// Says what the run waits behind when that is news, and makes up for workers that were
    /// killed and could not look at the queue.
    fn look(&mut self, store: &Store, run: i64, bar: &Line) -> anyhow::Result<()> {
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
pub fn behind(ahead: &[i64]) -> Option<String> {
    let numbers: Vec<String> = ahead.iter().map(i64::to_string).collect();
    match ahead.len() {
        0 => None,
        1 => Some(format!("behind run {}", numbers[0])),
        _ => Some(format!("behind runs {}", numbers.join(", "))),
    }
}

/// Ctrl-C as a flag, for commands that clean up first.
///
/// # Errors
/// When the handler cannot be set.
pub fn interrupt_flag() -> std::io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag))?;
    Ok(flag)
}

/// Has SIGTERM say that it ends this command and not `runs`, and then end it.
///
/// # Errors
/// When the handler cannot be set.
pub fn say_when_terminated(runs: &[i64]) -> std::io::Result<()> {
    let Some(first) = runs.first() else { return Ok(()) };
    let numbers: Vec<String> = runs.iter().map(i64::to_string).collect();
    let (what, numbers) = (if runs.len() == 1 { "run" } else { "runs" }, numbers.join(", "));
    let line = shown!(
        "SIGTERM ends this command and not {what} {numbers}; `topoi watch {first}` follows, `topoi cancel {first}` \
         stops it"
    );
    let (send, receive) = mpsc::channel::<Signals>();
    let waits = move || {
        let Ok(mut signals) = receive.recv() else { return };
        if let Some(signal) = signals.forever().next() {
            say(&line);
            // Ends the process as if there were no handler.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    // Where the system starts no further thread, SIGTERM ends the command without a word: a handler without the
    // thread would keep it from ending at all.
    if std::thread::Builder::new().name("sigterm".into()).spawn(waits).is_ok() {
        // The thread waits for it.
        let _ = send.send(Signals::new([SIGTERM])?);
    }
    Ok(())
}

/// The stage, with its residual, and the time that the whole run has left.
fn described(now: &Progress) -> String {
    let residual = now.residual.map(|r| format!("  residual {r:.1e}")).unwrap_or_default();
    let left = now.left_now().map(|left| format!("  {} left", in_words(left))).unwrap_or_default();
    format!("{}{residual}{left}", now.stage)
}

/// As precise as anybody can know it.
pub fn in_words(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
