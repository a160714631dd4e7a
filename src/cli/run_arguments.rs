//! What a run can be told.

use clap::Args;

use super::arguments::Printing;
use super::factor_arguments::FactorArgs;
use super::parts_arguments::PartsArgs;
use super::separable_arguments::SeparableArgs;
use super::vocabulary_arguments::VocabularyArgs;
use topoi::run::request::fields;
use topoi::run::request::models::model_card;
use topoi::run::request::{RunRequest, RunSettings};

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[arg(help = fields::CORPUS.help)]
    /// The corpus.
    pub corpus: String,
    #[arg(short, long = "k", value_name = "K", help = fields::K.help)]
    /// K.
    pub k: usize,
    /// Everything else that decides the run.
    #[command(flatten)]
    pub options: RunOptions,
    /// What it is scored by.
    #[command(flatten)]
    pub scoring: ScoringArgs,
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

/// Documents that a run is scored by.
#[derive(Debug, Clone, Copy, Args)]
pub struct ScoringArgs {
    /// Leave this share of the documents out, and say how probable the topics find them
    #[arg(long, value_name = "SHARE")]
    held_out: Option<f64>,
}

impl ScoringArgs {
    /// The same run, with that share held out.
    pub fn applied_to(self, request: RunRequest) -> RunRequest {
        let Some(share) = self.held_out else { return request };
        RunRequest { settings: request.settings.holding_out(share, request.seed), ..request }
    }
}

/// What decides a run beside its corpus and K.
#[derive(Debug, Args)]
pub struct RunOptions {
    #[arg(long, default_value = "lr-jsmf", help = fields::MODEL.help)]
    /// The model.
    pub model: String,
    /// What has nothing to do with the model.
    #[command(flatten)]
    pub common: CommonOptions,
    #[arg(long, default_value_t = RunSettings::default().tolerance, help = fields::TOLERANCE.help)]
    /// Tolerance.
    pub tolerance: f64,
    #[arg(long, value_name = "N", help = fields::ITERATIONS.help)]
    /// Iterations.
    pub iterations: Option<usize>,
    #[arg(long, value_name = "L", help = fields::ROWS.help)]
    /// Rows that ENN corrects.
    pub rows: Option<usize>,
    /// What separable models are told.
    #[command(flatten)]
    pub separable: SeparableArgs,
    /// What models that factorise the counts are told.
    #[command(flatten)]
    pub factor: FactorArgs,
}

impl RunOptions {
    /// The run of `corpus` with K topics they stand for.
    ///
    /// # Errors
    /// When the vocabulary cannot be read, or the model does not know a setting that was given.
    pub fn request(&self, corpus: &str, k: usize) -> anyhow::Result<RunRequest> {
        let request = self.common.request(corpus, &self.model, k)?;
        let request = RunRequest {
            settings: RunSettings {
                tolerance: self.tolerance,
                iterations: self.iterations,
                rows: self.rows,
                separable: self.separable.choices(),
                factor: self.factor.choices(),
                ..request.settings
            },
            ..request
        };
        // A model that is not there is the request's to refuse.
        let unknown = request.settings.unknown_to(&self.model);
        if let (Some(_), Some(field)) = (model_card(&self.model), unknown) {
            let (model, name, models) = (&self.model, field.name, field.models.join(", "));
            anyhow::bail!("{model} has no setting --{name}, which is of {models}; leave it out");
        }
        Ok(request)
    }
}

/// What decides a run, wherever its topics are from.
#[derive(Debug, Args)]
pub struct CommonOptions {
    #[arg(long, default_value_t = 5000, help = fields::TERMS.help)]
    /// Vocabulary size.
    pub terms: usize,
    #[arg(long, default_value_t = 5, help = fields::MIN_TOKENS.help)]
    /// Shortest document.
    pub min_tokens: u64,
    #[arg(long, default_value_t = 1, help = fields::SEED.help)]
    /// Seed.
    pub seed: u64,
    #[arg(long, default_value_t = 0, help = fields::THREADS.help)]
    /// Threads.
    pub threads: usize,
    #[arg(long, value_name = "P", default_value_t = 0, help = fields::REFINE.help)]
    /// Passes that refine the topics.
    pub refine: usize,
    /// Do not find the topics of the documents: for corpora so large that they need not be saved
    #[arg(long)]
    pub no_documents: bool,
    #[arg(long, value_name = "GB", help = fields::MEMORY.help,
          default_value_t = RunSettings::default().memory)]
    /// Memory a model may take.
    pub memory: f64,
    /// Which of the terms.
    #[command(flatten)]
    pub vocabulary: VocabularyArgs,
}

impl CommonOptions {
    /// The run of `corpus` by a model with K topics they stand for, all else as usual.
    ///
    /// # Errors
    /// When the vocabulary cannot be read.
    pub fn request(&self, corpus: &str, model: &str, k: usize) -> anyhow::Result<RunRequest> {
        Ok(RunRequest {
            corpus: corpus.into(),
            model: model.into(),
            k,
            seed: self.seed,
            settings: RunSettings {
                terms: self.terms,
                min_tokens: self.min_tokens,
                threads: self.threads,
                memory: self.memory,
                refine: self.refine,
                documents: !self.no_documents,
                vocabulary: self.vocabulary.choice(Some(self.terms))?,
                ..RunSettings::default()
            },
        })
    }
}
