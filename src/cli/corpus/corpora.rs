//! `corpora`.

use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::corpora;
use topoi_store::Access;

/// List the corpora
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    printing: Printing,
}

pub fn run(arguments: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let rows = corpora::corpora(&store, &store.runs()?)?;
    let mut columns = corpora::columns();
    if rows.iter().any(|row| row.corpus.parts_elsewhere.is_some()) {
        columns.push(corpora::parts_elsewhere());
    }
    Ok(print_list(&columns, &rows, arguments.printing.format())?)
}
