//! `backup`.

use std::path::PathBuf;

use crate::cli::output::print_outcome;
use crate::cli::remedy::explained_finding;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::shown::TerminalText;
use topoi_core::numbers::thousands;
use topoi_run::ROW_VALIDATORS;
use topoi_store::backup::BackupFile;
use topoi_store::{Access, Store};

/// Copy the store to a file, while runs and ingests go on, and check the copy
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file for the copy
    to: PathBuf,
    /// Replace the store that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let copied = store.back_up(&args.to, args.force, sound)?;
    let mut columns = columns!(BackupFile: bytes);
    let path =
        Column::new("path", Kind::Text, |row: &BackupFile| row.path.to_string_lossy().into());
    columns.insert(0, path);
    let bytes = thousands(copied.bytes);
    let text = format!("{}: {bytes} bytes, checked and sound\n", copied.path.display());
    Ok(print_outcome(&copied, &columns, &TerminalText::text(&text), args.printing.format())?)
}

/// Refuses a damaged copy.
fn sound(copy: &Store) -> anyhow::Result<()> {
    match copy.check(&ROW_VALIDATORS)?.first() {
        None => Ok(()),
        Some(problem) => anyhow::bail!(
            "no copy was kept, as the store is damaged ({}); `topoi check` lists all, and \
             `topoi check --repair` keeps a copy and mends what it can",
            explained_finding(problem)
        ),
    }
}
