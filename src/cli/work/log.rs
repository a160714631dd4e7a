//! `log`.

use crate::cli::messages::say;
use crate::shown::{TerminalText, shown};
use serde::Serialize;
use topoi_store::id::RunId;

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_store::Access;

/// Print a run's log
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    logged: RunNumber,
}

/// The log of a run.
#[derive(Serialize)]
struct Log {
    run: RunId,
    file: String,
    text: String,
}

pub fn run(Arguments { logged }: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let run = store.run(logged.run)?.id;
    let file = store.log_path(run);
    let Some(text) = store.log_of(run)? else {
        anyhow::bail!("{}: the run has no log on this host", file.display());
    };
    if text.is_empty() {
        say(&shown!("the log of run {run} is empty: it has what a worker writes before it fails"));
    }
    let log = Log { run, file: file.to_string_lossy().into(), text };
    Ok(print_outcome(
        &log,
        &columns!(Log: run, file, text),
        &TerminalText::text(&log.text),
        logged.printing.format(),
    )?)
}
