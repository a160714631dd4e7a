//! `resume`.

use std::process::ExitCode;

use crate::cli::attend::attend;
use crate::cli::in_parts::run_in_parts;
use crate::cli::typed::arguments::RunAgain;
use crate::cli::typed::store_path::StorePath;
use topoi_mpi::work::RunChoice;
use topoi_run::life::resume;
use topoi_store::Access;

/// Resume a run that was interrupted, cancelled or failed, after its last finished stage
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    again: RunAgain,
}

/// Follows the run unless it is detached. Ctrl-C cancels it.
pub fn run(Arguments { again }: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    if let Some(wanted) = again.place.in_parts(|| Ok(RunChoice::Resumed(again.run)))? {
        return run_in_parts(store.path()?, &wanted, again.printing.format(), &|_, _| Ok(()));
    }
    let mut store = store.open(Access::Write)?;
    let row = store.run(again.run)?;
    resume(&mut store, &row)?;
    attend(&store, again.run, again.detach, again.printing.format())
}
