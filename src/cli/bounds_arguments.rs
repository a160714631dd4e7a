//! What can be typed after `bounds`.

use std::path::PathBuf;

use clap::Args;

use super::arguments::Printing;
use super::parts_arguments::PartsArgs;
use super::vocabulary_arguments::VocabularyArgs;
use topoi::bound::lda::LdaSettings;
use topoi::run::request::fields;

const GMM: &str = "Points instead of a corpus";

/// Arguments of `bounds`.
#[derive(Debug, Args)]
pub struct BoundsArgs {
    /// The corpus
    #[arg(required_unless_present = "gmm", conflicts_with = "gmm")]
    pub corpus: Option<String>,
    #[arg(long, default_value_t = 5000, help = fields::TERMS.help)]
    /// Vocabulary size.
    pub terms: usize,
    #[arg(long, default_value_t = 5, help = fields::MIN_TOKENS.help)]
    /// Shortest document.
    pub min_tokens: u64,
    /// Which of the terms.
    #[command(flatten)]
    pub vocabulary: VocabularyArgs,
    /// With the vocabulary and the shortest document of this run
    #[arg(long, value_name = "RUN", conflicts_with_all = ["terms", "min_tokens", "vocabulary",
        "min_documents", "max_documents", "min_count", "matching", "stop_list", "keep_list", "by",
        "gmm"])]
    pub of_run: Option<i64>,
    /// The prior of each topic in a document (of each component's weight, with --gmm)
    #[arg(long, value_name = "A", default_value_t = LdaSettings::default().alpha)]
    pub alpha: f64,
    /// The prior of each word in a topic
    #[arg(long, value_name = "B", default_value_t = LdaSettings::default().beta)]
    pub beta: f64,
    /// The lower bound is wrong at most this often
    #[arg(long, value_name = "D", default_value_t = LdaSettings::default().delta)]
    pub delta: f64,
    /// Seed of the eigenpairs' start
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[arg(long, default_value_t = 0, help = fields::THREADS.help)]
    /// Threads.
    pub threads: usize,
    /// Bound the components of a mixture of spherical Gaussians from the points in this file
    /// (CSV or Matrix Market, rows are points)
    #[arg(long, value_name = "FILE", help_heading = GMM, conflicts_with = "parts")]
    pub gmm: Option<PathBuf>,
    /// The points' deviation from their centre in each dimension [default: estimated]
    #[arg(long, value_name = "S", help_heading = GMM, requires = "gmm")]
    pub sigma: Option<f64>,
    /// The centres' deviation from 0 in each dimension [default: estimated]
    #[arg(long, value_name = "S", help_heading = GMM, requires = "gmm")]
    pub sigma_mu: Option<f64>,
    /// The parts of the corpus.
    #[command(flatten)]
    pub place: PartsArgs,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}
