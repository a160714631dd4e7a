//! The rectified co-occurrence that anchors of a run need and the run did not keep. One run's at a time.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::background::{Background, Job, Kind};
use crate::cli::remedy::explained;
use crate::tui::message::{EffectOutcome, FactorJobStatus, Message};
use topoi_core::progress::Progress;
use topoi_run::outlook::Outlook;
use topoi_run::shaping::factor::{FactorCost, make_factor};
use topoi_run::work::work_error::WorkError;
use topoi_store::id::RunId;
use topoi_store::{Access, Store};

const NAME: &str = "factor";
/// Least time between two progress messages.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// Computes and saves the factor of a run; cancels that of another run. Progress comes as news.
pub fn make(background: &Background, path: &Path, cost: FactorCost) {
    cancel(background);
    let (path, run) = (path.to_path_buf(), cost.run);
    let status = move |status| Message::EffectOutcome(EffectOutcome::Factor { run, status });
    let make = move |job: &Job| {
        let state = State { outlook: Outlook::new(cost.stages), stage: "", reported: None };
        let progress = FactorProgress { run, start: Instant::now(), job, state: Mutex::new(state) };
        let made = save_factor(&path, run, &progress);
        // The screen has forgotten a factor that was cancelled.
        if job.is_cancelled() {
            return Ok(None);
        }
        made?;
        Ok(Some(status(FactorJobStatus::Ended(Ok(())))))
    };
    background.run(Kind::Read, NAME, make, move |error| {
        Some(status(FactorJobStatus::Ended(Err(explained(error.as_ref())))))
    });
}

/// A factor that was cancelled sends no more news.
pub fn cancel(background: &Background) {
    background.cancel(NAME);
}

fn save_factor(path: &Path, run: RunId, progress: &FactorProgress<'_>) -> Result<(), WorkError> {
    let mut store = Store::open(path, Access::Write)?;
    let row = store.run(run)?;
    make_factor(&mut store, &row, progress)
}

/// Sends progress to the event loop.
struct FactorProgress<'j> {
    run: RunId,
    start: Instant,
    job: &'j Job,
    state: Mutex<State>,
}

struct State {
    outlook: Outlook,
    stage: &'static str,
    /// When progress was last sent.
    reported: Option<Instant>,
}

impl FactorProgress<'_> {
    fn report(&self, change: impl FnOnce(&mut State, f64)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.start.elapsed().as_secs_f64();
        change(&mut state, now);
        let is_due = state.reported.is_none_or(|at| at.elapsed() >= REPORT_EVERY);
        if is_due && !self.job.is_cancelled() {
            state.reported = Some(Instant::now());
            let status = FactorJobStatus::Running(state.stage, state.outlook.left(now));
            self.job.send(Message::EffectOutcome(EffectOutcome::Factor { run: self.run, status }));
        }
    }
}

impl Progress for FactorProgress<'_> {
    fn begin(&self, stage: &'static str, total: u64, _residual: &'static str) {
        self.report(|state, now| {
            (state.stage, state.reported) = (stage, None);
            state.outlook.begin(stage, total, now);
        });
    }

    fn step(&self, step: u64, residual: Option<f64>) {
        self.report(|state, now| state.outlook.step(step, residual, now));
    }

    fn cancelled(&self) -> bool {
        self.job.is_cancelled()
    }
}
