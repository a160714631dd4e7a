//! Starting runs, following them to their ends, and printing their results.

use crate::cli::remedy::explained;
use crate::shown::{TerminalText, shown};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use topoi_store::id::RunId;

use serde::Serialize;

use super::changes::say_changes;
use super::follow::{behind, follow, interrupt_flag, say_when_terminated};
use super::messages::{say, warn};
use super::output::{OutputFormat, print_outcome};
use crate::records::column::columns;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_core::numbers::with_error;
use topoi_run::coverage::Coverage;
use topoi_run::life::cancel;
use topoi_run::life::queue::{ahead_of, tend};
use topoi_run::life::spawn::reap;
use topoi_run::saved::changes::Changes;
use topoi_store::result::warning::Warning;
use topoi_store::run::progress::Stage;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Store, StoreError};

/// Exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Starts a queued run, now or when its turn comes, and follows it unless it is detached. Ctrl-C cancels the run.
pub fn attend(
    store: &Store,
    number: RunId,
    detach: bool,
    format: OutputFormat,
) -> anyhow::Result<ExitCode> {
    if detach {
        start(store, &[number])?;
        print_run(store, &store.run(number)?, format)?;
        return Ok(ExitCode::SUCCESS);
    }
    match attend_one(store, number)? {
        Some(row) => ended(store, &row, format),
        None => Ok(ExitCode::from(INTERRUPTED)),
    }
}

/// Starts a queued run, now or when its turn comes, and follows it to its end. Ctrl-C cancels it; then `None`.
pub fn attend_one(store: &Store, number: RunId) -> anyhow::Result<Option<Run>> {
    // From here on, Ctrl-C cancels the run.
    let stop = interrupt_flag()?;
    start(store, &[number])?;
    say_when_terminated(&[number])?;
    let row = follow(store, number, &stop).map_err(|error| withdrawn(store, &[number], error))?;
    if stop.load(Ordering::Relaxed) && !row.status.is_over() {
        cancel(store, &row)?;
        say(&shown!(
            "run {number}: cancelling (--detach starts runs that continue without this terminal)"
        ));
        // The worker reacts within a second.
        stop.store(false, Ordering::Relaxed);
        follow(store, number, &stop)?;
        return Ok(None);
    }
    Ok(Some(row))
}

/// Starts the runs, now or when their turns come, and follows them to their ends, reporting each. Ctrl-C cancels
/// those that are not over; then `None`.
pub fn attend_all(store: &Store, numbers: &[RunId]) -> anyhow::Result<Option<Vec<Run>>> {
    let stop = interrupt_flag()?;
    say_when_terminated(numbers)?;
    start(store, numbers)?;
    let mut runs = Vec::new();
    for (done, &number) in (1..).zip(numbers) {
        let was_over = store.run(number)?.status.is_over();
        let row = follow(store, number, &stop).map_err(|error| withdrawn(store, numbers, error))?;
        if stop.load(Ordering::Relaxed) {
            return cancel_all(store, numbers).map(|()| None);
        }
        let seconds = row.seconds.map(|seconds| format!(" in {seconds:.2} s")).unwrap_or_default();
        let (k, status, of) = (row.k, row.status.as_str(), numbers.len());
        let how = if was_over { " before".into() } else { seconds };
        say(&shown!("{done} of {of}: run {number}, K = {k}, {status}{how}"));
        runs.push(row);
    }
    Ok(Some(runs))
}

/// Starts waiting runs of the queue, which contains these runs.
fn start(store: &Store, numbers: &[RunId]) -> anyhow::Result<()> {
    let workers = tend(store).map_err(|error| withdrawn(store, numbers, error.into()))?;
    reap(workers);
    Ok(())
}

/// Removes the runs that still wait from the queue, as they would start unexpectedly later; returns the error of the
/// command.
fn withdrawn(store: &Store, numbers: &[RunId], error: anyhow::Error) -> anyhow::Error {
    let takes_out = |&&number: &&RunId| {
        let row = store.run(number).ok().filter(|row| row.status == RunStatus::Queued);
        row.is_some_and(|row| cancel(store, &row).is_ok())
    };
    let out: Vec<String> = numbers.iter().filter(takes_out).map(RunId::to_string).collect();
    match (out.len(), error.downcast_ref()) {
        (0, _) => error,
        (count, cause) => {
            let why = match cause {
                Some(StoreError::NoWorker { source }) => {
                    let full = source.kind() == std::io::ErrorKind::WouldBlock;
                    let remedy = if full { "; allow more processes (`ulimit -u`)" } else { "" };
                    format!("no worker could be started ({source}){remedy}")
                }
                _ => explained(error.as_ref()),
            };
            let runs = if count == 1 { "run" } else { "runs" };
            anyhow::anyhow!("{why}; {runs} {} cancelled: give the command again", out.join(", "))
        }
    }
}

