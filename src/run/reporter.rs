//! Between the numeric code and the store: what the one reports, the other is told now and then.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::memory::resident_bytes;
use crate::progress;
use crate::store::progress::{Progress, Stage};
use crate::store::{Store, StoreError};

/// Takes reports from the numeric threads (never waiting for the disk) and hands them on to the
/// store whenever [`Reporter::write`] is called.
#[derive(Debug)]
pub struct Reporter {
    state: Mutex<State>,
    cancelled: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    stages: Vec<Live>,
    written_begins: usize,
    written_ends: usize,
    residuals: Vec<(String, u64, f64)>,
}

#[derive(Debug)]
struct Live {
    name: &'static str,
    meaning: &'static str,
    total: u64,
    step: u64,
    residual: Option<f64>,
    begun: Instant,
    seconds: Option<f64>,
}

impl Live {
    fn as_stage(&self) -> Stage {
        Stage {
            name: self.name.into(),
            seconds: self.seconds,
            steps: (self.step > 0).then_some(self.step),
            residual: self.residual,
            note: self.residual.map(|_| self.meaning.into()),
        }
    }
}

impl Default for Reporter {
    fn default() -> Self {
        Self { state: Mutex::new(State::default()), cancelled: AtomicBool::new(false) }
    }
}

impl Reporter {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Ends the last stage.
    pub fn finish(&self) {
        self.with_state(State::end_last);
    }

    /// Writes to the store what has been reported since the last time.
    ///
    /// # Errors
    /// When the store cannot be written; what was not written is written the next time.
    pub fn write(&self, store: &mut Store, run: i64) -> Result<(), StoreError> {
        let (begins, ends, progress, residuals) = self.with_state(|state| state.take());
        let result = Self::write_rows(store, run, &begins, &ends, progress.as_ref(), &residuals);
        if result.is_err() {
            self.with_state(|state| state.put_back(begins.len(), ends.len(), residuals));
        }
        result
    }

    fn write_rows(
        store: &mut Store,
        run: i64,
        begins: &[(usize, &'static str)],
        ends: &[(usize, Stage)],
        progress: Option<&Progress>,
        residuals: &[(String, u64, f64)],
    ) -> Result<(), StoreError> {
        for (position, name) in begins {
            store.begin_stage(run, *position, name)?;
        }
        for (position, stage) in ends {
            store.end_stage(run, *position, stage)?;
        }
        match progress {
            Some(progress) => store.write_progress(run, progress, residuals),
            None => Ok(()),
        }
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// What a look at the state gives: begun stages, ended stages, progress, residuals.
type Report =
    (Vec<(usize, &'static str)>, Vec<(usize, Stage)>, Option<Progress>, Vec<(String, u64, f64)>);

impl State {
    fn end_last(&mut self) {
        if let Some(stage) = self.stages.last_mut() {
            let seconds = stage.begun.elapsed().as_secs_f64();
            stage.seconds.get_or_insert(seconds);
        }
    }

    fn take(&mut self) -> Report {
        let begins: Vec<_> = (self.written_begins..self.stages.len())
            .map(|position| (position, self.stages[position].name))
            .collect();
        let ended = self.stages.iter().take_while(|stage| stage.seconds.is_some()).count();
        let ends: Vec<_> = (self.written_ends..ended)
            .map(|position| (position, self.stages[position].as_stage()))
            .collect();
        self.written_begins = self.stages.len();
        self.written_ends = ended;
        let progress = self.stages.last().map(|stage| Progress {
            stage: stage.name.into(),
            step: stage.step,
            total: stage.total,
            residual: stage.residual,
            memory_bytes: resident_bytes(),
            age: 0.0,
        });
        (begins, ends, progress, std::mem::take(&mut self.residuals))
    }

    fn put_back(&mut self, begins: usize, ends: usize, mut residuals: Vec<(String, u64, f64)>) {
        self.written_begins -= begins;
        self.written_ends -= ends;
        residuals.append(&mut self.residuals);
        self.residuals = residuals;
    }
}

impl progress::Progress for Reporter {
    fn begin(&self, stage: &'static str, total: u64, residual: &'static str) {
        self.with_state(|state| {
            state.end_last();
            let begun = Instant::now();
            state.stages.push(Live {
                name: stage,
                meaning: residual,
                total,
                step: 0,
                residual: None,
                begun,
                seconds: None,
            });
        });
    }

    fn step(&self, step: u64, residual: Option<f64>) {
        self.with_state(|state| {
            let Some(stage) = state.stages.last_mut() else { return };
            stage.step = step;
            if let Some(residual) = residual.filter(|residual| residual.is_finite()) {
                stage.residual = Some(residual);
                state.residuals.push((stage.name.into(), step, residual));
            }
        });
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
