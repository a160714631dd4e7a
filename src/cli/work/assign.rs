//! `assign`.

use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::{TerminalText, shown};
use topoi_core::numbers::{counted, four_digits, thousands};
use topoi_run::work::assign::{Assigned, assign};
use topoi_store::Access;
use topoi_store::id::RunId;

/// Share of unknown tokens above which the topics hardly say what the documents are about.
const MANY_UNKNOWN: f64 = 0.3;

/// Find the topics of documents that a run has not seen, and save them with the run. Its topics stay as they are
/// (`update` revises them)
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    #[command(flatten)]
    printing: Printing,
}

/// Assigns all documents that the run has not seen. Ctrl-C stops it; then nothing is saved.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let mut store = path.open(Access::Write)?;
    let row = store.run(args.run)?;
    let bar = Bar::new(&shown!("run {}", args.run))?;
    let done = assign(&mut store, &row, &bar);
    bar.finish();
    let done = match done {
        Err(error) if error.is_cancel() => {
            anyhow::bail!("interrupted; nothing was assigned to run {}", args.run)
        }
        other => other?,
    };
    let columns =
        columns!(Assigned: run, documents, left_out, tokens, unknown_tokens, log_probability);
    print_outcome(&done, &columns, &TerminalText::text(&in_words(&done)), args.printing.format())?;
    let unknown = done.unknown_tokens as f64 / done.tokens.max(1) as f64;
    if unknown > MANY_UNKNOWN {
        say(&shown!(
            "warning: {:.0}% of the tokens are words that run {} does not have; `topoi update {}` gives it \
             those that are frequent",
            100.0 * unknown,
            args.run,
            args.run
        ));
    }
    Ok(())
}

fn in_words(done: &Assigned) -> String {
    let Assigned { run, documents, left_out, .. } = done;
    if documents + left_out == 0 {
        return format!("run {run} has seen all documents of its corpus\n");
    }
    let mut text = format!(
        "{} assigned to the topics of run {run}, {} left out as too short; {} of {} are not in its vocabulary",
        counted(*documents, "document"),
        thousands(*left_out),
        thousands(done.unknown_tokens),
        counted(done.tokens, "token"),
    );
    if let (Some(own), Some(of_run)) = (done.log_probability, done.log_probability_of_run) {
        text += &format!(
            "; {} nats a token, the documents of the run {}",
            four_digits(own),
            four_digits(of_run)
        );
    }
    text + "\n"
}
