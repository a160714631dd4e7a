//! Where the parts of a corpus are, for every command that works on them.

/// A corpus in parts, and this process one of those that work on them.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PartsArgs {
    /// The documents are in parts, such as 'DIR/part-{rank}.db', and this is one of as many
    /// processes, started by mpirun; the run is saved in --store
    #[arg(long, value_name = "PATTERN")]
    pub parts: Option<String>,
}
