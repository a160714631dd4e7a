//! The settings of a run: the record that is saved, and the table that all that shows or sets them is made from.
//!
//! To add one: its field in [`RunSettings`], the default, and its entry in [`RUN_SETTINGS`].

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::in_parts::InParts;
use super::setting::{Access, Commands, Content, Place, RunSetting, SettingFileContent, UNSET};
use super::{Origin, RunRequest};
use crate::shaping::seeds::Seeds;
use crate::vocabulary::choice::{ChoiceError, VocabularyChoice};
use crate::vocabulary::in_words::{in_percent, vocabulary_in_words};
use crate::vocabulary::rules::{Ranking, Rules};
use crate::work::work_error::WorkError;
use topoi_core::model::refine::{self, RefineSettings};
use topoi_core::model::setting::{Choices, Definition, Field, Interval, Kind, Value};
use topoi_core::model::topic_model::StartsFrom;
use topoi_core::model::{DEFAULT_REFINE, DEFAULT_SWEEPS, START_HELP};
use topoi_core::numbers::counted;
use topoi_core::stream::documents::sample::Sample;
use topoi_ingest::tokens::language::languages::normal_words;
use topoi_ingest::{IngestError, lines_of, read_list};
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// Everything of a run that is saved as JSON in its row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// Size of the vocabulary: the best terms by tf·log⌊M/df⌋ (Lee 2021, §5).
    pub terms: usize,
    /// Documents with fewer tokens in the vocabulary are left out; at least 2. The paper's 5.
    pub min_tokens: u64,
    /// Threads; 0 is one per core. Never changes the result.
    pub threads: usize,
    /// The number of topics that eigenpairs are computed for, at least K, of which the run takes
    /// the first; `None` is K. Runs that have it in common can share one factorisation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factorise: Option<usize>,
    /// A model that would take more memory than this many GB is refused. Never changes a result.
    pub memory: f64,
    /// Passes over the documents at most that improve the model's topics; `None` for as many as the
    /// model's card says.
    pub refine: Option<usize>,
    /// Refining stops when a pass gains less, nats a token.
    pub refine_gain: f64,
    /// Sweeps of the sampler that refining ends with; `None` for the usual number. Runs from before
    /// there were any have none.
    #[serde(default = "no_sweeps")]
    pub sweeps: Option<usize>,
    /// Whether it finds the topics of its documents.
    pub documents: bool,
    /// Whether its metrics are computed where they would be estimated. Never changes its topics.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exact_norms: bool,
    /// The share of documents that it is not made from and is scored by; `sample` is the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<f64>,
    /// The documents it is made from, where those are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// The parts that its documents are in, where it is not made from this store's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<InParts>,
    /// The run it starts from: its eigenvectors, its topics, or the sums that it adds to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<RunId>,
    /// Whether topics have the numbers of those of `start` that they are most like.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keeps_numbers: bool,
    /// Whether it revises `start`, whose topics it continues and whose documents it shares.
    #[serde(default, skip_serializing_if = "is_false")]
    pub revises: bool,
    /// The vocabulary, where it is not just the best `terms` by tf·idf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<VocabularyChoice>,
    /// The words that its first topics are anchored by; the others are found beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            terms: 5000,
            min_tokens: 5,
            threads: 0,
            factorise: None,
            memory: 4.0,
            refine: None,
            refine_gain: refine::GAIN,
            sweeps: None,
            documents: true,
            exact_norms: false,
            held_out: None,
            sample: None,
            parts: None,
            start: None,
            keeps_numbers: false,
            revises: false,
            vocabulary: None,
            seeds: None,
        }
    }
}

impl RunSettings {
    /// The share of the documents that `run` is made from; 1 where its settings do not say.
    pub fn share_of_documents(run: &Run) -> f64 {
        let sample = Self::from_run(run).ok().and_then(|settings| settings.sample);
        sample.map_or(1.0, |sample| sample.share())
    }

    /// Whether a run continues another with what its corpus has got since.
    pub fn is_update(run: &Run) -> bool {
        Self::from_run(run).is_ok_and(|settings| settings.revises)
    }

