//! What a user asks for, checked once before a run's row is made.

pub mod estimate;
pub mod factor_choices;
pub mod fields;
pub mod imported;
pub mod in_parts;
mod mallet_state;
pub mod memory;
pub mod models;
pub mod repetition;
pub mod separable_choices;
pub mod update;
pub(crate) mod vocabulary;

use serde::{Deserialize, Serialize};

use self::factor_choices::FactorChoices;
use self::fields::Field;
use self::imported::Import;
use self::in_parts::InParts;
use self::models::{CorpusSize, IMPORTED, MODELS, model_card};
use self::separable_choices::SeparableChoices;
use self::vocabulary::size;
use super::work::work_error::WorkError;
use crate::store::corpus::Corpus;
use crate::store::run::{NewRun, Run};
use crate::store::{Store, StoreError};
use crate::stream::sample::Sample;
use crate::vocabulary::choice::{ChoiceError, VocabularyChoice};

/// Passes of refining at most.
const MOST_PASSES: usize = 1000;

/// A run as asked for. [`RunRequest::submit`] checks it and makes the row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the model, one of [`self::models::MODELS`].
    pub model: String,
    /// Number of topics K, at least 2.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Everything else.
    pub settings: RunSettings,
}

/// Everything of a run that is saved as JSON in its row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// Size of the vocabulary: the best terms by tf·log⌊M/df⌋ (Lee 2021, §5).
    pub terms: usize,
    /// Documents with fewer tokens in the vocabulary are left out; at least 2. The paper's 5.
    pub min_tokens: u64,
    /// Threads; 0 is one per core. Never changes the result.
    pub threads: usize,
    /// The factorisation stops at this residual relative to the K-th eigenvalue.
    pub tolerance: f64,
    /// Iterations; `None` is as many as the model's card says.
    pub iterations: Option<usize>,
    /// l, the rows whose negative entries ENN corrects; `None` is the paper's 10K + 1000.
    #[serde(default)]
    pub rows: Option<usize>,
    /// The number of topics that eigenpairs are computed for, at least K, of which the run takes
    /// the first; `None` is K. Runs that have it in common can share one factorisation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factorise: Option<usize>,
    /// A model that would take more memory than this many GB is refused. Never changes a result.
    #[serde(default = "default_memory")]
    pub memory: f64,
    /// What only separable models are told.
    #[serde(default, skip_serializing_if = "SeparableChoices::is_plain")]
    pub separable: SeparableChoices,
    /// Passes of EM over the documents that the model's topics are refined by.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refine: usize,
    /// Whether it finds the topics of its documents. Runs of versions without them have none.
    #[serde(default)]
    pub documents: bool,
    /// The file its topics are from, where no model here made them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<Import>,
    /// The share of documents that it is not made from and is scored by; `sample` is the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<f64>,
    /// The documents it is made from, where those are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// What only models that factorise the counts are told.
    #[serde(default, skip_serializing_if = "FactorChoices::is_plain")]
    pub factor: FactorChoices,
    /// The parts that its documents are in, where it is not made from this store's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<InParts>,
    /// The run whose eigenvectors it starts from, or whose sums it adds to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// The vocabulary, where it is not just the best `terms` by tf·idf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<VocabularyChoice>,
}

fn default_memory() -> f64 {
    4.0
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl RunSettings {
    /// The share of the documents that `run` is made from; 1 where its settings do not say.
    pub fn share_of_documents(run: &Run) -> f64 {
        let sample = Self::of(run).ok().and_then(|settings| settings.sample);
        sample.map_or(1.0, |sample| sample.to - sample.from)
    }

    /// As they are saved.
    pub fn to_json(&self) -> String {
        // Numbers and names: there is always a JSON of them.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The settings a run was saved with.
    ///
    /// # Errors
    /// [`WorkError::Settings`].
    pub fn of(run: &Run) -> Result<Self, WorkError> {
        serde_json::from_str(&run.settings)
            .map_err(|e| WorkError::Settings { run: run.id, reason: e.to_string() })
    }
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            terms: 5000,
            min_tokens: 5,
            threads: 0,
            tolerance: 1e-4,
            iterations: None,
            rows: None,
            factorise: None,
            memory: default_memory(),
            separable: SeparableChoices::default(),
            refine: 0,
            documents: true,
            import: None,
            held_out: None,
            factor: FactorChoices::default(),
            sample: None,
            parts: None,
            start: None,
            vocabulary: None,
        }
    }
}

