//! Arguments of `run` that only separable models know.

use clap::Args;

use topoi::model::separable::Clustering;
use topoi::run::request::fields;
use topoi::run::request::separable_choices::{SeparableChoices, clustering_named};

/// What separable models are told.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Separable models (rp, ddp, rp-doc, binning)")]
pub struct SeparableArgs {
    #[arg(long, value_name = "P", help = fields::PROJECTIONS.help)]
    /// Random directions.
    pub projections: Option<usize>,
    #[arg(long, value_name = "D", help = fields::DISTANCE.help)]
    /// Threshold between topics.
    pub distance: Option<f64>,
    #[arg(long, value_name = "G", help = fields::MARGIN.help)]
    /// Threshold of novelty.
    pub margin: Option<f64>,
    #[arg(long, value_name = "T", default_value_t = 0.0, help = fields::LEAST_ANGLE.help)]
    /// Least solid angle that counts.
    pub least_angle: f64,
    #[arg(long, value_name = "WAY", value_parser = clustering_named,
          help = fields::CLUSTERING.help)]
    /// How novel words are grouped.
    pub clustering: Option<Clustering>,
    #[arg(long, help = fields::KEEP_SUMS.help)]
    /// Whether sums are kept.
    pub keep_sums: bool,
}

impl SeparableArgs {
    /// As a run saves them.
    pub fn choices(&self) -> SeparableChoices {
        SeparableChoices {
            projections: self.projections,
            distance: self.distance,
            margin: self.margin,
            least_angle: self.least_angle,
            clustering: self.clustering,
            keep_sums: self.keep_sums,
        }
    }
}
