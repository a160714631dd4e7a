//! `cancel`.

use crate::shown::TerminalText;
use serde::Serialize;
use topoi_store::id::RunId;

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_run::life::{cancel, state_word};
use topoi_store::Access;

/// Stop a run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    stopped: RunNumber,
}

/// A run that was asked to stop, with its status afterwards.
#[derive(Serialize)]
struct Cancelled {
    run: RunId,
    status: &'static str,
}

pub fn run(Arguments { stopped }: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Write)?;
    let row = store.run(stopped.run)?;
    if row.status.is_over() {
        anyhow::bail!(
            "run {} is {} already; there is nothing to stop",
            row.id,
            row.status.as_str()
        );
    }
    cancel(&store, &row)?;
    let row = store.run(row.id)?;
    let cancelled = Cancelled { run: row.id, status: state_word(&store, &row)? };
    let text = format!("run {} is asked to stop\n", row.id);
    let columns = columns!(Cancelled: run, status);
    Ok(print_outcome(&cancelled, &columns, &TerminalText::text(&text), stopped.printing.format())?)
}
