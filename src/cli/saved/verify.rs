//! `verify`.

use crate::shown::shown;
use std::process::ExitCode;
use topoi_store::id::RunId;

use crate::cli::attend::INTERRUPTED;
use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_run::life::state_word;
use topoi_run::saved::verify::{HashComparison, verify};
use topoi_store::Access;
use topoi_store::run::Run;

/// Recompute a run and say whether corpus, vocabulary and result are the same to the bit
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    #[command(flatten)]
    printing: Printing,
}

/// A part of a run, and whether it is unchanged.
struct Verdict {
    what: &'static str,
    verdict: &'static str,
    saved: Option<String>,
    recomputed: String,
}

/// Recomputes a run and prints whether its corpus, vocabulary and result are the same to the bit, one per line. The
/// exit code is 0 if they are, 1 otherwise. Saves nothing.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<ExitCode> {
    let store = store.open(Access::Read)?;
    let row = store.run(args.run)?;
    anyhow::ensure!(
        row.result_hash.is_some(),
        "run {} is {} and has no result to verify",
        row.id,
        state_word(&store, &row)?
    );
    let bar = Bar::new(&shown!("run {}", args.run))?;
    let found = verify(&store, &row, &bar);
    bar.finish();
    let found = match found {
        Err(error) if error.is_cancel() => return Ok(ExitCode::from(INTERRUPTED)),
        other => other?,
    };
    let rows: Vec<Verdict> = found.iter().map(Verdict::from_comparison).collect();
    let columns = columns!(Verdict: what, verdict, saved, recomputed);
    print_list(&columns, &rows, args.printing.format())?;
    let differ: Vec<_> = found.iter().filter(|part| !part.is_same()).map(|p| p.what).collect();
    if differ.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    say(&shown!("run {} is not the same: {}", row.id, why(&row, &differ)));
    Ok(ExitCode::FAILURE)
}

impl Verdict {
    fn from_comparison(part: &HashComparison) -> Self {
        Self {
            what: part.what,
            verdict: if part.is_same() { "same" } else { "different" },
            saved: part.saved.as_deref().map(hex),
            recomputed: hex(&part.recomputed),
        }
    }
}

fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first difference in the order corpus, vocabulary, result causes the others.
fn why(row: &Run, differ: &[&str]) -> String {
    let cause = match differ[0] {
        "corpus" => format!("corpus {} has changed since the run", row.corpus),
        "vocabulary" => "the same documents give another vocabulary".into(),
        _ => "the same documents and words give another result".into(),
    };
    let this = env!("CARGO_PKG_VERSION");
    match row.program_version.as_str() {
        made_by if made_by == this => format!("{cause} (both by topoi {this})"),
        other => format!("{cause}; it was made by another version, topoi {other}, this is {this}"),
    }
}
