//! From a command to what does it.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;

use super::arguments::{Arguments, Command};
use super::output::say;
use super::store_path::StorePath;
use super::{
    bounds_command, check_command, compare_command, delete_command, demo_command,
    documents_command, export_command, held_out_command, import_command, infer_command,
    ingest_command, lists, metrics_command, parts_command, queue_command, run_command,
    shell_command, sql_command, stability_command, sweep_command, synth_command, terms_command,
    topics_command, truth_command, verify_command,
};
use topoi::run::life::worker;

/// Exit code for wrong usage.
const USAGE: u8 = 2;

/// Does what the arguments say.
///
/// # Errors
/// What the command meets; its message is one line.
pub fn dispatch(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let store = StorePath::find(arguments.store);
    let path = store.path.clone();
    match arguments.command {
        None => return workbench(&path),
        Some(Command::Ingest(args)) => ingest_command::run(&path, &args)?,
        Some(Command::Corpora(printing)) => lists::list_corpora(&path, printing)?,
        Some(Command::Documents(args)) => documents_command::list_documents(&path, &args)?,
        Some(Command::Terms(args)) => terms_command::list_terms(&path, &args)?,
        Some(Command::Vocabularies(args)) => terms_command::vocabularies(&path, &args)?,
        Some(Command::Bounds(args)) => bounds_command::run(&path, &args)?,
        Some(Command::Run(args)) => return run_command::run(&path, &args),
        Some(Command::Sweep(args)) => return sweep_command::run(&path, &args),
        Some(Command::Stability(args)) => return stability_command::run(&path, &args),
        Some(Command::HeldOut(args)) => return held_out_command::held_out(&path, &args),
        Some(Command::Infer(args)) => infer_command::infer(&path, &args)?,
        Some(Command::Runs(printing)) => lists::list_runs(&path, printing)?,
        Some(Command::Topics(args)) => topics_command::topics(&path, &args)?,
        Some(Command::Metrics(args)) => metrics_command::print_metrics(&path, &args)?,
        Some(Command::Compare(args)) => match &args.truth {
            Some(truth) => truth_command::compare(&path, truth, &args)?,
            None => compare_command::compare(&path, &args)?,
        },
        Some(Command::Watch(args)) => return run_command::watch(&path, args),
        Some(Command::Import(args)) => return import_command::run(&path, &args),
        Some(Command::Export(args)) => export_command::run(&path, &args)?,
        Some(Command::Log(args)) => run_command::log(&path, args)?,
        Some(Command::Cancel(args)) => run_command::cancel_run(&path, args)?,
        Some(Command::Resume(args)) => return run_command::resume_run(&path, &args),
        Some(Command::Update(args)) => return run_command::update_run(&path, &args),
        Some(Command::Verify(args)) => return verify_command::verify_run(&path, &args),
        Some(Command::Delete(args)) => delete_command::delete(&path, &args)?,
        Some(Command::Queue(args)) => queue_command::queue(&path, &args)?,
        Some(Command::Shard(args)) => parts_command::shard(&path, &args)?,
        Some(Command::Unify(args)) => parts_command::unify(&path, &args)?,
        Some(Command::Synth(args)) => return synth_command::synth(&path, &args),
        Some(Command::Sql(args)) => sql_command::sql(&path, &args)?,
        Some(Command::Check(args)) => check_command::check(&path, args)?,
        Some(Command::Completions(args)) => shell_command::completions(args)?,
        Some(Command::Man(args)) => shell_command::man(&args)?,
        Some(Command::Demo) => {
            return demo_command::demo(&demo_command::demo_store_path(&store));
        }
        Some(Command::Worker) => worker::work(&path)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the workbench, or prints help where there is no terminal to open it on.
fn workbench(path: &Path) -> anyhow::Result<ExitCode> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(ExitCode::from(u8::try_from(crate::tui::open(path)?).unwrap_or(1)));
    }
    say(&Arguments::command().render_help().to_string());
    Ok(ExitCode::from(USAGE))
}
