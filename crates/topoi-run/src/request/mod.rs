//! What a user asks for, checked once before a run's row is made.

mod again;
pub mod earlier_runs;
pub mod fields;
pub mod imported;
pub mod in_parts;
mod mallet_state;
pub mod origin;
pub mod presets;
pub mod start;
pub mod update;
pub mod usual;

use serde::{Deserialize, Serialize};

use self::fields::{AFTER_THE_MODEL, BEFORE_THE_MODEL};
use self::in_parts::InParts;
pub use self::origin::Origin;
use super::shaping::seeds::Seeds;
use super::work::material::vocabulary_size;
use super::work::work_error::WorkError;
use crate::request::earlier_runs::corpus_size;
use crate::vocabulary::choice::{ChoiceError, VocabularyChoice};
use topoi_core::model::refine::{self, RefineSettings};
use topoi_core::model::setting::SettingError;
use topoi_core::model::{Model, UnknownModel};
use topoi_core::stream::documents::sample::Sample;
use topoi_store::corpus::Corpus;
use topoi_store::run::{NewRun, Run};
use topoi_store::{Store, StoreError};

/// A run as asked for. [`RunRequest::submit`] checks it and makes the row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Name of the corpus.
    pub corpus: String,
    /// The model with its settings, or the file its topics are from.
    pub origin: Origin,
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
    pub start: Option<i64>,
    /// Whether topics have the numbers of those of `start` that they are most like.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keeps_numbers: bool,
    /// The vocabulary, where it is not just the best `terms` by tf·idf.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<VocabularyChoice>,
    /// The words that its first topics are anchored by; the others are found beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl RunSettings {
    /// The share of the documents that `run` is made from; 1 where its settings do not say.
    pub fn share_of_documents(run: &Run) -> f64 {
        let sample = Self::of(run).ok().and_then(|settings| settings.sample);
        sample.map_or(1.0, |sample| sample.to - sample.from)
    }

    /// Whether `run` is made from a part of the documents to tell how stable the topics of another are:
    /// nobody wants to read it, or to see it as the newest run.
    pub fn is_half(run: &Run) -> bool {
        let settings = Self::of(run).ok();
        settings.is_some_and(|own| own.sample.is_some() && own.held_out.is_none())
    }

    /// How topics of `origin` are refined; `None` where they are not.
    pub fn refinement(&self, origin: &Origin) -> Option<RefineSettings> {
        let passes = self.refine.unwrap_or(origin.card().default_refine);
        (passes > 0).then_some(RefineSettings { passes, gain: self.refine_gain })
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
            factorise: None,
            memory: 4.0,
            refine: None,
            refine_gain: refine::GAIN,
            documents: true,
            exact_norms: false,
            held_out: None,
            sample: None,
            parts: None,
            start: None,
            keeps_numbers: false,
            vocabulary: None,
            seeds: None,
        }
    }
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
    #[error(transparent)]
    UnknownModel(#[from] UnknownModel),
    /// A setting of the run or its model is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The model would take more memory than is allowed.
    #[error(
        "{model} would take about {needed:.1} GB of memory for {words} terms and {documents} \
         documents, and {limit} GB are allowed; use fewer --terms, --model lr-jsmf, or a higher \
         --memory"
    )]
    TooMuchMemory {
        /// Its name on the command line.
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
        /// Its name on the command line.
        model: String,
        /// Parts there are.
        parts: usize,
        /// GB it would take.
        needed: f64,
    },
    /// The run whose topics it is to start from is not one that it can.
    #[error("run {start} {reason}")]
    Start {
        /// Its row id.
        start: i64,
        /// What about it, and what to do.
        reason: String,
    },
    /// Seeds are given to a model without anchors that could be chosen.
    #[error(
        "{model} takes no seeds; leave --seeds out, or use --model {those}",
        those = Model::names_that(|model| model.card().takes_seeds)
    )]
    TakesNoSeeds {
        /// Its name on the command line.
        model: String,
    },
    /// What depends on the corpus, or on other settings, is out of its range.
    #[error("{field} is {value}, but must be {range}; change --{field}")]
    OutOfRange {
        /// Its flag, without dashes.
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
            origin: Origin::of(run)?,
            k: run.k as usize,
            seed: run.seed,
            settings: RunSettings::of(run)?,
        })
    }

    /// Refuses to work by what `run` was saved with where no request could have it: its row may have
    /// come with a store from elsewhere.
    ///
    /// # Errors
    /// [`WorkError::Settings`], or when the store cannot be read.
    pub fn check_saved(&self, store: &Store, run: &Run) -> Result<(), WorkError> {
        let corpus = store.corpus_by_id(run.corpus_id)?;
        self.check_for(store, &corpus)
            .map_err(|e| WorkError::Settings { run: run.id, reason: e.to_string() })
    }

    /// What about the settings of `run` no version could have saved.
    pub fn what_is_wrong(run: &Run) -> Option<String> {
        let other_model =
            || Some(format!("its model is {:?}, which is not that of its settings", run.model));
        let request = match Self::of(run) {
            // A model of a later version is none of this one's business; its settings name it too.
            Err(WorkError::UnknownModel { .. }) if Origin::is_named_alike(run) => return None,
            Err(WorkError::UnknownModel { .. }) => return other_model(),
            Err(error) => return Some(error.to_string()),
            Ok(request) if request.origin.name() != run.model => return other_model(),
            Ok(request) => request,
        };
        let own = || BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL);
        let checked = own().try_for_each(|own| own.check(&request)).and_then(|()| {
            let Origin::Model(model) = &request.origin else { return Ok(()) };
            model.any().check()
        });
        checked.err().map(|error| format!("no run can have its settings: {error}"))
    }

    /// A request for the default model with default settings.
    pub fn new(corpus: &str, k: usize) -> Self {
        Self {
            corpus: corpus.into(),
            origin: Origin::default(),
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
        self.check_start(store, &corpus)?;
        self.check_for(store, &corpus)?;
        // One that no worker could be started for would wait, and begin when nobody expects it any more.
        store.open_log(None)?;
        let run = store.create_run(&NewRun {
            corpus_id: corpus.id,
            model: self.origin.name(),
            k: self.k as u64,
            seed: self.seed,
            settings: &self.saved_settings(),
        })?;
        if let Origin::Shaped(shaping) = &self.origin {
            store.set_parent(run, shaping.parent)?;
        }
        Ok(run)
    }

    /// The JSON that is saved in its row; [`Self::of`] reads it.
    pub fn saved_settings(&self) -> String {
        self.origin.saved_with(&self.settings)
    }

    /// Checks the request against its ranges and its corpus.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn check_for(&self, store: &Store, corpus: &Corpus) -> Result<(), RequestError> {
        self.check_parts(store, corpus)?;
        self.check(vocabulary_size(store, corpus, &self.settings)?, corpus)
    }

    /// Checks the request for a corpus, of which this many terms can be used.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn check(&self, terms: u64, corpus: &Corpus) -> Result<(), RequestError> {
        let out = |field, value: String, range: String| {
            Err(RequestError::OutOfRange { field, value, range })
        };
        BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL).try_for_each(|own| own.check(self))?;
        let documents = corpus.documents;
        let vocabulary = (self.settings.terms as u64).min(terms);
        let most = vocabulary.min(documents);
        if self.k < 2 || self.k as u64 > most {
            let cut = match self.k as u64 > documents {
                true => ", `topoi ingest --chunk` makes more of long ones",
                false => "",
            };
            let range = format!(
                "from 2 to {most} (the corpus has {documents} documents{cut}, \
                 the vocabulary {vocabulary} terms)"
            );
            return out("k", self.k.to_string(), range);
        }
        if let Origin::Model(model) = &self.origin {
            model.any().check()?;
        }
        let seeded = self.settings.seeds.as_ref().map_or(0, |seeds| seeds.0.len());
        if seeded > self.k {
            let range = format!("{seeded} or more, a topic for each that has seeds");
            return out("k", self.k.to_string(), range);
        }
        if self.settings.seeds.is_some() && !self.origin.card().takes_seeds {
            return Err(RequestError::TakesNoSeeds { model: self.origin.name().into() });
        }
        if !self.settings.holds_out_well() {
            let share = self.settings.held_out.unwrap_or_default();
            return out("held-out", share.to_string(), "above 0 and below 1".into());
        }
        if let Some(sample) = self.settings.sample.filter(|sample| !sample.is_valid()) {
            let range = "two numbers from 0 to 1, the smaller first".into();
            return out("sample", format!("{}..{}", sample.from, sample.to), range);
        }
        self.check_memory(vocabulary as usize, corpus)
    }

    /// Bytes of memory it takes on `corpus`, of which `words` terms are used, within a factor of two.
    pub(super) fn bytes(&self, corpus: &Corpus, words: usize) -> usize {
        let model = self.origin.card().bytes(corpus_size(corpus, words), self.k);
        model.saturating_add(self.settings.bytes_to_score(corpus.tokens))
    }

    fn check_memory(&self, words: usize, corpus: &Corpus) -> Result<(), RequestError> {
        let limit = self.settings.memory;
        let bytes = self.bytes(corpus, words) as f64;
        if bytes > limit * 1e9 {
            return Err(RequestError::TooMuchMemory {
                model: self.origin.name().into(),
                needed: bytes / 1e9,
                words,
                documents: corpus.documents,
                limit,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_always_saved_and_is_not_there_is_an_error_that_names_it() {
        let saved = RunRequest::new("c", 2).saved_settings();
        let whole: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
        for key in ["terms", "min_tokens", "threads", "memory", "refine_gain", "documents"] {
            let mut torn = whole.clone();
            assert!(torn.as_object_mut().expect("an object").remove(key).is_some(), "{key}");
            let error = serde_json::from_value::<RunSettings>(torn).expect_err(key).to_string();
            assert_eq!(error, format!("missing field `{key}`"));
        }
    }
}
