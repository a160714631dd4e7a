//! What can be typed to ask for several runs.

use clap::Args;

use super::arguments::Printing;
use super::run_arguments::{RunOptions, ScoringArgs};
use topoi::run::choose_k::k_list::KList;
use topoi::run::request::fields;

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    #[arg(help = fields::CORPUS.help)]
    /// The corpus.
    pub corpus: String,
    #[arg(short, long = "k", value_name = "LIST", help = fields::K_LIST.help)]
    /// The values of K.
    pub k: KList,
    /// Runs with different seeds for every K, from --seed on
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=100))]
    pub seeds: u64,
    /// What the runs are scored by.
    #[command(flatten)]
    pub scoring: ScoringArgs,
    /// Everything else that decides the runs.
    #[command(flatten)]
    pub options: RunOptions,
    /// Ask for the runs and return at once; `topoi runs` lists them
    #[arg(long)]
    pub detach: bool,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `stability`.
#[derive(Debug, Args)]
pub struct StabilityArgs {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    /// Pairs of runs to hold it against, each of a random half of the documents and the other half
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u64).range(0..=100))]
    pub halves: u64,
    /// Runs with other seeds to hold it against
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(0..=100))]
    pub seeds: u64,
    /// Words of a topic that must come back
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub words: u64,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}
