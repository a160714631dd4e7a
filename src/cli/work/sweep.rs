//! `sweep`.

use crate::cli::attend::{INTERRUPTED, attend_all, say_warnings};
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_arguments::{RunOptions, ScoringArgs};
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::shown::TerminalText;
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::ExitCode;
use topoi_core::metric::MetricDef;
use topoi_core::metric::definition::Tag;
use topoi_core::shell_word::shell_word;
use topoi_run::choose_k::bounds::newest_bounds;
use topoi_run::choose_k::recommendation::{Recommendation, recommendation};
use topoi_run::choose_k::sweep::{KList, Sweep, SweptMetric, request_sweep, sweep};
use topoi_run::life::queue::tend;
use topoi_run::life::spawn::reap;
use topoi_run::request::fields;
use topoi_store::id::RunId;
use topoi_store::result::warning::Warning;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Access, Store};

/// Run a topic model for several numbers of topics, and print the table to choose from
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(help = fields::CORPUS.help)]
    corpus: String,
    #[arg(short, long = "k", value_name = "LIST", help = fields::K_LIST.help)]
    k: KList,
    /// Runs with different seeds for every K, from --seed on
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    #[command(flatten)]
    scoring: ScoringArgs,
    #[command(flatten)]
    options: RunOptions,
    /// Ask for the runs and return at once; `topoi runs` lists them
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    printing: Printing,
}

/// The finished runs of a sweep, with a recommended K.
#[derive(Serialize)]
struct Report<'a> {
    runs: &'a [SweptRun],
    recommendation: Option<&'a Recommendation>,
}

#[derive(Serialize)]
struct SweptRun {
    run: RunId,
    k: u64,
    seed: u64,
    seconds: Option<f64>,
    metrics: BTreeMap<String, f64>,
    /// Standard errors of the metrics that are estimates.
    standard_errors: BTreeMap<String, f64>,
    warnings: Vec<Warning>,
}

/// Requests the runs of a sweep, follows them unless it is detached, and prints the table to choose from. Ctrl-C
/// cancels those that are not over.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let store = store.open(Access::Write)?;
    let plan = args.options.request(Some(&store), &args.corpus, args.k.largest())?;
    let plan = args.scoring.applied_to(plan)?;
    let numbers = request_sweep(&store, &plan, &args.k, args.seeds)?;
    if args.detach {
        reap(tend(&store)?);
        return detached(&store, &numbers, args.printing.format());
    }
    let Some(runs) = attend_all(&store, &numbers)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    report(&store, &runs, args.printing.format())?;
    match runs.iter().filter(|run| run.status != RunStatus::Finished).count() {
        0 => Ok(ExitCode::SUCCESS),
        missing => anyhow::bail!(
            "{missing} of {} runs are not finished; `topoi runs` shows their states, the same \
             command continues",
            runs.len()
        ),
    }
}

fn detached(store: &Store, numbers: &[RunId], format: OutputFormat) -> anyhow::Result<ExitCode> {
    let rows = numbers.iter().map(|&number| store.run(number)).collect::<Result<Vec<Run>, _>>()?;
    print_list(&columns!(Run: "run" = id, k, seed, status), &rows, format)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the finished ones of `runs`, with a recommended K.
fn report(store: &Store, runs: &[Run], format: OutputFormat) -> anyhow::Result<()> {
    let Some(first) = runs.iter().find(|run| run.status == RunStatus::Finished) else {
        return Ok(());
    };
    let Some(found) = sweep(store, runs, first)? else { return Ok(()) };
    let bounds = newest_bounds(store, first.corpus_id)?;
    let advice = recommendation(&found, bounds.as_ref());
    let rows = rows(&found, store.warnings_of_runs()?);
    match format {
        OutputFormat::Json | OutputFormat::JsonLines => {
            print_json(&Report { runs: &rows, recommendation: advice.as_ref() }, format)?;
        }
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let measured = all_metrics(&rows);
            let mut columns = columns_of(measured.iter().copied());
            columns.extend(measured.into_iter().filter_map(|name| error_of(name, &rows)));
            columns.push(warnings());
            print_list(&columns, &rows, format)?;
        }
        OutputFormat::Table => {
            let measured = all_metrics(&rows);
            let shown = MetricDef::tagged(Tag::Sweep).map(|metric| metric.id);
            let shown = shown.filter(|name| measured.contains(name));
            print_list(&columns_of(shown), &rows, format)?;
            let typed: Vec<String> = std::env::args().collect();
            print(&TerminalText::text(&in_words(advice.as_ref(), first.corpus.as_str(), &typed)))?;
        }
    }
    for SweptRun { run, k, warnings, .. } in &rows {
        say_warnings(&format!("run {run}, K = {k}: "), warnings);
    }
    Ok(())
}

