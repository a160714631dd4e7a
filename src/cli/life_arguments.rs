//! What can be typed about the life of runs.

use clap::Args;

use super::arguments::Printing;
use super::parts_arguments::PartsArgs;

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    /// Start the run and return at once; `topoi watch` follows it
    #[arg(long, conflicts_with = "parts")]
    pub detach: bool,
    /// Where its documents are.
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `verify`.
#[derive(Debug, Clone, Copy, Args)]
pub struct VerifyArgs {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `queue`.
#[derive(Debug, Clone, Copy, Args)]
pub struct QueueArgs {
    /// How many runs work at the same time from now on. Each takes as many threads as its own
    /// --threads says, one per core unless told otherwise: for N runs at once, give each a share
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    pub at_once: Option<u64>,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}
