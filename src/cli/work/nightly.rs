//! `nightly`: what a corpus got, what it lost, and the update of its topics, in one command.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use crate::cli::attend::{
    INTERRUPTED, RunReport, attend_one, require_finished, summary as run_summary,
};
use crate::cli::corpus::ingest::ingest_with_bar;
use crate::cli::corpus::ingest_summary::summary_text;
use crate::cli::output::print_outcome;
use crate::cli::store::delete_documents::documents_of_file;
use crate::cli::typed::arguments::{ExactlyArgs, OnErrorArg, Printing, SourceArgs};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_core::numbers::counted;
use topoi_core::shell_word::shell_word;
use topoi_ingest::{IngestRequest, IngestSummary};
use topoi_run::life;
use topoi_run::life::retention::Retention;
use topoi_run::request::update::{UpdateError, revising};
use topoi_run::saved::topics::newest_run;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Access, Store};

/// Add documents to a corpus, take documents out, and update its topics: a line of cron
///
/// Continues the newest run of the corpus, as topoi update does. Nothing to update is no error.
#[derive(Debug, clap::Args)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("keys")))]
pub struct Arguments {
    /// The corpus
    corpus: String,
    #[command(flatten)]
    source: SourceArgs,
    /// What to do with a document that cannot be read
    #[arg(long, value_enum, default_value_t)]
    on_error: OnErrorArg,
    #[command(flatten)]
    exactly: ExactlyArgs,
    /// Delete the documents whose keys this file has, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "exactly")]
    keys: Option<PathBuf>,
    /// Continue this run, or the newest one that continued it [default: the newest run of the corpus]
    #[arg(long, value_name = "RUN", value_parser = run_reference())]
    run: Option<RunId>,
    /// Delete all but the newest N of the runs that continued one another; or 7,4w,12m: but the seven newest and the
    /// newest of each of the last four weeks and twelve months. The newest, and those with a name or a kept result, stay
    #[arg(long, value_name = "KEEP")]
    keep: Option<Retention>,
    #[command(flatten)]
    printing: Printing,
}

/// What a night brought.
#[derive(Serialize)]
struct NightReport {
    status: Night,
    /// The new run; none if there was nothing to update.
    run: Option<RunId>,
    seconds: Option<f64>,
    /// None where only documents were deleted.
    ingest: Option<IngestSummary>,
    /// Documents deleted by their keys.
    deleted: u64,
    report: Option<RunReport>,
    /// Runs deleted since newer ones are there.
    runs_deleted: Vec<RunId>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Night {
    Updated,
    UpToDate,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<ExitCode> {
    let request = IngestRequest {
        absent: args.exactly.absent(),
        on_error: args.on_error.into(),
        ..args.source.request(&args.corpus)
    };
    let has_sources = !request.paths.is_empty();
    if has_sources {
        request.check()?;
    }
    let mut store = path.open(Access::Create)?;
    let ingest = has_sources.then(|| ingest_with_bar(&store, &request)).transpose()?;
    let deleted = delete_keys(&mut store, args)?;
    let corpus = store.corpus(&args.corpus)?;
    let newest = match args.run {
        Some(run) => store.run(store.newest_of_series(run)?)?,
        None => newest_run(&store, &corpus)?.with_context(|| {
            let name = &corpus.name;
            format!(
                "corpus {name} has no run to continue; `topoi run {}` makes one",
                shell_word(name)
            )
        })?,
    };
    let (status, number) = match revising(&store, &newest) {
        Ok(request) => (Night::Updated, Some(request.submit(&store)?)),
        Err(UpdateError::NothingNew { .. }) => (Night::UpToDate, None),
        Err(error) => return Err(error.into()),
    };
    let mut report = None;
    if let Some(number) = number {
        let Some(row) = attend_one(&store, number)? else {
            return Ok(ExitCode::from(INTERRUPTED));
        };
        require_finished(&row)?;
        report = Some(RunReport::from_run(&store, &row)?);
    }
    let runs_deleted = match (&args.keep, number) {
        (Some(keep), Some(number)) => keep_only(&mut store, number, keep)?,
        _ => Vec::new(),
    };
    let seconds = report.as_ref().and_then(|report| report.seconds);
    let night = NightReport { status, run: number, seconds, ingest, deleted, report, runs_deleted };
    print_night(&store, &night, args)?;
    Ok(ExitCode::SUCCESS)
}

/// Deletes the documents of the file of keys; returns how many.
fn delete_keys(store: &mut Store, args: &Arguments) -> anyhow::Result<u64> {
    let Some(file) = &args.keys else { return Ok(0) };
    let ids = documents_of_file(store, &args.corpus, file)?;
    let corpus = store.corpus(&args.corpus)?;
    Ok(life::delete::delete_documents(store, &corpus, &ids)?.documents)
}

/// Deletes the runs of the series of `run`, its newest one, but those to be kept and those that have a name or a kept result.
fn keep_only(store: &mut Store, run: RunId, keep: &Retention) -> anyhow::Result<Vec<RunId>> {
    let series = store.place_in_series(run)?.series;
    let mut of_series = Vec::new();
    for other in store.runs()?.into_iter().filter(|other| other.status == RunStatus::Finished) {
        let place = store.place_in_series(other.id)?;
        if place.series == series {
            of_series.push((place.revision, other));
        }
    }
    of_series.sort_by_key(|(revision, _)| std::cmp::Reverse(*revision));
    let kept = keep.kept(of_series.iter().map(|(_, run)| run));
    let is_kept = |other: &Run| {
        let is_used = other.name.is_some() || other.results > 0 || other.notes > 0;
        other.id == run || is_used || kept.contains(&other.id)
    };
    let of_series = of_series.into_iter().map(|(_, run)| run);
    let older: Vec<Run> = of_series.filter(|run| !is_kept(run)).collect();
    life::delete::delete_runs(store, &older)?;
    Ok(older.into_iter().map(|run| run.id).collect())
}

fn print_night(store: &Store, night: &NightReport, args: &Arguments) -> anyhow::Result<()> {
    let mut text = night.ingest.as_ref().map(summary_text).unwrap_or_default();
    if night.deleted > 0 {
        text += &format!("{} deleted\n", counted(night.deleted, "document"));
    }
    text += &match &night.report {
        Some(report) => run_summary(report),
        None => "there is nothing to update\n".into(),
    };
    if !night.runs_deleted.is_empty() {
        text += &format!("{} deleted\n", counted(night.runs_deleted.len() as u64, "older run"));
    }
    let columns = columns!(NightReport: run, status, seconds);
    print_outcome(night, &columns, &TerminalText::text(&text), args.printing.format())?;
    night.report.iter().try_for_each(|report| report.say_rest(store))
}