impl RunSettings {
    /// The first setting that differs from the usual and that a model does not know.
    pub fn unknown_to(&self, model: &str) -> Option<Field> {
        let Self { separable, factor, .. } = self;
        let given = [
            (self.tolerance != Self::default().tolerance, fields::TOLERANCE),
            (self.iterations.is_some(), fields::ITERATIONS),
            (self.rows.is_some(), fields::ROWS),
            (separable.projections.is_some(), fields::PROJECTIONS),
            (separable.distance.is_some(), fields::DISTANCE),
            (separable.margin.is_some(), fields::MARGIN),
            (separable.least_angle != 0.0, fields::LEAST_ANGLE),
            (separable.clustering.is_some(), fields::CLUSTERING),
            (separable.keep_sums, fields::KEEP_SUMS),
            (factor.gamma.is_some(), fields::GAMMA),
            (factor.start.is_some(), fields::START),
            (factor.monotone, fields::MONOTONE),
            (factor.rho.is_some(), fields::RHO),
        ];
        let is_unknown = |(is_given, field): &(bool, Field)| *is_given && !field.is_of(model);
        given.into_iter().find(is_unknown).map(|(_, field)| field)
    }
}

fn model_names() -> String {
    MODELS.iter().map(|card| card.name).collect::<Vec<_>>().join(", ")
}

/// Why a request is not a run.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The store says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such vocabulary.
    #[error(transparent)]
    Vocabulary(#[from] ChoiceError),
    /// No such model.
    #[error("there is no model {name:?}; the models are: {}", model_names())]
    UnknownModel {
        /// The name asked for.
        name: String,
    },
    /// The model would take more memory than is allowed.
    #[error(
        "{model} would take about {needed:.1} GB of memory for {words} terms and {documents} \
         documents, and {limit} GB are allowed; use fewer --terms, --model lr-jsmf, or a higher \
         --memory"
    )]
    TooMuchMemory {
        /// The model.
        model: String,
        /// GB it would take.
        needed: f64,
        /// Terms of the vocabulary.
        words: usize,
        /// Documents of the corpus.
        documents: u64,
        /// GB allowed.
        limit: f64,
    },
    /// The model is no sum over documents.
    #[error(
        "{model} needs all documents on one machine, with about {needed:.1} GB of memory, and not in \
         {parts} parts; use a model that streams, such as lr-jsmf"
    )]
    NeedsOneMachine {
        /// The model.
        model: String,
        /// Parts there are.
        parts: usize,
        /// GB it would take.
        needed: f64,
    },
    /// A setting is out of its range.
    #[error("{field} is {value}, but must be {range}; change --{field}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// What was asked for.
        value: String,
        /// What it may be.
        range: String,
    },
}

impl RunRequest {
    /// The request that `run` was saved as.
    ///
    /// # Errors
    /// [`WorkError::Settings`].
    pub fn of(run: &Run) -> Result<Self, WorkError> {
        Ok(Self {
            corpus: run.corpus.clone(),
            model: run.model.clone(),
            k: run.k as usize,
            seed: run.seed,
            settings: RunSettings::of(run)?,
        })
    }

    /// A request with default settings.
    pub fn new(corpus: &str, k: usize) -> Self {
        Self {
            corpus: corpus.into(),
            model: MODELS[0].name.into(),
            k,
            seed: 1,
            settings: RunSettings::default(),
        }
    }

