//! `compact`.

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_core::numbers::thousands;
use topoi_run::life::delete::compact;
use topoi_store::Access;
use topoi_store::compact::Compaction;

/// Give the space of what was deleted back, while others may read the store
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let done = compact(&path.open(Access::Write)?)?;
    let [before, after] = [done.bytes_before, done.bytes_after].map(thousands);
    let text = format!("{}: {before} bytes before, {after} now\n", path.path()?.display());
    let columns = columns!(Compaction: bytes_before, bytes_after);
    Ok(print_outcome(&done, &columns, &TerminalText::text(&text), args.printing.format())?)
}
