//! What can be typed about corpora in parts.

use std::path::PathBuf;

use clap::Args;

use super::arguments::Printing;

/// Arguments of `shard`.
#[derive(Debug, Args)]
pub struct ShardArgs {
    /// The corpus
    pub corpus: String,
    /// How many stores to split it into
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub parts: u64,
    /// The directory for part-0.db, part-1.db …; made when it is not there
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `unify`.
#[derive(Debug, Args)]
pub struct UnifyArgs {
    /// The stores of the parts, in the order of their numbers
    #[arg(required_unless_present = "pattern", conflicts_with = "pattern", value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// The parts lie beside their machines, such as '/local/part-{rank}.db', and this is one of as
    /// many processes, started by mpirun; the corpus is saved in --store
    #[arg(long = "parts", value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// The corpus's name, in every part and in the store of the whole
    #[arg(long, value_name = "NAME")]
    pub corpus: String,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Where the parts of a corpus are.
#[derive(Debug, Clone, Default, Args)]
pub struct PartsArgs {
    /// The documents are in parts, such as 'DIR/part-{rank}.db', and this is one of as many
    /// processes, started by mpirun; the run is saved in --store
    #[arg(long, value_name = "PATTERN")]
    pub parts: Option<String>,
}
