//! `run`.

use std::process::ExitCode;

use crate::cli::attend::attend;
use crate::cli::in_parts::run_in_parts;
use crate::cli::run_arguments::RunArgs;
use crate::cli::store_path::StorePath;
use topoi::parts::work::{Wanted, Which};
use topoi::store::Access;

/// Run a topic model on a corpus and save the run
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    asked: RunArgs,
}

/// Saves and starts a run; follows it unless it is detached. Ctrl-C cancels the run.
pub fn run(Arguments { asked }: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let request = asked.scoring.applied_to(asked.options.request(&asked.corpus, asked.k)?);
    if let Some(pattern) = asked.place.parts.clone() {
        let wanted = Wanted { run: Which::New(Box::new(request)), pattern };
        return run_in_parts(&store.path, &wanted, asked.printing.output);
    }
    let store = store.open(Access::Write)?;
    let number = request.submit(&store)?;
    attend(&store, number, asked.detach, asked.printing.output)
}
