//! The flags of commands that create runs.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::vocabulary_arguments::VocabularyArgs;
use crate::cli::messages::say;
use crate::shown::shown;
use topoi_core::model::Model;
use topoi_core::model::setting::catalogue::{Flag, flags};
use topoi_core::model::setting::{Definition, Kind, NO_OR_YES, Value};
use topoi_run::request::fields;
use topoi_run::request::setting::{Commands, RunSetting};
use topoi_run::request::settings::{MIN_TOKENS, REFINE, RUN_SETTINGS, VOCABULARY};
use topoi_run::request::usual::usual_min_tokens;
use topoi_run::request::{Origin, RunRequest, RunSettings};
use topoi_store::Store;

/// The flags of a group of settings, as typed.
#[derive(Debug, Clone)]
pub struct SettingArgs<G> {
    given: Vec<(&'static RunSetting, String)>,
    group: PhantomData<G>,
}

/// A group of settings whose flags belong to the same commands.
pub trait Group {
    /// The commands with these settings.
    const COMMANDS: Commands;
    /// The heading of their flags in `--help`.
    const HEADING: Option<&'static str> = None;
}

/// Settings of every command that creates runs.
#[derive(Debug, Clone)]
pub struct AllCommandsGroup;

/// Settings that choose terms.
#[derive(Debug, Clone)]
pub struct VocabularyGroup;

/// Held-out documents for scoring.
#[derive(Debug, Clone)]
pub struct ScoringGroup;

/// Settings of `run` alone.
#[derive(Debug, Clone)]
pub struct RunGroup;

impl Group for AllCommandsGroup {
    const COMMANDS: Commands = Commands::All;
}

impl Group for VocabularyGroup {
    const COMMANDS: Commands = Commands::Vocabulary;
    const HEADING: Option<&'static str> = Some("Vocabulary");
}

impl Group for ScoringGroup {
    const COMMANDS: Commands = Commands::Scoring;
}

impl Group for RunGroup {
    const COMMANDS: Commands = Commands::Run;
}

impl<G: Group> SettingArgs<G> {
    fn settings() -> impl Iterator<Item = &'static RunSetting> {
        RUN_SETTINGS.iter().filter(|setting| setting.commands == G::COMMANDS)
    }

    /// The typed or default value of the setting of this name.
    pub fn given(&self, name: &str) -> Option<&str> {
        let given = self.given.iter().find(|(setting, _)| setting.name() == name);
        given.map(|(_, text)| text.as_str())
    }

    /// `request` with these settings.
    pub fn applied_to(&self, mut request: RunRequest) -> anyhow::Result<RunRequest> {
        for (setting, text) in &self.given {
            setting.set(&mut request, Some(text)).map_err(anyhow::Error::msg)?;
        }
        Ok(request)
    }
}

/// The default values, leaked because clap keeps them for the whole process.
static DEFAULTS: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    let settings = RUN_SETTINGS.iter();
    settings.filter_map(|setting| Some((setting.name(), setting.default_value()?))).collect()
});

fn argument(setting: &'static RunSetting, heading: Option<&'static str>) -> Arg {
    let Definition { name, placeholder, kind, .. } = setting.definition;
    // The help of a choice lists the names.
    let help = if setting.choice_help.is_empty() {
        setting.help()
    } else {
        setting.definition.help.into()
    };
    let arg = Arg::new(name).long(name).help(help).help_heading(heading);
    let arg = match kind {
        Kind::Flag => return arg.action(ArgAction::SetTrue),
        Kind::Choice(names) => {
            let value = |(name, help): (&&'static str, &&'static str)| {
                PossibleValue::new(*name).help(*help)
            };
            let values = names.iter().zip(setting.choice_help).map(value);
            arg.value_parser(PossibleValuesParser::new(values))
        }
        _ => {
            arg.value_parser(move |text: &str| setting.check_text(text).map(|()| text.to_string()))
        }
    };
    let arg = arg.value_name(placeholder);
    match DEFAULTS.get(name) {
        Some(value) => arg.default_value(value.as_str()),
        None => arg,
    }
}

impl<G: Group> Args for SettingArgs<G> {
    fn augment_args(command: Command) -> Command {
        let rules: Vec<&str> = Self::settings()
            .map(RunSetting::name)
            .filter(|name| *name != VOCABULARY.name)
            .collect();
        Self::settings().fold(command, |command, setting| {
            let arg = argument(setting, G::HEADING);
            command.arg(match setting.name() == VOCABULARY.name {
                true => arg.conflicts_with_all(&rules),
                false => arg,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<G: Group> FromArgMatches for SettingArgs<G> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |setting: &RunSetting| match setting.definition.kind {
            Kind::Flag => matches.get_flag(setting.name()).then(|| NO_OR_YES[1].to_string()),
            _ => matches.get_one::<String>(setting.name()).cloned(),
        };
        let given = Self::settings().filter_map(|setting| Some((setting, text(setting)?)));
        Ok(Self { given: given.collect(), group: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The share of the documents that a run is scored by.
pub type ScoringArgs = SettingArgs<ScoringGroup>;

/// The settings of `run` alone.
pub type RunAloneArgs = SettingArgs<RunGroup>;

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
    /// The request for a run on `corpus` with K topics. Defaults that depend on the corpus are read from `store`, if
    /// given.
    pub fn request(
        &self,
        store: Option<&Store>,
        corpus: &str,
        k: usize,
    ) -> anyhow::Result<RunRequest> {
        let paper = self.from == Some(SettingsFrom::Paper);
        let mut request = self.common.request(store, corpus, self.model.model(paper)?.into(), k)?;
        if paper && self.common.settings.given(REFINE.name).is_none() {
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
        let mut model = Model::from_name(&self.name)?;
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

/// Help with the default value.
pub fn with_default(definition: Definition, default: &str) -> String {
    format!("{} [default: {default}]", definition.help)
}

/// What decides a run, wherever its topics are from.
#[derive(Debug, Args)]
pub struct CommonOptions {
    #[command(flatten)]
    settings: SettingArgs<AllCommandsGroup>,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
}

impl CommonOptions {
    /// The requested number of terms.
    pub fn terms(&self) -> anyhow::Result<usize> {
        Ok(self.settings.applied_to(RunRequest::new("", 2))?.settings.terms)
    }

    /// The request for a run on `corpus` with K topics from `origin`.
    pub fn request(
        &self,
        store: Option<&Store>,
        corpus: &str,
        origin: Origin,
        k: usize,
    ) -> anyhow::Result<RunRequest> {
        let mut request = RunRequest { origin, ..RunRequest::new(corpus, k) };
        if let (None, Some(store)) = (self.settings.given(MIN_TOKENS.name), store) {
            request.settings.min_tokens = min_tokens_of(store, corpus)?;
        }
        self.vocabulary.applied_to(self.settings.applied_to(request)?)
    }
}

/// The default of `--min-tokens` for a corpus; reported if it differs from the usual.
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
