//! `name`.

use serde::Serialize;

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_store::Access;
use topoi_store::id::RunId;

/// Give a run a name
///
/// `topoi note --run RUN TEXT` notes what it is for.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Its name; '' takes the name away
    name: String,
    #[command(flatten)]
    printing: Printing,
}

/// A run's name.
#[derive(Serialize)]
struct Named {
    run: RunId,
    name: Option<String>,
}

/// Maximum length of a name in bytes.
const LONGEST: usize = 200;

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let bytes = args.name.len();
    anyhow::ensure!(bytes <= LONGEST, "{bytes} bytes are too many; {LONGEST} are kept");
    let store = path.open(Access::Write)?;
    let name = Some(args.name.trim()).filter(|name| !name.is_empty());
    store.name_run(args.run, name)?;
    let row = store.run(args.run)?;
    let text = match &row.name {
        Some(name) => format!("run {}: {name}\n", row.id),
        None => format!("run {} has no name\n", row.id),
    };
    let named = Named { run: row.id, name: row.name };
    let columns = columns!(Named: run, name);
    Ok(print_outcome(&named, &columns, &TerminalText::text(&text), args.printing.format())?)
}
