//! `shard`.

use crate::shown::shown;
use std::path::PathBuf;

use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use topoi_core::shell_word::{path_word, shell_word};
use topoi_store::Access;
use topoi_store::part::shard::Shard;

/// Split a corpus into stores for several machines
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// How many stores to split it into
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    parts: u64,
    /// The directory for part-0.db, part-1.db …; made when it is not there
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let shards = store.shard(&args.corpus, args.parts, &args.into, |shard| {
        say(&shown!("{}: {} documents", shard.path.display(), shard.documents));
    })?;
    let mut columns = columns!(Shard: part, documents, tokens, nonzeros);
    columns.push(Column::new("store", Kind::Text, |row: &Shard| row.path.to_string_lossy().into()));
    print_list(&columns, &shards, args.printing.format())?;
    let (parts, corpus) = (args.parts, shell_word(&args.corpus));
    let pattern = path_word(&args.into.join("part-{rank}.db"));
    say(&shown!("next: mpirun -n {parts} topoi run {corpus} -k 50 --parts {pattern}"));
    Ok(())
}
