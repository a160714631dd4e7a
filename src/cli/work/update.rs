//! `update`.

use crate::shown::{Shown, shown};
use std::process::ExitCode;
use topoi_store::id::RunId;

use serde::Serialize;

use crate::cli::arguments::RunAgain;
use crate::cli::attend::attend;
use crate::cli::in_parts::run_in_parts;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_outcome};
use crate::cli::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::metric::model_figures::{DOCUMENTS_PROJECTED, FACTORISATION_PASSES};
use topoi_core::metric::run_process::DOCUMENTS_USED;
use topoi_mpi::work::{PartsRun, RunChoice};
use topoi_run::request::update::{UpdateError, updating};
use topoi_store::{Access, Store};

/// Run the model of a run again after new documents, from where that run ended: lr-jsmf from its
/// eigenvectors, rp from the sums it kept (--keep-sums)
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    again: RunAgain,
}

/// Follows the new run unless it is detached, and reports the work saved by the old one. Ctrl-C cancels it.
pub fn run(Arguments { again }: &Arguments, path: &StorePath) -> anyhow::Result<ExitCode> {
    let store = path.open(Access::Write)?;
    let request = match updating(&store, &store.run(again.run)?) {
        Err(UpdateError::NothingNew { run, corpus }) => {
            let format = again.printing.format();
            return print_up_to_date(UpToDate::new(run, corpus), format);
        }
        found => found?,
    };
    if let Some(pattern) = again.place.parts.clone() {
        let wanted = PartsRun { run: RunChoice::New(Box::new(request)), pattern };
        return run_in_parts(path.path()?, &wanted, again.printing.format());
    }
    let number = request.submit(&store)?;
    let ended = attend(&store, number, again.detach, again.printing.format())?;
    say_what_was_spared(&store, again.run, number)?;
    Ok(ended)
}

/// The outcome without a new run, as the corpus has not changed.
#[derive(Serialize)]
struct UpToDate {
    /// The number of the new run: none.
    run: Option<RunId>,
    status: &'static str,
    seconds: Option<f64>,
    from: RunId,
    corpus: String,
}

impl UpToDate {
    fn new(from: RunId, corpus: String) -> Self {
        Self { run: None, status: "up_to_date", seconds: None, from, corpus }
    }
}

fn print_up_to_date(found: UpToDate, format: OutputFormat) -> anyhow::Result<ExitCode> {
    let UpToDate { from, corpus, .. } = &found;
    let text =
        format!("corpus {corpus:?} has not changed since run {from}; there is nothing to update\n");
    let columns = columns!(UpToDate: run, status, seconds);
    print_outcome(&found, &columns, &Shown::text(&text), format)?;
    Ok(ExitCode::SUCCESS)
}

fn say_what_was_spared(store: &Store, old: RunId, new: RunId) -> anyhow::Result<()> {
    let passes = |run| store.run_metric(run, FACTORISATION_PASSES.id);
    if let (Some(before), Some(now)) = (passes(old)?, passes(new)?) {
        say(&shown!("run {new} made {now} passes to factorise, run {old} made {before}"));
    }
    let of_new = |name| store.run_metric(new, name);
    if let (Some(all), Some(read)) = (of_new(DOCUMENTS_USED.id)?, of_new(DOCUMENTS_PROJECTED.id)?) {
        let spared = all - read;
        say(&shown!(
            "run {new} projected {read} new documents and has the sums of {spared} from run {old}"
        ));
    }
    Ok(())
}
