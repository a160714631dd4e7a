//! `run`, `resume`, `watch`, `log`, `cancel`.

use std::path::Path;
use std::process::ExitCode;

use super::arguments::RunNumber;
use super::attend::{INTERRUPTED, attend, ended};
use super::follow::{follow, interrupt_flag};
use super::life_arguments::ResumeArgs;
use super::output::{OutputFormat, print, say};
use super::parts_command::run_in_parts;
use super::run_arguments::RunArgs;
use super::store_path::opened;
use topoi::metric::of_models::{DOCUMENTS_PROJECTED, FACTORISATION_PASSES};
use topoi::metric::of_the_work::DOCUMENTS_USED;
use topoi::parts::work::{Wanted, Which};
use topoi::run::life::queue::tend;
use topoi::run::life::spawn::reap;
use topoi::run::life::{cancel, resume};
use topoi::run::request::update::updating;
use topoi::store::{Access, Store};

/// Saves and starts a run; follows it unless it is detached. Ctrl-C cancels the run.
///
/// # Errors
/// When the request is wrong, the worker cannot be started, or the run fails.
pub fn run(path: &Path, args: &RunArgs) -> anyhow::Result<ExitCode> {
    let request = args.scoring.applied_to(args.options.request(&args.corpus, args.k)?);
    if let Some(pattern) = args.place.parts.clone() {
        let wanted = Wanted { run: Which::New(Box::new(request)), pattern };
        return run_in_parts(path, &wanted, args.printing.output);
    }
    let store = opened(path, Access::Write)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.output)
}

/// Takes up a run that was interrupted, cancelled or failed, after its last finished stage;
/// follows it unless it is detached. Ctrl-C cancels the run.
///
/// # Errors
/// When the run cannot be resumed, the worker cannot be started, or the run fails.
pub fn resume_run(path: &Path, args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    if let Some(pattern) = args.place.parts.clone() {
        let wanted = Wanted { run: Which::Resumed(args.run), pattern };
        return run_in_parts(path, &wanted, args.printing.output);
    }
    let mut store = opened(path, Access::Write)?;
    let row = store.run(args.run)?;
    resume(&mut store, &row)?;
    attend(&store, args.run, args.detach, args.printing.output)
}

/// Starts the model of a run on its corpus as it is now, from where the run ended; follows it unless
/// it is detached, and says what that spared. Ctrl-C cancels the run.
///
/// # Errors
/// When the run has nothing to start from or nothing is new, the worker cannot be started, or the
/// run fails.
pub fn update_run(path: &Path, args: &ResumeArgs) -> anyhow::Result<ExitCode> {
    let store = opened(path, Access::Write)?;
    let request = updating(&store, &store.run(args.run)?)?;
    if let Some(pattern) = args.place.parts.clone() {
        let wanted = Wanted { run: Which::New(Box::new(request)), pattern };
        return run_in_parts(path, &wanted, args.printing.output);
    }
    let number = request.submit(&store)?;
    let ended = attend(&store, number, args.detach, args.printing.output)?;
    say_what_was_spared(&store, args.run, number)?;
    Ok(ended)
}

fn say_what_was_spared(store: &Store, old: i64, new: i64) -> anyhow::Result<()> {
    let passes = |run| store.run_metric(run, FACTORISATION_PASSES.id);
    if let (Some(before), Some(now)) = (passes(old)?, passes(new)?) {
        say(&format!("run {new} made {now} passes to factorise, run {old} made {before}"));
    }
    let of_new = |name| store.run_metric(new, name);
    if let (Some(all), Some(read)) = (of_new(DOCUMENTS_USED.id)?, of_new(DOCUMENTS_PROJECTED.id)?) {
        let spared = all - read;
        say(&format!(
            "run {new} projected {read} new documents and has the sums of {spared} from run {old}"
        ));
    }
    Ok(())
}

/// Follows a run; Ctrl-C stops following and leaves the run alone.
///
/// # Errors
/// When there is no such run, or it failed.
pub fn watch(path: &Path, args: RunNumber) -> anyhow::Result<ExitCode> {
    let mut store = Store::open(path, Access::Read)?;
    let stop = interrupt_flag()?;
    if !store.run(args.run)?.status.is_over() {
        store = opened(path, Access::Write)?;
        reap(tend(&store)?);
    }
    let row = follow(&store, args.run, &stop)?;
    if !row.status.is_over() {
        say(&format!("run {} goes on; stop it with `topoi cancel {}`", args.run, args.run));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    ended(&store, &row, OutputFormat::Table)
}

/// Prints a run's log.
///
/// # Errors
/// When there is no such run or its log cannot be read.
pub fn log(path: &Path, args: RunNumber) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    store.run(args.run)?;
    let path = store.log_path(args.run);
    let text = std::fs::read_to_string(&path)
        .map_err(|e| anyhow::anyhow!("{}: {e}; the run has no log on this host", path.display()))?;
    Ok(print(&text)?)
}

/// Stops a run.
///
/// # Errors
/// When there is no such run, or it is over.
pub fn cancel_run(path: &Path, args: RunNumber) -> anyhow::Result<()> {
    let store = opened(path, Access::Write)?;
    let row = store.run(args.run)?;
    if row.status.is_over() {
        anyhow::bail!(
            "run {} is {} already; there is nothing to stop",
            row.id,
            row.status.as_str()
        );
    }
    cancel(&store, &row)?;
    Ok(print(&format!("run {} is told to stop\n", args.run))?)
}
