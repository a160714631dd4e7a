//! What a run can be told, for every command that makes one.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::output::say;
use super::vocabulary_arguments::VocabularyArgs;
use crate::shown::shown;
use topoi_core::model::Model;
use topoi_core::model::setting::catalogue::{Flag, flags};
use topoi_core::model::setting::{Definition, Kind, Value};
use topoi_run::request::fields;
use topoi_run::request::usual::usual_min_tokens;
use topoi_run::request::{Origin, RunRequest, RunSettings};
use topoi_store::Store;

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
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub common: CommonOptions,
    /// Where settings that are not given are taken from: `paper` is the model's paper, with the
    /// topics as the model finds them
    #[arg(long = "as", value_name = "WHAT", value_enum)]
    from: Option<SettingsFrom>,
}

/// Settings to begin with, beside the default ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SettingsFrom {
    /// Those of the model's paper
    Paper,
}

impl RunOptions {
    /// The run of `corpus` with K topics they stand for; what depends on the corpus is looked up in its
    /// store, where that is one.
    ///
    /// # Errors
    /// When the vocabulary cannot be read, there is no such model, or it does not know a setting
    /// that was given.
    pub fn request(
        &self,
        store: Option<&Store>,
        corpus: &str,
        k: usize,
    ) -> anyhow::Result<RunRequest> {
        let paper = self.from == Some(SettingsFrom::Paper);
        let mut request = self.common.request(store, corpus, self.model.model(paper)?.into(), k)?;
        if paper && self.common.refine.is_none() {
            request.settings.refine = Some(0);
        }
        Ok(request)
    }
}

/// A model by its name, and what was typed of the settings that some model has.
#[derive(Debug, Clone)]
pub struct ModelArgs {
    name: String,
    given: Vec<(Flag, Value)>,
}

fn model_flags() -> Vec<Flag> {
    let models = Model::all();
    flags(models.iter().map(Model::any))
}

impl ModelArgs {
    fn model(&self, as_in_paper: bool) -> anyhow::Result<Model> {
        let mut model = Model::named(&self.name)?;
        if as_in_paper {
            model = model.as_in_paper();
        }
        for (flag, value) in &self.given {
            let name = flag.definition.name;
            if !flag.models.contains(&model.name()) {
                let (model, models) = (&self.name, flag.models.join(", "));
                anyhow::bail!(
                    "{model} has no setting --{name}, which is of {models}; leave it out"
                );
            }
            model.any_mut().set(name, *value)?;
        }
        Ok(model)
    }
}

impl Args for ModelArgs {
    fn augment_args(command: Command) -> Command {
        let names = Model::names().join(", ");
        let model = Arg::new(fields::MODEL.name)
            .long(fields::MODEL.name)
            .value_name("MODEL")
            .default_value(Model::default().name())
            .help(format!("{}: {names}", fields::MODEL.help));
        model_flags().into_iter().fold(command.arg(model), |command, flag| {
            let Definition { name, placeholder, kind, .. } = *flag.definition;
            let arg = Arg::new(name).long(name).help(flag.help).help_heading("Settings of models");
            command.arg(match kind {
                Kind::Flag => arg.action(ArgAction::SetTrue),
                _ => arg
                    .value_name(placeholder)
                    .value_parser(move |text: &str| flag.definition.parse(text)),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ModelArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |flag: &Flag| match (flag.definition.kind, flag.definition.name) {
            (Kind::Flag, name) => matches.get_flag(name).then_some(Value::Flag(true)),
            (_, name) => matches.get_one::<Value>(name).copied(),
        };
        let given = model_flags().into_iter().filter_map(|flag| Some((value(&flag)?, flag)));
        Ok(Self {
            name: matches.get_one::<String>(fields::MODEL.name).cloned().unwrap_or_default(),
            given: given.map(|(value, flag)| (flag, value)).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Help that says what is taken where nothing is said.
pub fn with_default(definition: Definition, default: &str) -> String {
    format!("{} [default: {default}]", definition.help)
}

/// What decides a run, wherever its topics are from.
#[derive(Debug, Args)]
pub struct CommonOptions {
    #[arg(long, default_value_t = RunSettings::default().terms, help = fields::TERMS.help)]
    pub terms: usize,
    #[arg(long, help = with_default(fields::MIN_TOKENS, fields::USUAL_MIN_TOKENS))]
    pub min_tokens: Option<u64>,
    #[arg(long, default_value_t = 1, help = fields::SEED.help)]
    pub seed: u64,
    #[arg(long, default_value_t = 0, help = fields::THREADS.help)]
    pub threads: usize,
    #[arg(long, value_name = "P", help = with_default(fields::REFINE, fields::REFINE.auto.unwrap_or_default()))]
    pub refine: Option<usize>,
    #[arg(long, value_name = "NATS", default_value_t = RunSettings::default().refine_gain,
          help = fields::REFINE_GAIN.help)]
    pub refine_gain: f64,
    /// Do not find the topics of the documents: for corpora so large that they need not be saved
    #[arg(long)]
    pub no_documents: bool,
    /// Compute the metrics that would be estimated on a large corpus (docs/reference/metrics.md); takes
    /// about as long as the topics
    #[arg(long)]
    pub exact_norms: bool,
    #[arg(long, value_name = "GB", help = fields::MEMORY.help,
          default_value_t = RunSettings::default().memory)]
    pub memory: f64,
    #[command(flatten)]
    pub vocabulary: VocabularyArgs,
}

impl CommonOptions {
    /// The run of `corpus` with K topics from `origin` they stand for.
    ///
    /// # Errors
    /// When the vocabulary cannot be read.
    pub fn request(
        &self,
        store: Option<&Store>,
        corpus: &str,
        origin: Origin,
        k: usize,
    ) -> anyhow::Result<RunRequest> {
        let min_tokens = match (self.min_tokens, store) {
            (Some(given), _) => given,
            (None, Some(store)) => min_tokens_of(store, corpus)?,
            (None, None) => RunSettings::default().min_tokens,
        };
        Ok(RunRequest {
            corpus: corpus.into(),
            origin,
            k,
            seed: self.seed,
            settings: RunSettings {
                terms: self.terms,
                min_tokens,
                threads: self.threads,
                memory: self.memory,
                refine: self.refine,
                refine_gain: self.refine_gain,
                documents: !self.no_documents,
                exact_norms: self.exact_norms,
                vocabulary: self.vocabulary.choice(Some(self.terms))?,
                ..RunSettings::default()
            },
        })
    }
}

/// What `--min-tokens` is for a corpus where it is not given; said where it is not the usual.
///
/// # Errors
/// When there is no such corpus.
pub fn min_tokens_of(store: &Store, corpus: &str) -> anyhow::Result<u64> {
    let usual = RunSettings::default().min_tokens;
    let found = usual_min_tokens(store, &store.corpus(corpus)?)?;
    if found < usual {
        say(&shown!(
            "--min-tokens {found}: more than one in twenty documents has fewer than {usual} tokens"
        ));
    }
    Ok(found)
}
