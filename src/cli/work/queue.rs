//! `queue`.

use crate::shown::shown;
use serde::Serialize;
use topoi_store::id::RunId;

use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_run::life::queue::tend;
use topoi_run::life::spawn::reap;
use topoi_run::life::state_word;
use topoi_store::{Access, Store};

/// List running and queued runs, and set how many may run at the same time
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// How many runs may run at the same time from now on. Each takes as many threads as its own
    /// --threads says, one per core unless told otherwise: for N runs at once, give each a share
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    at_once: Option<u64>,
    #[command(flatten)]
    printing: Printing,
}

/// Running runs, then queued ones in the order of their turns.
#[derive(Serialize)]
struct Queue {
    at_once: u64,
    runs: Vec<QueuedRun>,
}

#[derive(Serialize)]
struct QueuedRun {
    run: RunId,
    corpus: String,
    model: String,
    k: u64,
    status: &'static str,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let mut store = path.open(if args.at_once.is_some() { Access::Write } else { Access::Read })?;
    if let Some(count) = args.at_once {
        store.set_at_once(count)?;
    }
    if !store.running_runs()?.is_empty() || !store.queued_runs()?.is_empty() {
        store = path.open(Access::Write)?;
        reap(tend(&store)?);
    }
    let queue = Queue { at_once: store.at_once()?, runs: active_runs(&store)? };
    let columns = columns!(QueuedRun: run, corpus, model, k, status);
    let at_once = queue.at_once;
    match args.printing.format() {
        OutputFormat::Json | OutputFormat::JsonLines => {
            Ok(print_json(&queue, args.printing.format())?)
        }
        OutputFormat::Csv | OutputFormat::RawCsv => {
            Ok(print_list(&columns, &queue.runs, args.printing.format())?)
        }
        OutputFormat::Table if queue.runs.is_empty() => {
            Ok(print(&shown!("no run is running or queued; at most {at_once} at the same time\n"))?)
        }
        OutputFormat::Table => {
            print_list(&columns, &queue.runs, OutputFormat::Table)?;
            Ok(print(&shown!("at most {at_once} at the same time\n"))?)
        }
    }
}

fn active_runs(store: &Store) -> anyhow::Result<Vec<QueuedRun>> {
    let active = store.running_runs()?.into_iter().chain(store.queued_runs()?);
    let row = |id| {
        let run = store.run(id)?;
        let status = state_word(store, &run)?;
        Ok(QueuedRun { run: id, corpus: run.corpus, model: run.model, k: run.k, status })
    };
    active.map(row).collect()
}
