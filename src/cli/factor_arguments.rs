//! Arguments of `run` that only models that factorise the counts know.

use clap::Args;

use topoi::model::r1d::Start;
use topoi::run::request::factor_choices::{FactorChoices, start_named};
use topoi::run::request::fields;

/// What rank-one downdate is told.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rank-one downdate (r1d)")]
pub struct FactorArgs {
    #[arg(long, value_name = "G", help = fields::GAMMA.help)]
    /// γ.
    pub gamma: Option<f64>,
    #[arg(long, value_name = "WHAT", value_parser = start_named, help = fields::START.help)]
    /// What a topic is grown from.
    pub start: Option<Start>,
    #[arg(long, help = fields::MONOTONE.help)]
    /// Whether one side only grows and the other only shrinks.
    pub monotone: bool,
    #[arg(long, value_name = "SHARE", help = fields::RHO.help)]
    /// Penalty on a topic's size.
    pub rho: Option<f64>,
}

impl FactorArgs {
    /// As a run saves them.
    pub fn choices(&self) -> FactorChoices {
        let Self { gamma, start, monotone, rho } = *self;
        FactorChoices { gamma, start, monotone, rho }
    }
}
