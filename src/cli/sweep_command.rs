//! `sweep`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::attend::{INTERRUPTED, attend_all};
use super::output::{OutputFormat, Table, print, print_json};
use super::store_path::opened;
use super::sweep_arguments::SweepArgs;
use topoi::metric::MetricDef;
use topoi::metric::definition::Tag;
use topoi::run::choose_k::bounds::newest_bounds;
use topoi::run::choose_k::recommendation::{Recommendation, recommendation};
use topoi::run::choose_k::sweep::{SECONDS, Sweep, sweep};
use topoi::run::choose_k::sweep_request::request_sweep;
use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::store::run::{Run, RunStatus};
use topoi::store::{Access, Store};

/// Asks for the runs of a sweep, follows them unless it is detached, and prints the table to
/// choose from. Ctrl-C cancels those that are not over.
///
/// # Errors
/// When a request is wrong, a worker cannot be started, or a run fails.
pub fn run(path: &Path, args: &SweepArgs) -> anyhow::Result<ExitCode> {
    let store = opened(path, Access::Write)?;
    let plan = args.options.request(&args.corpus, args.k.largest())?;
    let plan = args.scoring.applied_to(plan);
    let numbers = request_sweep(&store, &plan, &args.k, args.seeds)?;
    if args.detach {
        reap(tend(&store)?);
        return detached(&store, &numbers, args.printing.output);
    }
    let Some(runs) = attend_all(&store, &numbers)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    report(&store, &runs, args.printing.output)?;
    match runs.iter().filter(|run| run.status != RunStatus::Finished).count() {
        0 => Ok(ExitCode::SUCCESS),
        missing => anyhow::bail!(
            "{missing} of {} runs are not finished; `topoi runs` tells how they stand, the same \
             command goes on",
            runs.len()
        ),
    }
}

fn detached(store: &Store, numbers: &[i64], format: OutputFormat) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(&["run", "k", "seed", "status"]);
    for &number in numbers {
        let Run { id, k, seed, status, .. } = store.run(number)?;
        table.rows.push(vec![json!(id), json!(k), json!(seed), json!(status)]);
    }
    table.print(format)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the finished ones of `runs`, and which K to look at first.
fn report(store: &Store, runs: &[Run], format: OutputFormat) -> anyhow::Result<()> {
    let Some(first) = runs.iter().find(|run| run.status == RunStatus::Finished) else {
        return Ok(());
    };
    let Some(found) = sweep(store, runs, first)? else { return Ok(()) };
    let bounds = newest_bounds(store, first.corpus_id)?;
    let advice = recommendation(&found, bounds.as_ref());
    match format {
        OutputFormat::Json => {
            let runs: Vec<Value> = (0..found.runs.len()).map(|at| object(&found, at)).collect();
            print_json(&json!({ "runs": runs, "recommendation": advice }))?;
        }
        OutputFormat::Csv => all_metrics(&found).print(format)?,
        OutputFormat::Table => {
            shown_metrics(&found).print(format)?;
            print(&in_words(advice.as_ref(), first.corpus.as_str()))?;
        }
    }
    Ok(())
}

fn object(sweep: &Sweep, at: usize) -> Value {
    let Run { id, k, seed, seconds, .. } = &sweep.runs[at];
    let metrics: Map<String, Value> = sweep
        .metrics
        .iter()
        .filter_map(|metric| Some((metric.name.clone(), json!(metric.values[at]?))))
        .collect();
    json!({ "run": id, "k": k, "seed": seed, "seconds": seconds, "metrics": metrics })
}

fn shown_metrics(sweep: &Sweep) -> Table {
    let names = MetricDef::tagged(Tag::Sweep).map(|metric| metric.id).filter(|id| has(sweep, id));
    table(sweep, names.collect())
}

fn all_metrics(sweep: &Sweep) -> Table {
    let names: BTreeSet<&str> = sweep.metrics.iter().map(|metric| metric.name.as_str()).collect();
    table(sweep, names.into_iter().filter(|&name| name != SECONDS).collect())
}

fn has(sweep: &Sweep, name: &str) -> bool {
    sweep.metrics.iter().any(|metric| metric.name == name)
}

fn table(sweep: &Sweep, names: Vec<&str>) -> Table {
    let columns: Vec<&str> =
        ["run", "k", "seed", "seconds"].into_iter().chain(names.iter().copied()).collect();
    let mut table = Table::new(&columns);
    for (at, run) in sweep.runs.iter().enumerate() {
        let mut row = vec![json!(run.id), json!(run.k), json!(run.seed), json!(run.seconds)];
        row.extend(names.iter().map(|name| {
            let metric = sweep.metrics.iter().find(|metric| metric.name == *name);
            json!(metric.and_then(|metric| metric.values[at]))
        }));
        table.rows.push(row);
    }
    table
}

/// The recommendation, and where to look further.
fn in_words(advice: Option<&Recommendation>, corpus: &str) -> String {
    let Some(advice) = advice else {
        return "\nA recommendation takes three or more values of K.\n".into();
    };
    let mut text =
        format!("\nBegin with K = {} (run {}); a heuristic, because:\n", advice.k, advice.run);
    for reason in &advice.reasons {
        text += &format!("  - {reason}\n");
    }
    text + &format!(
        "Then read the topics: `topoi topics {}`; which of them to trust: `topoi stability {}`; \
         bounds on K: `topoi bounds {corpus}`\n",
        advice.run, advice.run
    )
}
