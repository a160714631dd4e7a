//! The request for a run, checked before the row of the run is created.

mod again;
pub mod document_topics;
pub mod earlier_runs;
pub mod embeddings;
pub mod fields;
pub mod imported;
pub mod in_parts;
mod mallet_state;
mod mallet_weights;
pub mod origin;
pub mod presets;
pub mod setting;
pub mod settings;
pub mod start;
mod topic_array;
pub mod update;
pub mod usual;

use serde::{Deserialize, Serialize};

pub use self::origin::Origin;
use self::settings::RUN_SETTINGS;
pub use self::settings::RunSettings;
use super::work::material::vocabulary_size;
use super::work::work_error::WorkError;
use crate::number;
use crate::request::earlier_runs::corpus_size;
use crate::vocabulary::choice::ChoiceError;
use topoi_core::model::UnknownModel;
use topoi_core::model::setting::SettingError;
use topoi_store::corpus::Corpus;
use topoi_store::id::RunId;
use topoi_store::run::{NewRun, Run};
use topoi_store::{Store, StoreError};

/// A request for a run. [`RunRequest::submit`] checks it and creates the row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Name of the corpus.
    pub corpus: String,
    /// The model with its settings, or the origin of topics without a model.
    pub origin: Origin,
    /// Number of topics K, at least 2.
    pub k: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// All other settings.
    pub settings: RunSettings,
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The store cannot be read or written, or lacks a row.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The vocabulary does not exist, or its pattern is invalid.
    #[error("{0}")]
    Vocabulary(#[from] ChoiceError),
    /// There is no model of this name.
    #[error("{0}")]
    UnknownModel(#[from] UnknownModel),
    /// A setting of the run or its model is out of its range.
    #[error("{0}")]
    Setting(#[from] SettingError),
    /// The model needs more memory than allowed.
    #[error(
        "{model} would take about {needed:.1} GB of memory for {words} terms and {documents} \
         documents, and {limit} GB are allowed"
    )]
    TooMuchMemory {
        /// Name of the model on the command line.
        model: String,
        /// Memory needed, in GB.
        needed: f64,
        /// Terms of the vocabulary.
        words: usize,
        /// Documents of the corpus.
        documents: u64,
        /// GB allowed.
        limit: f64,
    },
    /// The model cannot be computed as a sum over documents.
    #[error(
        "{model} needs all documents on one machine, with about {needed:.1} GB of memory, and not in \
         {parts} parts"
    )]
    NeedsOneMachine {
        /// Name of the model on the command line.
        model: String,
        /// Number of parts.
        parts: usize,
        /// Memory needed, in GB.
        needed: f64,
    },
    /// The run cannot start from the topics of this run.
    #[error("run {start} {reason}")]
    Start {
        start: RunId,
        /// The reason, and the remedy.
        reason: String,
    },
    /// The model has no anchors that seeds could replace.
    #[error("{model} takes no seeds")]
    TakesNoSeeds {
        /// Name of the model on the command line.
        model: String,
    },
    /// A value is out of a range that depends on the corpus or on other settings.
    #[error("{field} is {value}, but must be {range}")]
    OutOfRange {
        /// Name of the flag, without dashes.
        field: &'static str,
        /// The value.
        value: String,
        /// The range in words.
        range: String,
    },
}

impl RunRequest {
    /// Parses the saved request of `run`.
    ///
    /// # Errors
    /// [`WorkError::Settings`].
    pub fn from_run(run: &Run) -> Result<Self, WorkError> {
        Ok(Self {
            corpus: run.corpus.clone(),
            origin: Origin::from_run(run)?,
            k: number::size(run.k),
            seed: run.seed,
            settings: RunSettings::from_run(run)?,
        })
    }

    /// Refuses saved settings that are out of range, as the row of `run` may come from another store.
    ///
    /// # Errors
    /// [`WorkError::Settings`].
    pub fn check_saved(&self, store: &Store, run: &Run) -> Result<(), WorkError> {
        let corpus = store.corpus_by_id(run.corpus_id)?;
        self.check_for(store, &corpus)
            .map_err(|e| WorkError::Settings { run: run.id, source: e.into() })
    }

    /// Why the saved settings of `run` are invalid in every version, if they are.
    pub fn invalid_settings(run: &Run) -> Option<String> {
        let other_model =
            || Some(format!("its model is {:?}, which is not that of its settings", run.model));
        let request = match Self::from_run(run) {
            // The settings of a model of a later version cannot be checked; they name the model too.
            Err(WorkError::UnknownModel { .. }) if Origin::is_named_alike(run) => return None,
            Err(WorkError::UnknownModel { .. }) => return other_model(),
            Err(error) => return Some(error.to_string()),
            Ok(request) if request.origin.name() != run.model => return other_model(),
            Ok(request) => request,
        };
        let mut settings = RUN_SETTINGS.iter();
        let checked = settings.try_for_each(|own| own.check(&request)).and_then(|()| {
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

    /// Checks the request against its ranges and its corpus, and saves it as a queued run. Returns the run's number;
    /// [`super::life::spawn::spawn_worker`] starts it.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn submit(&self, store: &Store) -> Result<RunId, RequestError> {
        let corpus = store.corpus(&self.corpus)?;
        self.check_start(store, &corpus)?;
        self.check_for(store, &corpus)?;
        // Fails now rather than leaving a run in the queue that no worker can be started for.
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

    /// The JSON that is saved in the row of the run; [`Self::from_run`] parses it.
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

    /// Checks the request for a corpus, of which `terms` terms can be used.
    ///
    /// # Errors
    /// [`RequestError`], naming field, value and range.
    pub fn check(&self, terms: u64, corpus: &Corpus) -> Result<(), RequestError> {
        let out = |field, value: String, range: String| {
            Err(RequestError::OutOfRange { field, value, range })
        };
        RUN_SETTINGS.iter().try_for_each(|own| own.check(self))?;
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
        let pairs = self.settings.factorise.map(|pairs| pairs as u64);
        if let Some(pairs) = pairs.filter(|pairs| !(self.k as u64..=most).contains(pairs)) {
            return out("factorise", pairs.to_string(), format!("from k to {most}"));
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
        self.settings.check_pattern()?;
        if let Some(sample) = self.settings.sample.filter(|sample| !sample.is_valid()) {
            let range = "two numbers from 0 to 1, the smaller first".into();
            return out("sample", format!("{}..{}", sample.from, sample.to), range);
        }
        self.check_memory(number::size(vocabulary), corpus)
    }

    /// Estimated bytes of memory on `corpus` with a vocabulary of `words` terms, within a factor of two.
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