fn rows(sweep: &Sweep, mut warnings: HashMap<RunId, Vec<Warning>>) -> Vec<SweptRun> {
    let mut row = |(at, run): (usize, &Run)| {
        let measured = |metric: &SweptMetric| Some((metric.name.clone(), metric.values[at]?));
        let error = |metric: &SweptMetric| Some((metric.name.clone(), metric.standard_errors[at]?));
        SweptRun {
            run: run.id,
            k: run.k,
            seed: run.seed,
            seconds: run.seconds,
            metrics: sweep.metrics.iter().filter_map(measured).collect(),
            standard_errors: sweep.metrics.iter().filter_map(error).collect(),
            warnings: warnings.remove(&run.id).unwrap_or_default(),
        }
    };
    sweep.runs.iter().enumerate().map(&mut row).collect()
}

/// The metrics that any run has.
fn all_metrics(rows: &[SweptRun]) -> BTreeSet<&str> {
    let names = rows.iter().flat_map(|row| row.metrics.keys().map(String::as_str));
    names.filter(|name| *name != "seconds").collect()
}

/// The names of a run's warnings.
fn warnings() -> Column<SweptRun> {
    let names = |row: &SweptRun| {
        row.warnings.iter().map(|warning| warning.name.clone()).collect::<Vec<_>>()
    };
    Column::new("warnings", Kind::Text, move |row: &SweptRun| json!(names(row).join(" ")))
}

fn columns_of<'a>(metrics: impl IntoIterator<Item = &'a str>) -> Vec<Column<SweptRun>> {
    let mut columns = columns!(SweptRun: run, k, seed, seconds);
    columns.extend(metrics.into_iter().map(|name| {
        let [own, estimated] = [name.to_string(), name.to_string()];
        let value = move |row: &SweptRun| json!(row.metrics.get(&own));
        Column::new(name.to_string(), Kind::Measure, value)
            .with_error(move |row| row.standard_errors.get(&estimated).copied())
    }));
    columns
}

/// The standard errors of a metric, if any run has an estimate of it.
fn error_of(name: &str, rows: &[SweptRun]) -> Option<Column<SweptRun>> {
    let is_estimated = rows.iter().any(|row| row.standard_errors.contains_key(name));
    let metric = name.to_string();
    let error = move |row: &SweptRun| json!(row.standard_errors.get(&metric));
    is_estimated.then(|| Column::new(format!("{name}_error"), Kind::Measure, error))
}

/// The recommendation and the next steps.
fn in_words(advice: Option<&Recommendation>, corpus: &str, typed: &[String]) -> String {
    let Some(advice) = advice else {
        return "\nA recommendation needs three or more values of K.\n".into();
    };
    let mut text =
        format!("\nBegin with K = {} (run {}); a heuristic, because:\n", advice.k, advice.run);
    for reason in &advice.reasons {
        text += &format!("  - {reason}\n");
    }
    if advice.held_out.is_some() {
        let command = run_of_all(typed, advice.k);
        text += &format!("For shares of all documents, run it without --held-out: `{command}`\n");
    }
    text + &format!(
        "Then read the topics: `topoi topics {}`; which of them to trust: `topoi stability {}`; \
         bounds on K: `topoi bounds {}`\n",
        advice.run,
        advice.run,
        shell_word(corpus)
    )
}

/// Options of `sweep` that a run of one K does not have, or that hold out documents; with or without a value.
const NOT_OF_A_RUN: &[(&str, bool)] = &[
    ("-k", true),
    ("--k", true),
    ("--seeds", true),
    ("--held-out", true),
    ("--detach", false),
    ("-o", true),
    ("--output", true),
    ("--raw", false),
];

/// The typed command for one K and all documents.
fn run_of_all(typed: &[String], k: u64) -> String {
    let mut words = vec!["topoi".to_string()];
    let mut rest = typed.iter().skip(1);
    while let Some(word) = rest.next() {
        if word == "sweep" && !words.contains(&"run".to_string()) {
            words.push("run".into());
            continue;
        }
        let is_it = |(name, _): &&(&str, bool)| {
            let after = word.strip_prefix(name);
            after.is_some_and(|after| {
                after.is_empty() || after.starts_with('=') || !name.starts_with("--")
            })
        };
        match NOT_OF_A_RUN.iter().find(is_it) {
            Some((name, true)) if word == name => {
                rest.next();
            }
            Some(_) => {}
            None => words.push(shell_word(word)),
        }
    }
    words.extend(["-k".into(), k.to_string()]);
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_of_all_documents_has_every_option_but_those_of_the_sweep() {
        let run = |typed: &str| {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            run_of_all(&words, 20)
        };
        assert_eq!(
            run("t --store s.db sweep news -k 10,20 --held-out 0.1 --terms 500 --seeds=3 -o json"),
            "topoi --store s.db run news --terms 500 -k 20"
        );
        assert_eq!(run("t sweep sweep -k10,20 --seed 4"), "topoi run sweep --seed 4 -k 20");
    }
}
