//! All runs, and the selected one in full.

use super::log;
use crate::records::runs::RunRow;
use crate::tui::question::{Question, QuestionContext};
use crate::tui::threads::cache::AnswerCache;
use topoi_core::metric::coherence::variants::NPMI;
use topoi_run::coverage::Coverage;
use topoi_run::judging::scores::metrics_with_scores;
use topoi_run::life::{Vitality, vitality};
use topoi_run::saved::changes::Changes;
use topoi_store::id::RunId;
use topoi_store::result::metric::Metric;
use topoi_store::result::warning::Warning;
use topoi_store::run::progress::Stage;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

#[derive(Debug, Clone, PartialEq)]
pub struct RunsQuestion {
    /// Number of the selected run; `None` is the newest.
    pub selected: Option<RunId>,
    /// Whether its log is wanted too.
    pub with_log: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunRow>,
    /// The selected one in full.
    pub detail: Option<Box<RunDetail>>,
    /// The lines of its log, where they were wanted.
    pub log: Vec<String>,
}

impl Question for RunsQuestion {
    type Answer = RunList;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<RunList, StoreError> {
        let store = asking.store;
        let mut warnings = store.warnings_of_runs()?;
        let npmi = store.metric_of_runs(NPMI.id)?;
        let added = store.added_since_runs()?;
        let rows = asking.runs.iter().map(|run| {
            let warnings = warnings.remove(&run.id).unwrap_or_default();
            let found = row(store, run.clone(), warnings)?;
            let (npmi, added_since) = (npmi.get(&run.id).copied(), added.get(&run.id).copied());
            Ok(RunRow { npmi, added_since, ..found })
        });
        let runs: Vec<RunRow> = rows.collect::<Result<_, StoreError>>()?;
        let found = runs.iter().find(|row| Some(row.run.id) == self.selected).or(runs.first());
        let detail = found.map(|row| detail(asking.cache, store, &row.run)).transpose()?;
        let log = match found.zip(detail.as_ref()).filter(|_| self.with_log) {
            Some((row, detail)) => log::read(store, row, detail),
            None => Vec::new(),
        };
        Ok(RunList { detail: detail.map(Box::new), log, runs })
    }
}

/// The selected run in full.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDetail {
    pub run: RunId,
    pub stages: Vec<Stage>,
    /// Its metrics, those of topics left out.
    pub metrics: Vec<Metric>,
    /// What of the corpus it is made from, in a sentence; empty where it does not say.
    pub coverage: String,
    /// Of a run that was updated from another.
    pub changes: Option<Changes>,
    /// The stage whose residuals are here.
    pub residuals_of: Option<String>,
    /// Its residuals in order of steps: on the runs, of the last stage that has any; among the
    /// facts, of the one that has most.
    pub residuals: Vec<f64>,
}

/// A run with these warnings as a row of the list.
///
/// # Errors
/// When the store cannot be read.
pub fn row(store: &Store, run: Run, warnings: Vec<Warning>) -> Result<RunRow, StoreError> {
    let vitality = vitality(store, &run)?;
    let mut row = RunRow {
        run,
        vitality,
        warnings,
        progress: None,
        seconds_left: None,
        silent_for: None,
        npmi: None,
        added_since: None,
    };
    if row.run.status == RunStatus::Running {
        row.progress = store.progress(row.run.id)?;
        if let Some(progress) = &mut row.progress {
            row.seconds_left = progress.left_now().map(f64::round);
            // A number that grows by itself would count as news at every look.
            progress.age = 0.0;
        }
    }
    if matches!(vitality, Vitality::Stalled | Vitality::OtherHost) {
        row.silent_for = store.lease(row.run.id)?.map(|(_, age)| age as u64);
    }
    Ok(row)
}

/// A run in full.
///
/// # Errors
/// When the store cannot be read.
pub fn detail(cache: &mut AnswerCache, store: &Store, run: &Run) -> Result<RunDetail, StoreError> {
    let residuals = store.residuals(run.id)?;
    let last = residuals.last().map(|(stage, ..)| stage.clone());
    let of_last = residuals.iter().filter(|(stage, ..)| Some(stage) == last.as_ref());
    let metrics =
        metrics_with_scores(store, run)?.into_iter().filter(|metric| metric.topic.is_none());
    Ok(RunDetail {
        run: run.id,
        stages: store.stages(run.id)?,
        metrics: metrics.collect(),
        coverage: Coverage::from_run(store, run)?.map(|of| of.to_string()).unwrap_or_default(),
        changes: cache.changes(store, run)?,
        residuals: of_last.map(|(.., residual)| *residual).collect(),
        residuals_of: last,
    })
}
