//! Arguments that several commands have.

use clap::Args;

use super::in_parts::PartsArgs;
use super::output::OutputFormat;

/// How to print.
#[derive(Debug, Clone, Copy, Args)]
pub struct Printing {
    /// How to print the result
    #[arg(long, short, value_enum, default_value_t)]
    pub output: OutputFormat,
}

/// A run's number.
#[derive(Debug, Clone, Copy, Args)]
pub struct RunNumber {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    #[command(flatten)]
    pub printing: Printing,
}

/// A run to go on with or to do again.
#[derive(Debug, Args)]
pub struct RunAgain {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    /// Start the run and return at once; `topoi watch` follows it
    #[arg(long, conflicts_with = "parts")]
    pub detach: bool,
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    pub printing: Printing,
}
