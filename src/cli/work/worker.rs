//! `worker`, which the program starts itself.

use crate::cli::typed::store_path::StorePath;
use topoi_run::life::worker;

/// Work on the run whose turn it is (started by `run`, by the workbench and by other workers)
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct Arguments {}

pub fn run(_: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    Ok(worker::work(store.path()?)?)
}
