//! `corpora`, `runs`.

use std::path::Path;

use super::arguments::Printing;
use super::output::print_list;
use super::store_path::opened;
use crate::records::runs::RunRow;
use crate::records::{corpora, runs};
use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::run::life::vitality;
use topoi::store::run::Run;
use topoi::store::{Access, Store};

/// Prints the corpora.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn list_corpora(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let rows = corpora::corpora(&store, &store.runs()?)?;
    let mut columns = corpora::columns();
    if rows.iter().any(|row| row.corpus.parts_elsewhere.is_some()) {
        columns.push(corpora::parts_elsewhere());
    }
    Ok(print_list(&columns, &rows, printing.output)?)
}

/// Prints the runs, newest first, after marking those whose worker died as interrupted
/// and starting those that may start.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn list_runs(path: &Path, printing: Printing) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let mut runs = store.runs()?;
    if !runs.iter().all(|run| run.status.is_over()) {
        let writer = opened(path, Access::Write)?;
        reap(tend(&writer)?);
        runs = writer.runs()?;
    }
    let row = |run: Run| -> anyhow::Result<RunRow> {
        Ok(RunRow {
            vitality: vitality(&store, &run)?,
            progress: None,
            seconds_left: None,
            silent_for: None,
            npmi: store.run_metric(run.id, "npmi")?,
            run,
        })
    };
    let rows = runs.into_iter().map(row).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(print_list(&runs::columns(), &rows, printing.output)?)
}
