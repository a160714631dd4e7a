//! `watch`.

use crate::shown::shown;
use std::process::ExitCode;

use crate::cli::attend::{INTERRUPTED, ended};
use crate::cli::follow::{follow, interrupt_flag, say_when_terminated};
use crate::cli::messages::say;
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::store_path::StorePath;
use topoi_run::life::queue::tend;
use topoi_run::life::spawn::reap;
use topoi_store::Access;

/// Follow a run until it is over; Ctrl-C leaves it working
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    watched: RunNumber,
}

pub fn run(Arguments { watched }: &Arguments, path: &StorePath) -> anyhow::Result<ExitCode> {
    let mut store = path.open(Access::Read)?;
    let stop = interrupt_flag()?;
    if !store.run(watched.run)?.status.is_over() {
        store = path.open(Access::Write)?;
        reap(tend(&store)?);
    }
    say_when_terminated(&[watched.run])?;
    let row = follow(&store, watched.run, &stop)?;
    if !row.status.is_over() {
        say(&shown!("run {0} continues; stop it with `topoi cancel {0}`", watched.run));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    ended(&store, &row, watched.printing.format())
}
