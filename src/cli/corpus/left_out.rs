//! `left-out`.

use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_list};
use crate::cli::typed::arguments::{Printing, RowLimit};
use crate::cli::typed::store_path::StorePath;
use crate::records::left_out::columns;
use crate::shown::shown;
use topoi_store::Access;

/// List the documents of sources that are not in a corpus, and why
///
/// Every document that an ingest did not add has a line: empty, a duplicate, not readable, not of its format. With --all
/// also those that were there already or replaced an earlier version, and remarks on how some were read.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// Also what was there already or replaced an earlier version, and remarks
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    limit: RowLimit,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let found = store.left_out_of_corpus(Some(corpus.id), args.all)?;
    let format = args.printing.format();
    if found.is_empty() && format == OutputFormat::Table {
        say(&shown!("nothing was left out of {}", corpus.name));
        return Ok(());
    }
    let rows = &found[..args.limit.rows(format).min(found.len())];
    print_list(&columns(), rows, format)?;
    args.limit.say_what_is_left_out(format, found.len());
    Ok(())
}
