//! `queue`.

use std::path::Path;

use serde_json::{Value, json};

use super::life_arguments::QueueArgs;
use super::output::{OutputFormat, Table, print, print_json};
use super::store_path::opened;
use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::run::life::state_word;
use topoi::store::{Access, Store};

/// Sets how many runs work at the same time where that is asked for; prints the runs that work
/// and those that wait, in the order of their turns.
///
/// # Errors
/// When the store cannot be read or written, or standard output cannot be written.
pub fn queue(path: &Path, args: &QueueArgs) -> anyhow::Result<()> {
    let mut store =
        opened(path, if args.at_once.is_some() { Access::Write } else { Access::Read })?;
    if let Some(count) = args.at_once {
        store.set_at_once(count)?;
    }
    if !store.running_runs()?.is_empty() || !store.queued_runs()?.is_empty() {
        store = opened(path, Access::Write)?;
        reap(tend(&store)?);
    }
    let at_once = store.at_once()?;
    let table = active_runs(&store)?;
    match args.printing.output {
        OutputFormat::Json => {
            Ok(print_json(&json!({ "at_once": at_once, "runs": table.as_json() }))?)
        }
        OutputFormat::Csv => Ok(table.print(OutputFormat::Csv)?),
        OutputFormat::Table if table.rows.is_empty() => {
            Ok(print(&format!("no run works or waits; {at_once} at once\n"))?)
        }
        OutputFormat::Table => {
            table.print(OutputFormat::Table)?;
            Ok(print(&format!("{at_once} at once\n"))?)
        }
    }
}

fn active_runs(store: &Store) -> anyhow::Result<Table> {
    let mut table = Table::new(&["run", "corpus", "model", "k", "status"]);
    for id in store.running_runs()?.into_iter().chain(store.queued_runs()?) {
        let run = store.run(id)?;
        table.rows.push(vec![
            json!(run.id),
            json!(run.corpus),
            json!(run.model),
            json!(run.k),
            Value::String(state_word(store, &run)?.into()),
        ]);
    }
    Ok(table)
}
