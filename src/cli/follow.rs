//! Following a run's progress on a terminal until it is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::life::{bury_if_lost, time_left};
use crate::store::progress::Progress;
use crate::store::run::Run;
use crate::store::{Store, StoreError};

/// How often the store is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Waits until run `run` is over, showing a line of progress where standard error is a
/// terminal. Returns early, with the run as it is, once `stop` is set.
///
/// # Errors
/// When the store cannot be read.
pub fn follow(store: &Store, run: i64, stop: &AtomicBool) -> Result<Run, StoreError> {
    let bar = ProgressBar::new(1);
    let style = ProgressStyle::with_template("run {prefix}  {msg:40} [{bar:20}] {pos}/{len}");
    if let Ok(style) = style {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(run.to_string());
    let mut pace = Pace::default();
    loop {
        let row = store.run(run)?;
        if row.status.is_over() || stop.load(Ordering::Relaxed) {
            bar.finish_and_clear();
            return Ok(row);
        }
        if let Some(progress) = store.progress(run)? {
            bar.set_length(progress.total.max(1));
            bar.set_position(progress.step.min(progress.total.max(1)));
            bar.set_message(pace.describe(&progress));
        }
        // A worker that died without a word would be waited for for ever.
        bury_if_lost(store, &row)?;
        std::thread::sleep(LOOK);
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

/// Tells the time left from the pace so far in the stage.
#[derive(Default)]
struct Pace {
    first: Option<(Instant, Progress)>,
}

impl Pace {
    fn describe(&mut self, now: &Progress) -> String {
        let same = self.first.as_ref().is_some_and(|(_, first)| first.stage == now.stage);
        if !same {
            self.first = Some((Instant::now(), now.clone()));
        }
        let left = self
            .first
            .as_ref()
            .and_then(|(begun, first)| time_left(first, now, begun.elapsed().as_secs_f64()));
        let residual = now.residual.map(|r| format!("  residual {r:.1e}")).unwrap_or_default();
        let left = left.map(|seconds| format!("  {seconds:.0} s left")).unwrap_or_default();
        format!("{}{residual}{left}", now.stage)
    }
}