fn cancel_all(store: &Store, numbers: &[RunId]) -> anyhow::Result<()> {
    // From the last on, as a cancelled run makes room for the next.
    for &number in numbers.iter().rev() {
        let row = store.run(number)?;
        if !row.status.is_over() {
            cancel(store, &row)?;
            say(&shown!(
                "run {number}: cancelling (--detach starts runs that continue without this terminal)"
            ));
        }
    }
    Ok(())
}

/// Prints a run that is over. A run without a result is an error.
pub fn ended(store: &Store, row: &Run, format: OutputFormat) -> anyhow::Result<ExitCode> {
    require_finished(row)?;
    print_run(store, row, format)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a run that ended without a result.
pub fn require_finished(row: &Run) -> anyhow::Result<()> {
    match row.status {
        RunStatus::Finished => Ok(()),
        RunStatus::Failed => {
            let reason = row.error.as_deref().unwrap_or("the log may say why: `topoi log`");
            anyhow::bail!("run {} failed: {reason}", row.id)
        }
        other => {
            let reason = row.error.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
            anyhow::bail!(
                "run {} was {}{reason}; continue it with `topoi resume {}`",
                row.id,
                other.as_str(),
                row.id
            )
        }
    }
}

/// The state of a run, with its results.
#[derive(Serialize)]
pub struct RunReport {
    pub run: RunId,
    pub status: RunStatus,
    pub seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    stages: Vec<Stage>,
    metrics: BTreeMap<String, f64>,
    /// Standard errors of the metrics that are estimates.
    standard_errors: BTreeMap<String, f64>,
    /// `None` for an unfinished run.
    documents: Option<Coverage>,
    warnings: Vec<Warning>,
    /// `None` for a run that was not updated from another.
    changes: Option<Changes>,
}

impl RunReport {
    pub fn from_run(store: &Store, row: &Run) -> anyhow::Result<Self> {
        let mut of_run = store.metrics(row.id)?;
        of_run.retain(|metric| metric.topic.is_none());
        let errors = of_run.iter().filter_map(|m| Some((m.name.clone(), m.standard_error()?)));
        Ok(Self {
            run: row.id,
            status: row.status,
            seconds: row.seconds,
            peak_memory_bytes: row.peak_memory_bytes,
            stages: store.stages(row.id)?,
            standard_errors: errors.collect(),
            metrics: of_run.into_iter().map(|metric| (metric.name, metric.value)).collect(),
            documents: Coverage::from_run(store, row)?,
            warnings: store.warnings(row.id)?,
            changes: Changes::from_run(store, row)?,
        })
    }

    /// Says warnings, and what an update changed, on standard error.
    pub fn say_rest(&self, store: &Store) -> anyhow::Result<()> {
        say_warnings("", &self.warnings);
        self.changes.iter().try_for_each(|changes| say_changes(store, self.run, changes))
    }
}

fn print_run(store: &Store, row: &Run, format: OutputFormat) -> anyhow::Result<()> {
    let report = RunReport::from_run(store, row)?;
    let text = match row.status {
        RunStatus::Finished => summary(&report),
        _ => not_over(row, &ahead_of(store, row.id)?),
    };
    let columns = columns!(RunReport: run, status, seconds);
    print_outcome(&report, &columns, &TerminalText::text(&text), format)?;
    report.say_rest(store)
}

fn not_over(row: &Run, ahead: &[RunId]) -> String {
    let behind = behind(ahead).map(|runs| format!(" {runs}")).unwrap_or_default();
    let (id, status) = (row.id, row.status.as_str());
    format!("run {id} is {status}{behind}; follow it with `topoi watch {id}`\n")
}

/// Prints a line for each warning of a run on standard error, after `prefix`.
pub fn say_warnings(prefix: &str, warnings: &[Warning]) {
    for warning in warnings {
        warn(&TerminalText::line(&format!("warning: {prefix}{}", warning.text)));
    }
}

pub fn summary(report: &RunReport) -> String {
    let RunReport { run, status, stages, metrics, .. } = report;
    let seconds = report.seconds.unwrap_or_default();
    let memory = report.peak_memory_bytes.map(|bytes| format!(", {:.0} MB", bytes as f64 / 1e6));
    let memory = memory.unwrap_or_default();
    let mut text = format!("run {run} {} in {seconds:.2} s{memory}\n", status.as_str());
    let parts: Vec<String> = stages
        .iter()
        .filter_map(|stage| Some(format!("{} {:.2} s", stage.name, stage.seconds?)))
        .collect();
    text += &format!("  {}\n", parts.join(", "));
    let values: Vec<String> = MetricDef::tagged(Tag::Summary)
        .filter_map(|shown| Some((shown.id, metrics.get(shown.id)?)))
        .map(|(name, value)| {
            let value = with_error(*value, report.standard_errors.get(name).copied());
            format!("{} {value}", name.replace('_', " "))
        })
        .collect();
    text += &format!("  {}\n", values.join(", "));
    text += &report.documents.iter().map(|of| format!("  {of}\n")).collect::<String>();
    text + &format!("topics: `topoi topics {run}`, all metrics: `topoi metrics {run}`\n")
}
