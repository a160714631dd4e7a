//! Buffers the progress of numeric code and writes it to the store from time to time.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use ndarray::Array2;

use super::memory::resident_bytes;
use super::worker_cache::WorkerCache;
use crate::outlook::Outlook;
use topoi_core::model::plan::PlannedStage;
use topoi_core::progress;
use topoi_store::id::RunId;
use topoi_store::run::kept::Checkpoint;
use topoi_store::run::progress::{Progress, Stage};
use topoi_store::{Access, Store, StoreError};

/// Receives progress from numeric threads without waiting for the disk; [`Reporter::write`] writes it to the store.
/// Checkpoints of finished stages are read from the store when the work recalls them.
#[derive(Debug)]
pub struct Reporter {
    path: PathBuf,
    run: RunId,
    cache: Arc<WorkerCache>,
    begun: Instant,
    state: Mutex<State>,
    cancelled: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    stages: Vec<CurrentStage>,
    written_begins: usize,
    written_ends: usize,
    residuals: Vec<(String, u64, f64)>,
    kept: Vec<Arc<Checkpoint>>,
    outlook: Option<Outlook>,
}

#[derive(Debug)]
struct CurrentStage {
    name: &'static str,
    meaning: &'static str,
    total: u64,
    step: u64,
    residual: Option<f64>,
    begun: Instant,
    seconds: Option<f64>,
    /// The recorded row of a stage that was recalled.
    recorded: Option<Stage>,
}

impl CurrentStage {
    fn new(name: &'static str, total: u64, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            total,
            step: 0,
            residual: None,
            begun: Instant::now(),
            seconds: None,
            recorded: None,
        }
    }

    fn as_stage(&self) -> Stage {
        if let Some(recorded) = &self.recorded {
            return recorded.clone();
        }
        Stage {
            name: self.name.into(),
            seconds: self.seconds,
            steps: (self.step > 0).then_some(self.step),
            residual: self.residual,
            note: self.residual.map(|_| self.meaning.into()),
        }
    }
}

impl Reporter {
    /// A reporter for run `run` of the store at `path`, with the worker's `cache`.
    pub fn new(path: &Path, run: RunId, cache: Arc<WorkerCache>) -> Self {
        Self {
            path: path.to_path_buf(),
            run,
            cache,
            begun: Instant::now(),
            state: Mutex::new(State::default()),
            cancelled: AtomicBool::new(false),
        }
    }

    /// Sets the plan of the run, for the estimate of the remaining time.
    pub fn expect(&self, plan: Vec<PlannedStage>) {
        self.with_state(|state| state.outlook = Some(Outlook::new(plan)));
    }

    /// Updates the estimate at the current time.
    fn update_outlook(&self, state: &mut State, happened: impl FnOnce(&mut Outlook, f64)) {
        if let Some(outlook) = &mut state.outlook {
            happened(outlook, self.begun.elapsed().as_secs_f64());
        }
    }