    /// Whether `run` is made from a part of the documents to tell how stable the topics of another are:
    /// nobody wants to read it, or to see it as the newest run.
    pub fn is_half(run: &Run) -> bool {
        let settings = Self::from_run(run).ok();
        settings.is_some_and(|own| own.sample.is_some() && own.held_out.is_none())
    }

    /// How topics of `origin` are refined; `None` where they are not.
    pub fn refinement(&self, origin: &Origin) -> Option<RefineSettings> {
        let passes = self.refine.unwrap_or(origin.card().default_refine);
        let (gain, sweeps) = (self.refine_gain, self.sweeps);
        let is_refined = passes > 0 || sweeps.is_some_and(|sweeps| sweeps > 0);
        is_refined.then_some(RefineSettings { passes, gain, sweeps })
    }

    /// The settings a run was saved with.
    ///
    /// # Errors
    /// [`WorkError::Settings`].
    pub fn from_run(run: &Run) -> Result<Self, WorkError> {
        serde_json::from_str(&run.settings)
            .map_err(|e| WorkError::Settings { run: run.id, source: e.into() })
    }

    /// Refuses a regular expression that is none.
    pub(super) fn check_pattern(&self) -> Result<(), ChoiceError> {
        match &self.vocabulary {
            Some(VocabularyChoice::Rules(rules)) => Ok(rules.check()?),
            _ => Ok(()),
        }
    }
}

