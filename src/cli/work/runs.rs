//! `runs`.

use crate::cli::messages::warn;
use crate::cli::output::print_list;
use crate::cli::remedy::explained;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::runs::{RunRow, columns};
use crate::shown::TerminalText;
use topoi_core::metric::coherence::variants::NPMI;
use topoi_run::life::queue::tend;
use topoi_run::life::spawn::reap;
use topoi_run::life::vitality;
use topoi_store::Access;
use topoi_store::run::Run;

/// List the runs
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    printing: Printing,
}

/// Prints the runs, newest first, after marking runs of dead workers as interrupted and starting waiting runs.
pub fn run(arguments: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let mut runs = store.runs()?;
    if !runs.iter().all(|run| run.status.is_over()) {
        match attend_to(path) {
            Ok(attended) => runs = attended,
            // On a full disk, or for a store of another user, the list is still right.
            Err(error) => {
                warn(&TerminalText::line(&format!("warning: {}", explained(error.as_ref()))))
            }
        }
    }
    let npmi = store.metric_of_runs(NPMI.id)?;
    let added = store.added_since_runs()?;
    let mut warnings = store.warnings_of_runs()?;
    let mut row = |run: Run| -> anyhow::Result<RunRow> {
        Ok(RunRow {
            vitality: vitality(&store, &run)?,
            progress: None,
            seconds_left: None,
            silent_for: None,
            npmi: npmi.get(&run.id).copied(),
            added_since: added.get(&run.id).copied(),
            warnings: warnings.remove(&run.id).unwrap_or_default(),
            run,
        })
    };
    let rows = runs.into_iter().map(&mut row).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(print_list(&columns(), &rows, arguments.printing.format())?)
}

/// Marks runs of dead workers as interrupted, starts waiting runs, and lists all.
fn attend_to(path: &StorePath) -> anyhow::Result<Vec<Run>> {
    let writer = path.open(Access::Write)?;
    reap(tend(&writer)?);
    Ok(writer.runs()?)
}