    /// Results of earlier runs of this worker.
    pub fn cache(&self) -> &WorkerCache {
        &self.cache
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Ends the last stage.
    pub fn finish(&self) {
        self.with_state(State::end_last);
    }

    /// Writes the progress since the last call to the store.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be written. Progress is then written by the next call; checkpoints are not,
    /// so that a resumed run takes longer.
    pub fn write(&self, store: &mut Store) -> Result<(), StoreError> {
        let (begins, ends, progress, residuals) = self.with_state(|state| {
            let now = self.begun.elapsed().as_secs_f64();
            state.take(now)
        });
        let result = self.write_rows(store, &begins, &ends, progress.as_ref(), &residuals);
        if result.is_err() {
            self.with_state(|state| state.put_back(begins.len(), ends.len(), residuals));
        }
        result.and(self.write_kept(store))
    }

    fn write_kept(&self, store: &mut Store) -> Result<(), StoreError> {
        let mut kept = self.with_state(|state| std::mem::take(&mut state.kept)).into_iter();
        while let Some(checkpoint) = kept.next() {
            match store.save_checkpoint(self.run, &checkpoint) {
                Ok(()) => {}
                Err(error) => {
                    if matches!(error, StoreError::Busy(_)) {
                        let again = std::iter::once(checkpoint).chain(kept);
                        self.with_state(|state| state.kept.splice(0..0, again).for_each(drop));
                    }
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn write_rows(
        &self,
        store: &mut Store,
        begins: &[(usize, &'static str)],
        ends: &[(usize, Stage)],
        progress: Option<&Progress>,
        residuals: &[(String, u64, f64)],
    ) -> Result<(), StoreError> {
        for (position, name) in begins {
            store.begin_stage(self.run, *position, name)?;
        }
        for (position, stage) in ends {
            store.end_stage(self.run, *position, stage)?;
        }
        match progress {
            Some(progress) => store.write_progress(self.run, progress, residuals),
            None => Ok(()),
        }
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// Begun stages, ended stages, progress, and residuals.
type Report =
    (Vec<(usize, &'static str)>, Vec<(usize, Stage)>, Option<Progress>, Vec<(String, u64, f64)>);

impl State {
    fn end_last(&mut self) {
        if let Some(stage) = self.stages.last_mut() {
            let seconds = stage.begun.elapsed().as_secs_f64();
            stage.seconds.get_or_insert(seconds);
        }
    }

    fn take(&mut self, now: f64) -> Report {
        let begins: Vec<_> = (self.written_begins..self.stages.len())
            .map(|position| (position, self.stages[position].name))
            .collect();
        let ended = self.stages.iter().take_while(|stage| stage.seconds.is_some()).count();
        let ends: Vec<_> = (self.written_ends..ended)
            .map(|position| (position, self.stages[position].as_stage()))
            .collect();
        self.written_begins = self.stages.len();
        self.written_ends = ended;
        let left = self.outlook.as_mut().map(|outlook| outlook.left(now));
        let progress = self.stages.last().map(|stage| Progress {
            stage: stage.name.into(),
            step: stage.step,
            total: stage.total,
            residual: stage.residual,
            memory_bytes: resident_bytes(),
            share: left.map(|left| left.share),
            seconds_left: left.map(|left| left.seconds),
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
            state.stages.push(CurrentStage::new(stage, total, residual));
            self.update_outlook(state, |outlook, now| outlook.begin(stage, total, now));
        });
    }

    fn step(&self, step: u64, residual: Option<f64>) {
        self.with_state(|state| {
            self.update_outlook(state, |outlook, now| outlook.step(step, residual, now));
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

    fn recall(&self, stage: &'static str) -> Option<Vec<Array2<f64>>> {
        // A checkpoint that cannot be read is recomputed.
        let found = Store::open(&self.path, Access::Read)
            .and_then(|store| store.checkpoint(self.run, stage));
        let own = found.ok().flatten().map(|found| (found.stage, found.arrays));
        let (recorded, arrays) = own.or_else(|| self.cache.take(stage))?;
        self.with_state(|state| {
            state.end_last();
            let steps = recorded.steps.unwrap_or(0);
            self.update_outlook(state, |outlook, now| outlook.recalled(stage, steps, now));
            let live = CurrentStage::new(stage, steps, "");
            state.stages.push(CurrentStage { step: steps, recorded: Some(recorded), ..live });
        });
        Some(arrays)
    }

    fn keep(&self, stage: &'static str, arrays: &[Array2<f64>]) {
        self.with_state(|state| {
            let Some(live) = state.stages.last() else { return };
            let seconds = Some(live.begun.elapsed().as_secs_f64());
            let recorded = Stage { name: stage.into(), seconds, ..live.as_stage() };
            // The only copy: the cache and the writing thread share it.
            let checkpoint = Arc::new(Checkpoint { stage: recorded, arrays: arrays.to_vec() });
            self.cache.put(stage, &checkpoint);
            state.kept.push(checkpoint);
        });
    }
}
