//! `run`, `watch`, `log`, `cancel`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value, json};

use super::arguments::{RunArgs, RunNumber};
use super::follow::{follow, interrupt_flag};
use super::output::{OutputFormat, Table, print, print_json, say};
use crate::run::life::cancel;
use crate::run::request::{RunRequest, RunSettings};
use crate::run::spawn::spawn_worker;
use crate::store::Store;
use crate::store::run::{Run, RunStatus};

/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Saves and starts a run; follows it unless it is detached. Ctrl-C cancels the run.
///
/// # Errors
/// When the request is wrong, the worker cannot be started, or the run fails.
pub fn run(path: &Path, args: &RunArgs) -> anyhow::Result<ExitCode> {
    // A store that is not there would be created by opening it for writing.
    drop(Store::open_existing(path)?);
    let store = Store::open(path)?;
    let request = RunRequest {
        corpus: args.corpus.clone(),
        model: args.model.clone(),
        k: args.k,
        seed: args.seed,
        settings: RunSettings {
            terms: args.terms,
            min_tokens: args.min_tokens,
            threads: args.threads,
            tolerance: args.tolerance,
            iterations: args.iterations,
            rows: args.rows,
            memory: args.memory,
            vocabulary: args.vocabulary.choice(Some(args.terms))?,
        },
    };
    let number = request.submit(&store)?;
    let mut worker = spawn_worker(&store, number)?;
    if args.detach {
        print_run(&store, &store.run(number)?, args.printing.output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let stop = interrupt_flag()?;
    let mut row = follow(&store, number, &stop)?;
    if stop.load(Ordering::Relaxed) && !row.status.is_over() {
        cancel(&store, &row)?;
        say(&format!("run {number}: cancelling (use --detach for runs that go on without you)"));
        // The worker answers within a second; its exit is the answer.
        let _ = worker.wait();
        return Ok(ExitCode::from(INTERRUPTED));
    }
    // The row is written before the worker's last breath; its peak memory is in it.
    let _ = worker.wait();
    row = store.run(number)?;
    ended(&store, &row, args.printing.output)
}

/// Follows a run; Ctrl-C stops following and leaves the run alone.
///
/// # Errors
/// When there is no such run, or it failed.
pub fn watch(path: &Path, args: RunNumber) -> anyhow::Result<ExitCode> {
    drop(Store::open_existing(path)?);
    let store = Store::open(path)?;
    let stop = interrupt_flag()?;
    let row = follow(&store, args.run, &stop)?;
    if !row.status.is_over() {
        say(&format!("run {} goes on; stop it with `topica cancel {}`", args.run, args.run));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    ended(&store, &row, OutputFormat::Table)
}

/// Prints a run's log.
///
/// # Errors
/// When there is no such run or its log cannot be read.
pub fn log(path: &Path, args: RunNumber) -> anyhow::Result<()> {
    let store = Store::open_existing(path)?;
    store.run(args.run)?;
    let path = store.log_path(args.run);
    let text = std::fs::read_to_string(&path)
        .map_err(|e| anyhow::anyhow!("{}: {e}; the run has no log on this host", path.display()))?;
    Ok(print(&text)?)
}

/// Stops a run.
///
/// # Errors
/// When there is no such run, or it is over.
pub fn cancel_run(path: &Path, args: RunNumber) -> anyhow::Result<()> {
    drop(Store::open_existing(path)?);
    let store = Store::open(path)?;
    let row = store.run(args.run)?;
    if row.status.is_over() {
        anyhow::bail!(
            "run {} is {} already; there is nothing to stop",
            row.id,
            row.status.as_str()
        );
    }
    cancel(&store, &row)?;
    Ok(print(&format!("run {} is told to stop\n", args.run))?)
}

fn ended(store: &Store, row: &Run, format: OutputFormat) -> anyhow::Result<ExitCode> {
    match row.status {
        RunStatus::Finished => {
            print_run(store, row, format)?;
            Ok(ExitCode::SUCCESS)
        }
        RunStatus::Failed => {
            let reason = row.error.as_deref().unwrap_or("the log may say why: `topica log`");
            anyhow::bail!("run {} failed: {reason}", row.id)
        }
        other => {
            let reason = row.error.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
            anyhow::bail!(
                "run {} was {}{reason}; start it again with `topica run`",
                row.id,
                other.as_str()
            )
        }
    }
}

fn print_run(store: &Store, row: &Run, format: OutputFormat) -> anyhow::Result<()> {
    let stages = store.stages(row.id)?;
    let of_run: Vec<_> =
        store.metrics(row.id)?.into_iter().filter(|metric| metric.topic.is_none()).collect();
    match format {
        OutputFormat::Json => {
            let metrics: Map<String, Value> =
                of_run.into_iter().map(|metric| (metric.name, json!(metric.value))).collect();
            print_json(&json!({
                "run": row.id,
                "status": row.status,
                "seconds": row.seconds,
                "peak_memory_bytes": row.peak_memory_bytes,
                "stages": stages,
                "metrics": metrics,
            }))?;
        }
        OutputFormat::Csv => {
            let mut table = Table::new(&["run", "status", "seconds"]);
            table.rows.push(vec![json!(row.id), json!(row.status), json!(row.seconds)]);
            table.print(format)?;
        }
        OutputFormat::Table => print(&summary(row, &stages, &of_run))?,
    }
    Ok(())
}

fn summary(
    row: &Run,
    stages: &[crate::store::progress::Stage],
    metrics: &[crate::store::metric::Metric],
) -> String {
    let Some(seconds) = row.seconds else {
        return format!(
            "run {} is {}; follow it with `topica watch {}`\n",
            row.id,
            row.status.as_str(),
            row.id
        );
    };
    let memory =
        row.peak_memory_bytes.map(|b| format!(", {:.0} MB", b as f64 / 1e6)).unwrap_or_default();
    let mut text = format!("run {} {} in {seconds:.2} s{memory}\n", row.id, row.status.as_str());
    let parts: Vec<String> = stages
        .iter()
        .filter_map(|stage| Some(format!("{} {:.2} s", stage.name, stage.seconds?)))
        .collect();
    text += &format!("  {}\n", parts.join(", "));
    let shown = ["npmi", "umass", "relative_approximation", "specificity", "dissimilarity"];
    let values: Vec<String> = shown
        .iter()
        .filter_map(|name| metrics.iter().find(|metric| metric.name == *name))
        .map(|metric| {
            format!(
                "{} {}",
                metric.name.replace('_', " "),
                super::output::four_digits(metric.value)
            )
        })
        .collect();
    text += &format!("  {}\n", values.join(", "));
    text + &format!(
        "topics: `topica topics {}`, all metrics: `topica metrics {}`\n",
        row.id, row.id
    )
}