    /// Checks the request against its ranges and its corpus, and saves it as a queued run.
    /// Returns the run's number; [`super::life::spawn::spawn_worker`] starts it.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn submit(&self, store: &Store) -> Result<i64, RequestError> {
        let corpus = store.corpus(&self.corpus)?;
        self.check_for(store, &corpus)?;
        let settings = self.settings_with_iterations().to_json();
        Ok(store.create_run(&NewRun {
            corpus_id: corpus.id,
            model: &self.model,
            k: self.k as u64,
            seed: self.seed,
            settings: &settings,
        })?)
    }

    /// Its settings with the model's own number of iterations where they do not say.
    pub fn settings_with_iterations(&self) -> RunSettings {
        let own = model_card(&self.model).map(|card| card.iterations);
        RunSettings { iterations: self.settings.iterations.or(own), ..self.settings.clone() }
    }

    /// Checks the request against its ranges and its corpus.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn check_for(&self, store: &Store, corpus: &Corpus) -> Result<(), RequestError> {
        self.check_parts(store, corpus)?;
        self.check(size(store, corpus, &self.settings)?, corpus)
    }

    /// Checks the request for a corpus, of which this many terms can be used.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn check(&self, terms: u64, corpus: &Corpus) -> Result<(), RequestError> {
        // Topics are either from a model or from a file.
        let is_imported = self.model == IMPORTED.name;
        if model_card(&self.model).is_none() || is_imported != self.settings.import.is_some() {
            return Err(RequestError::UnknownModel { name: self.model.clone() });
        }
        let out = |field, value: String, range: String| {
            Err(RequestError::OutOfRange { field, value, range })
        };
        let documents = corpus.documents;
        let vocabulary = (self.settings.terms as u64).min(terms);
        let most = vocabulary.min(documents);
        if self.k < 2 || self.k as u64 > most {
            let range = format!(
                "from 2 to {most} (the corpus has {documents} documents, \
                 the vocabulary {vocabulary} terms)"
            );
            return out("k", self.k.to_string(), range);
        }
        if self.settings.terms < 2 {
            return out("terms", self.settings.terms.to_string(), "2 or more".into());
        }
        if self.settings.min_tokens < 2 {
            return out("min-tokens", self.settings.min_tokens.to_string(), "2 or more".into());
        }
        let tolerance = self.settings.tolerance;
        if !(1e-12..=0.1).contains(&tolerance) {
            return out("tolerance", tolerance.to_string(), "between 1e-12 and 0.1".into());
        }
        if self.settings.refine > MOST_PASSES {
            let range = format!("at most {MOST_PASSES}");
            return out("refine", self.settings.refine.to_string(), range);
        }
        if self.settings.rows == Some(0) {
            return out("rows", "0".into(), "1 or more".into());
        }
        if !self.settings.holds_out_well() {
            let share = self.settings.held_out.unwrap_or_default();
            return out("held-out", share.to_string(), "above 0 and below 1".into());
        }
        if let Some(sample) = self.settings.sample.filter(|sample| !sample.is_valid()) {
            let range = "two numbers from 0 to 1, the smaller first".into();
            return out("sample", format!("{}..{}", sample.from, sample.to), range);
        }
        if let Some((field, value, range)) = self.settings.separable.out_of_range() {
            return out(field, value, range.into());
        }
        if let Some((field, value, range)) = self.settings.factor.out_of_range() {
            return out(field, value, range.into());
        }
        self.check_memory(vocabulary as usize, corpus)?;
        if let Some(iterations) = self.settings.iterations.filter(|&count| count > 10_000) {
            return out("iterations", iterations.to_string(), "at most 10000".into());
        }
        Ok(())
    }

    fn check_memory(&self, words: usize, corpus: &Corpus) -> Result<(), RequestError> {
        let limit = self.settings.memory;
        if !(limit > 0.0 && limit.is_finite()) {
            let (value, range) = (limit.to_string(), "a number of GB above 0".into());
            return Err(RequestError::OutOfRange { field: "memory", value, range });
        }
        let size = CorpusSize::of(corpus, words);
        let bytes = model_card(&self.model).map_or(0, |card| card.bytes(size, self.k)) as f64;
        if bytes > limit * 1e9 {
            return Err(RequestError::TooMuchMemory {
                model: self.model.clone(),
                needed: bytes / 1e9,
                words,
                documents: corpus.documents,
                limit,
            });
        }
        Ok(())
    }
}