/// The sweeps of runs that were saved without their number.
#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's type")]
fn no_sweeps() -> Option<usize> {
    Some(0)
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What the shortest document is where it is not given.
pub const USUAL_MIN_TOKENS: &str =
    "5; 2 where more than one in twenty documents has fewer than 5 tokens";

/// A whole number of any size.
const ANY: Kind = Kind::Count { from: 0, to: u64::MAX };

/// What a flag that is off by default has beside its name and help.
const FLAG: Definition =
    Definition { name: "", help: "", placeholder: "", kind: Kind::Flag, auto: None };

/// What a setting that no flag sets has beside its name and help.
const INTERNAL: (Commands, Place) = (Commands::None, Place::None);

/// Size of the vocabulary.
pub const TERMS: Definition = Definition {
    name: "terms",
    help: "size of the vocabulary: this many terms, the best by tf-idf",
    placeholder: "TERMS",
    kind: Kind::Count { from: 2, to: u64::MAX },
    auto: None,
};

/// Shortest document.
pub const MIN_TOKENS: Definition = Definition {
    name: "min-tokens",
    help: "leave out documents with fewer tokens in the vocabulary",
    placeholder: "MIN_TOKENS",
    kind: Kind::Count { from: 1, to: u64::MAX },
    auto: None,
};

/// Seed of all random numbers.
pub const SEED: Definition = Definition {
    name: "seed",
    help: "the same seed gives the same topics, bit for bit",
    placeholder: "SEED",
    kind: ANY,
    auto: None,
};

/// Threads.
pub const THREADS: Definition = Definition {
    name: "threads",
    help: "threads, of which at most four per core are used; 0 is one per core; never changes the result",
    placeholder: "THREADS",
    kind: Kind::Count { from: 0, to: 1024 },
    auto: None,
};

/// Passes that refine the topics.
pub const REFINE: Definition = Definition {
    name: "refine",
    help: "passes over the documents at most that improve the model's topics; 0 leaves them as the \
           model found them",
    placeholder: "P",
    kind: Kind::Count { from: 0, to: 1000 },
    auto: Some(DEFAULT_REFINE),
};

/// Memory a model may take.
pub const MEMORY: Definition = Definition {
    name: "memory",
    help: "refuse a model that would take more than this many GB",
    placeholder: "GB",
    kind: Kind::Real(Interval::AboveOf(0.0, "GB")),
    auto: None,
};

/// A vocabulary saved under a name.
pub const VOCABULARY: Definition = Definition {
    placeholder: "NAME",
    ..other("vocabulary", "The terms saved under this name (`topoi terms CORPUS --save NAME`)")
};

/// Words that topics begin with.
pub const SEEDS: Definition = Definition {
    placeholder: "FILE",
    ..other(
        "seeds",
        "Words that topics begin with: a table with the columns topic and word; the other topics are found \
         beside them",
    )
};

/// The run whose topics a run starts from.
pub const START: Definition = Definition { placeholder: "RUN", ..other("start", START_HELP) };

/// The stores of a corpus in parts.
pub const PARTS: Definition = Definition {
    placeholder: "PATTERN",
    ..other(
        "parts",
        "The documents are in parts, such as 'DIR/part-{rank}.db', and this is one of as many processes, \
         started by mpirun; the result is saved in --store",
    )
};

const fn other(name: &'static str, help: &'static str) -> Definition {
    Definition { name, help, placeholder: "", kind: Kind::Other, auto: None }
}

/// The value of a field, read and written as it is.
macro_rules! field {
    ($($name:ident).+) => {
        Access::Value {
            get: |request| request.$($name).+.value(),
            set: |request, value| written(request.$($name).+.set(value)),
        }
    };
}

/// A rule of the vocabulary that is typed as text.
macro_rules! rule {
    ($name:ident, $form:literal) => {
        Access::Text {
            form: $form,
            get: |request| typed(rules(request).and_then(|rules| rules.$name.as_ref())),
            set: |request, text| {
                let value = text.map(str::parse).transpose();
                let value = value.map_err(|error| wrong_rule(text, &error))?;
                set_rule(request, text.is_none(), |rules| rules.$name = value)
            },
        }
    };
}

/// A list of terms that is a rule of the vocabulary.
macro_rules! list {
    ($name:ident, $terms:ident) => {
        Access::File {
            get: |request| match rules(request).map_or(0, |rules| rules.$name.len()) {
                0 => Content::Unset,
                count => Content::Described(counted(count as u64, "term")),
            },
            read: |path| Ok(SettingFileContent::Terms($terms(path)?)),
            set: |request, content| {
                let is_unset = content.is_none();
                let Some(SettingFileContent::Terms(terms)) =
                    content.or(Some(SettingFileContent::Terms(vec![])))
                else {
                    return Ok(());
                };
                set_rule(request, is_unset, |rules| rules.$name = terms)
            },
        }
    };
}

const IN_ALL: Commands = Commands::All;
const RULE: (Commands, Place) = (Commands::Vocabulary, Place::Last);

/// The settings of a run, in the order of `--help`, of the launch form and of a run's description.
pub static RUN_SETTINGS: &[RunSetting] = &[
    RunSetting::new(
        "terms",
        TERMS,
        (IN_ALL, Place::BeforeModel),
        Access::Value { get: |request| request.settings.terms.value(), set: set_terms },
    )
    .described(|request| Some(vocabulary_in_words(&request.settings))),
    RunSetting::new(
        "min_tokens",
        MIN_TOKENS,
        (IN_ALL, Place::BeforeModel),
        field!(settings.min_tokens),
    )
    .default_by(USUAL_MIN_TOKENS)
    .described(|request| {
        let least = counted(request.settings.min_tokens, "token");
        Some(format!("documents of {least} or more"))
    }),
    RunSetting::new(
        "seed",
        SEED,
        (IN_ALL, Place::BeforeModel),
        Access::Value { get: |request| request.seed.value(), set: set_seed },
    )
    .not_described(),
    RunSetting::new(
        "threads",
        THREADS,
        (IN_ALL, Place::BeforeModel),
        field!(settings.threads),
    )
    .not_described()
    .without_effect(),
    RunSetting::new("refine", REFINE, (IN_ALL, Place::AfterModel), field!(settings.refine))
        .default_by(DEFAULT_REFINE)
        .described(|request| Some(refinement_in_words(request))),
    RunSetting::new(
        "refine_gain",
        Definition {
            name: "refine-gain",
            help: "refining stops when a pass makes a token more probable by less than this, in nats",
            placeholder: "NATS",
            kind: Kind::Real(Interval::Between(0.0, 1.0)),
            auto: None,
        },
        (IN_ALL, Place::AfterModel),
        field!(settings.refine_gain),
    )
    // Described with the passes.
    .not_described(),
    RunSetting::new(
        "sweeps",
        Definition {
            name: "sweeps",
            help: "sweeps of a Gibbs sampler over all tokens that refining ends with",
            placeholder: "N",
            kind: Kind::Count { from: 0, to: 100_000 },
            auto: Some(DEFAULT_SWEEPS),
        },
        (IN_ALL, Place::AfterModel),
        field!(settings.sweeps),
    )
    .default_by(DEFAULT_SWEEPS)
    // Described with the passes.
    .not_described(),
    RunSetting::new("vocabulary", VOCABULARY, RULE, {
        Access::Text { form: "a saved name", get: vocabulary, set: set_vocabulary }
    })
    // Described with the number of terms, as are its rules.
    .not_described()
    .fitted(|request, before| {
        let is_of_corpus = |choice: &mut VocabularyChoice| {
            request.corpus != before.corpus && !matches!(choice, VocabularyChoice::Rules(_))
        };
        request.settings.vocabulary.take_if(is_of_corpus);
    }),
    RunSetting::new(
        "vocabulary",
        Definition {
            placeholder: "N",
            ..other(
                "min-documents",
                "Drop terms in fewer documents: a count (5) or a share (0.01, 1%)",
            )
        },
        RULE,
        rule!(min_documents, "a count, or a share from 0.0 to 1.0"),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition {
            placeholder: "N",
            ..other(
                "max-documents",
                "Drop terms in more documents: a count (5000) or a share (0.5, 50%)",
            )
        },
        RULE,
        rule!(max_documents, "a count, or a share from 0.0 to 1.0"),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition { placeholder: "N", ..other("min-count", "Drop terms of fewer tokens") },
        RULE,
        rule!(min_count, "0 or more"),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition {
            placeholder: "REGEX",
            ..other("matching", "Drop terms that this regular expression does not match as a whole")
        },
        RULE,
        rule!(matching, "a regular expression"),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition {
            placeholder: "FILE",
            ..other("stop-list", "Drop the terms of this file, one a line, or a language's stop words (es)")
        },
        RULE,
        list!(drop, stop_words_or_terms_in),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition {
            placeholder: "FILE",
            ..other(
                "keep-list",
                "Keep the terms in this file, one a line, whatever the other rules say",
            )
        },
        RULE,
        list!(keep, terms_in),
    )
    .not_described(),
    RunSetting::new(
        "vocabulary",
        Definition {
            name: "by",
            help: "What the best terms are the best by",
            placeholder: "BY",
            kind: Kind::Choice(Ranking::NAMES),
            auto: Some("tf-idf"),
        },
        RULE,
        Access::Value { get: ranking, set: set_ranking },
    )
    .default_by("tf-idf")
    .choices_mean(&["tf·log⌊M/df⌋", "Number of tokens"])
    .not_described(),
    RunSetting::new(
        "held_out",
        Definition {
            name: "held-out",
            help: "Leave this share of the documents out, and say how probable the topics find them",
            placeholder: "SHARE",
            kind: Kind::Real(Interval::Inside(0.0, 1.0)),
            auto: Some(UNSET),
        },
        (Commands::Scoring, Place::Last),
        Access::Value { get: |request| request.settings.held_out.value(), set: set_held_out },
    )
    .described(|request| {
        let share = request.settings.held_out?;
        Some(format!("{} of the documents held out", in_percent(share)))
    }),
    RunSetting::new("sample", other("sample", "the documents the run is made from"), INTERNAL, {
        Access::Text { form: "", get: sample, set: not_typed }
    }),
    RunSetting::new("start", START, (Commands::Run, Place::None), {
        Access::Text { form: "number of a run", get: start, set: set_start }
    })
    .described(|request| {
        let start = request.settings.start?;
        let said = if request.settings.keeps_numbers { "updates" } else { "started from" };
        Some(format!("{said} run {start}"))
    })
    .fitted(|request, before| {
        let is_other_model = request.origin.name() != before.origin.name();
        let starts_from_nothing = request.origin.card().starts_from == StartsFrom::Nothing;
        if request.corpus != before.corpus || (is_other_model && starts_from_nothing) {
            request.settings.start = None;
        }
    }),
    RunSetting::new(
        "keeps_numbers",
        other("keeps-numbers", "topics have the numbers of those that the run starts from"),
        INTERNAL,
        Access::Text { form: "", get: updated, set: not_typed },
    )
    // Described with the run it starts from.
    .not_described()
    .fitted(|request, _| request.settings.keeps_numbers &= request.settings.start.is_some()),
    RunSetting::new(
        "revises",
        other("revises", "it continues the topics of the run that it starts from, and shares its documents"),
        INTERNAL,
        Access::Text { form: "", get: revises, set: not_typed },
    )
    .not_described()
    // A request made of an update's is for a run of all documents: the run it continued may be gone.
    .fitted(|request, _| request.settings.revises = false),
    RunSetting::new(
        "seeds",
        SEEDS,
        (Commands::Run, Place::Last),
        Access::File {
            get: seeds,
            read: |path| {
                Seeds::read(path).map(SettingFileContent::Seeds).map_err(|error| error.to_string())
            },
            set: |request, content| {
                request.settings.seeds = match content {
                    Some(SettingFileContent::Seeds(seeds)) => Some(seeds),
                    Some(SettingFileContent::Terms(_)) | None => None,
                };
                Ok(())
            },
        },
    )
    .described(|request| match seeds(request) {
        Content::Described(words) => Some(words.replace(" of ", " as seeds of ")),
        Content::Unset | Content::Typed(_) => None,
    })
    .fitted(|request, before| {
        if request.corpus != before.corpus || !request.origin.card().takes_seeds {
            request.settings.seeds = None;
        }
    }),
    RunSetting::new(
        "documents",
        Definition {
            name: "no-documents",
            help: "Do not find the topics of the documents: for corpora so large that they need not be saved",
            ..FLAG
        },
        (IN_ALL, Place::Last),
        Access::Value {
            get: |request| Value::Flag(!request.settings.documents),
            set: |request, value| {
                request.settings.documents = value != Value::Flag(true);
                Ok(())
            },
        },
    )
    .described(|request| {
        (!request.settings.documents).then(|| "without the topics of documents".into())
    }),
    RunSetting::new(
        "exact_norms",
        Definition {
            name: "exact-norms",
            help: "Compute the metrics that would be estimated on a large corpus \
                   (docs/reference/metrics.md); takes about as long as the topics",
            ..FLAG
        },
        (IN_ALL, Place::Last),
        field!(settings.exact_norms),
    ),
    RunSetting::new("memory", MEMORY, (IN_ALL, Place::AfterModel), field!(settings.memory))
        .not_described()
        .without_effect(),
    RunSetting::new(
        "parts",
        PARTS,
        (Commands::Parts, Place::None),
        Access::Text { form: "a pattern with `{rank}`", get: parts, set: not_typed },
    )
    .described(|request| {
        let count = request.settings.parts.as_ref()?.count;
        Some(format!("documents in {count} parts"))
    })
    .fitted(|request, before| {
        request.settings.parts.take_if(|_| request.corpus != before.corpus);
    }),
    RunSetting::new(
        "factorise",
        Definition {
            name: "factorise",
            help: "eigenpairs that are computed, of which the run takes the first K, as the runs of a sweep share \
                   those of its largest K",
            placeholder: "PAIRS",
            kind: Kind::Count { from: 2, to: u64::MAX },
            auto: Some(UNSET),
        },
        (Commands::Run, Place::None),
        field!(settings.factorise),
    )
    .without_effect()
    .described(|request| {
        let pairs = request.settings.factorise.filter(|&pairs| pairs != request.k)?;
        Some(format!("the first {} of {pairs} eigenpairs", request.k))
    })
    .fitted(|request, before| {
        let is_other_model = request.origin.name() != before.origin.name();
        let shares = !is_other_model || request.origin.shares_factorisation().is_some();
        request.settings.factorise.take_if(|pairs| *pairs < request.k || !shares);
    }),
];

fn written(is_written: bool) -> Result<(), String> {
    is_written.then_some(()).ok_or_else(|| "a number that this machine has no room for".into())
}

fn typed(value: Option<impl ToString>) -> Content {
    value.map_or(Content::Unset, |value| Content::Typed(value.to_string()))
}

fn not_typed(_: &mut RunRequest, _: Option<&str>) -> Result<(), String> {
    Ok(())
}

/// The rules of the vocabulary keep as many terms as the run has.
fn set_terms(request: &mut RunRequest, value: Value) -> Result<(), String> {
    let before = request.settings.terms;
    written(request.settings.terms.set(value))?;
    if let Some(VocabularyChoice::Rules(rules)) = &mut request.settings.vocabulary
        && rules.terms == Some(before)
    {
        rules.terms = Some(request.settings.terms);
    }
    Ok(())
}

/// Another seed holds other documents out.
fn set_seed(request: &mut RunRequest, value: Value) -> Result<(), String> {
    let before = request.seed;
    written(request.seed.set(value))?;
    if let (Some(share), true) = (request.settings.held_out, request.seed != before) {
        request.settings = request.settings.clone().holding_out(share, request.seed);
    }
    Ok(())
}

fn set_held_out(request: &mut RunRequest, value: Value) -> Result<(), String> {
    match value {
        Value::Real(share) => {
            request.settings = request.settings.clone().holding_out(share, request.seed);
        }
        _ if request.settings.held_out.is_some() => {
            (request.settings.held_out, request.settings.sample) = (None, None);
        }
        _ => {}
    }
    Ok(())
}

/// The sample of the documents, but for that which the share held out and the seed draw.
fn sample(request: &RunRequest) -> Content {
    let settings = &request.settings;
    match (settings.held_out, settings.sample) {
        (_, None) => Content::Unset,
        (None, Some(sample)) => {
            let share = in_percent(sample.share());
            Content::Described(format!("made from a random {share} of the documents"))
        }
        (Some(share), Some(sample)) => {
            let drawn = settings.clone().holding_out(share, request.seed).sample;
            match drawn == Some(sample) {
                true => Content::Unset,
                false => Content::Described(format!("documents split by seed {}", sample.seed)),
            }
        }
    }
}

fn start(request: &RunRequest) -> Content {
    match (request.settings.start, request.origin.starts_from_topics()) {
        (Some(start), true) => Content::Typed(start.to_string()),
        (Some(start), false) => Content::Described(format!("started from run {start}")),
        (None, _) => Content::Unset,
    }
}

fn set_start(request: &mut RunRequest, text: Option<&str>) -> Result<(), String> {
    let number = text.map(str::parse).transpose();
    request.settings.start = number.map_err(|_| {
        let text = text.unwrap_or_default();
        format!("{text:?} is not the number of a run; `topoi runs` lists them")
    })?;
    Ok(())
}

fn revises(request: &RunRequest) -> Content {
    match request.settings.start.filter(|_| request.settings.revises) {
        Some(start) => Content::Described(format!("continues run {start}")),
        None => Content::Unset,
    }
}

fn updated(request: &RunRequest) -> Content {
    match request.settings.start.filter(|_| request.settings.keeps_numbers) {
        Some(start) => Content::Described(format!("updates run {start}")),
        None => Content::Unset,
    }
}

fn seeds(request: &RunRequest) -> Content {
    let Some(Seeds(topics)) = &request.settings.seeds else { return Content::Unset };
    let words: usize = topics.iter().map(|seeded| seeded.words.len()).sum();
    let words = counted(words as u64, "word");
    Content::Described(format!("{words} of {}", counted(topics.len() as u64, "topic")))
}

fn parts(request: &RunRequest) -> Content {
    typed(request.settings.parts.as_ref().map(|InParts { pattern, .. }| pattern))
}

fn refinement_in_words(request: &RunRequest) -> String {
    let Some(own) = request.settings.refinement(&request.origin) else {
        return "topics as the model finds them".into();
    };
    let gain = match own.gain == RunSettings::default().refine_gain {
        true => String::new(),
        false => format!(" that each gain {} nats a token", own.gain),
    };
    let passes = (own.passes > 0).then(|| format!("up to {} passes{gain}", own.passes));
    // The usual number follows the corpus.
    let sweeps = own.sweeps.filter(|sweeps| *sweeps > 0);
    let sweeps = sweeps.map(|sweeps| format!("{} of a sampler", counted(sweeps as u64, "sweep")));
    let both: Vec<String> = passes.into_iter().chain(sweeps).collect();
    format!("finished by {}", both.join(" and "))
}

fn vocabulary(request: &RunRequest) -> Content {
    let described = || Content::Described(vocabulary_in_words(&request.settings));
    match &request.settings.vocabulary {
        Some(VocabularyChoice::Saved(name)) => Content::Typed(name.clone()),
        // The flags of rules keep the number of terms of the run.
        Some(VocabularyChoice::Rules(rules)) if rules.terms == Some(request.settings.terms) => {
            Content::Unset
        }
        None => Content::Unset,
        Some(_) => described(),
    }
}

/// Leaves rules where no name is given.
fn set_vocabulary(request: &mut RunRequest, name: Option<&str>) -> Result<(), String> {
    let choice = &mut request.settings.vocabulary;
    match name {
        Some(name) => *choice = Some(VocabularyChoice::Saved(name.into())),
        None => {
            choice.take_if(|choice| !matches!(choice, VocabularyChoice::Rules(_)));
        }
    }
    Ok(())
}

fn rules(request: &RunRequest) -> Option<&Rules> {
    match &request.settings.vocabulary {
        Some(VocabularyChoice::Rules(rules)) => Some(rules),
        _ => None,
    }
}

/// Changes the rules of the vocabulary; without a rule there is none but the number of terms.
fn set_rule(
    request: &mut RunRequest,
    is_unset: bool,
    change: impl FnOnce(&mut Rules),
) -> Result<(), String> {
    let plain = Rules::best_by_tf_idf(request.settings.terms);
    let choice = &mut request.settings.vocabulary;
    match choice {
        None if is_unset => {}
        None => change_into(choice, plain, change),
        Some(VocabularyChoice::Rules(rules)) => {
            change(rules);
            choice.take_if(|choice| is_unset && *choice == VocabularyChoice::Rules(plain));
        }
        Some(_) if is_unset => {}
        Some(_) => {
            let words = vocabulary_in_words(&request.settings);
            return Err(format!("no rule goes with {words}; leave one of them out"));
        }
    }
    Ok(())
}

fn change_into(
    choice: &mut Option<VocabularyChoice>,
    mut rules: Rules,
    change: impl FnOnce(&mut Rules),
) {
    change(&mut rules);
    *choice = Some(VocabularyChoice::Rules(rules));
}

fn wrong_rule(text: Option<&str>, error: &impl ToString) -> String {
    let text = text.unwrap_or_default();
    match error.to_string() {
        // Rust's words for a number that is none.
        error if error.contains("digit") || error.contains("integer") => {
            format!("{text:?} is not a whole number, 0 or more")
        }
        error => error,
    }
}

/// Rules that say nothing else are rules by their ranking.
fn ranking(request: &RunRequest) -> Value {
    match rules(request) {
        Some(rules) if rules.by == Ranking::Count => rules.by.value(),
        Some(rules) if *rules == (Rules { terms: rules.terms, ..Rules::default() }) => {
            rules.by.value()
        }
        _ => Value::Auto,
    }
}

fn set_ranking(request: &mut RunRequest, value: Value) -> Result<(), String> {
    let mut by = Ranking::default();
    let is_unset = !by.set(value);
    set_rule(request, is_unset, |rules| rules.by = by)
}

/// The stop words of a language whose code is given in place of a file, where there is no such file.
fn stop_words_or_terms_in(path: &Path) -> Result<Vec<String>, String> {
    let code = path.to_str().filter(|_| !path.exists());
    match code.and_then(normal_words) {
        Some(words) => Ok(words.to_vec()),
        None => terms_in(path).map_err(|error| format!("{error}, or the code of a language (es)")),
    }
}

/// The lines of a file without those that are blank.
fn terms_in(path: &Path) -> Result<Vec<String>, String> {
    let text = read_list(path).map_err(|error| {
        let reason = match error {
            IngestError::Unreadable { file, source } => format!("{file}: {source}"),
            other => other.to_string(),
        };
        format!("{reason}; give a file of terms, one a line")
    })?;
    let lines = lines_of(&text).map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use topoi_core::model::Model;

    #[test]
    fn every_field_that_a_run_saves_has_an_entry_and_every_entry_a_field() {
        let mut request = RunRequest::new("c", 2);
        request.settings = RunSettings {
            factorise: Some(4),
            exact_norms: true,
            parts: Some(InParts { pattern: "{rank}".into(), count: 2 }),
            start: Some(RunId(1)),
            keeps_numbers: true,
            revises: true,
            vocabulary: Some(VocabularyChoice::Saved("core".into())),
            seeds: Some(Seeds(Vec::new())),
            ..RunSettings::default().holding_out(0.5, 1)
        };
        let saved = serde_json::to_value(&request.settings).expect("JSON");
        let saved: BTreeSet<String> =
            saved.as_object().expect("an object").keys().cloned().collect();
        let entries = RUN_SETTINGS.iter().map(|setting| setting.key.to_string());
        // The seed has a column.
        assert_eq!(entries.filter(|key| key != "seed").collect::<BTreeSet<String>>(), saved);
        let names: BTreeSet<&str> = RUN_SETTINGS.iter().map(RunSetting::name).collect();
        assert_eq!(names.len(), RUN_SETTINGS.len(), "no two have the same name");
    }

    #[test]
    fn what_is_set_is_read_back_and_can_be_unset() {
        let plain = RunRequest::new("c", 20);
        for (name, text) in [
            ("terms", "300"),
            ("seed", "7"),
            ("refine", "5"),
            ("sweeps", "7"),
            ("vocabulary", "core"),
            ("min-documents", "5"),
            ("max-documents", "0.5"),
            ("min-count", "3"),
            ("matching", "[a-z]+"),
            ("by", "count"),
            ("by", "tf-idf"),
            ("held-out", "0.2"),
            ("start", "3"),
            ("no-documents", "yes"),
            ("exact-norms", "yes"),
        ] {
            let setting = RunSetting::named(name).expect(name);
            let mut request = plain.clone();
            request.origin = Model::from_name("lda-gibbs").expect("a model").into();
            let before = request.clone();
            setting.set(&mut request, Some(text)).expect(name);
            assert_ne!(request, before, "{name}");
            assert_eq!(setting.content(&request), Content::Typed(text.into()));
            let usual = setting.default_value().filter(|_| setting.definition.auto.is_none());
            let off = (setting.definition.kind == Kind::Flag).then(|| "no".to_string());
            setting.set(&mut request, usual.or(off).as_deref()).expect(name);
            assert_eq!(request, before, "{name}");
        }
    }

    #[test]
    fn the_number_of_terms_and_the_seed_change_what_follows_from_them() {
        let mut request = RunRequest::new("c", 20);
        let set = |request: &mut RunRequest, name: &str, text: &str| {
            RunSetting::named(name).expect(name).set(request, Some(text))
        };
        set(&mut request, "min-count", "4").expect("a rule");
        set(&mut request, "held-out", "0.1").expect("a share");
        set(&mut request, "terms", "300").expect("a number");
        set(&mut request, "seed", "9").expect("a number");
        assert_eq!(rules(&request).and_then(|rules| rules.terms), Some(300));
        assert_eq!(request.settings.sample.map(|sample| sample.seed), Some(9));
        set(&mut request, "vocabulary", "core").expect("a name");
        let refused = set(&mut request, "min-count", "4").expect_err("a name and a rule");
        assert_eq!(refused, "no rule goes with vocabulary core; leave one of them out");
        for (name, text, expected) in [
            ("min-documents", "x", "\"x\" is neither a number of documents"),
            ("min-count", "x", "\"x\" is not a whole number, 0 or more"),
            ("held-out", "x", "held-out is \"x\", but must be a number"),
            ("start", "x", "\"x\" is not the number of a run"),
        ] {
            let refused = set(&mut RunRequest::new("c", 2), name, text).expect_err(name);
            assert!(refused.starts_with(expected), "{refused}");
        }
        set(&mut request, "held-out", "1").expect("a number");
        let held_out = RunSetting::named("held-out").expect("a setting");
        let refused = held_out.check(&request).expect_err("all").to_string();
        assert_eq!(refused, "held-out is 1, but must be above 0 and below 1");
    }
}
