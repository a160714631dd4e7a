//! `delete results`.

use serde::Serialize;

use super::consent::{Consent, would};
use crate::cli::output::{OutputFormat, print, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_core::numbers::counted;
use topoi_store::id::RunId;
use topoi_store::result::saved_result::SavedResult;

#[derive(Debug, clap::Args)]
pub struct ResultsArgs {
    /// Their names, as `topoi results` lists them
    #[arg(value_name = "NAME", required = true, num_args = 1..)]
    names: Vec<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    printing: Printing,
}

/// A result that is, or would be, deleted.
#[derive(Serialize)]
struct DeletedResult {
    result: String,
    run: RunId,
    title: String,
}

/// Deletes results after confirmation: all that are named, or none.
pub fn run(args: &ResultsArgs, path: &StorePath) -> anyhow::Result<()> {
    let mut store = path.open(args.consent.access())?;
    let found = args.names.iter().map(|name| store.result(name));
    let found = found.collect::<Result<Vec<SavedResult>, _>>()?;
    let count = counted(found.len() as u64, "result");
    let text = if args.consent.agree(&format!("{count}: {}", args.names.join(", ")))? {
        store.delete_results(&args.names)?;
        format!("{count} deleted\n")
    } else {
        would(&count)
    };
    let format = args.printing.format();
    if format == OutputFormat::Table {
        return Ok(print(&TerminalText::text(&text))?);
    }
    let deleted = |of: SavedResult| DeletedResult { result: of.name, run: of.run, title: of.title };
    let deleted: Vec<DeletedResult> = found.into_iter().map(deleted).collect();
    Ok(print_list(&columns!(DeletedResult: result, run, title), &deleted, format)?)
}
