//! Why the work of a run ended without a result.

use crate::groups::fields::FieldError;
use crate::life::threads::NO_THREAD;
use crate::request::imported::ImportError;
use crate::shaping::ShapingError;
use crate::vocabulary::choice::ChoiceError;
use crate::vocabulary::rules::InvalidPattern;
use topoi_core::effects::EffectsError;
use topoi_core::model::ModelError;
use topoi_core::stream::StreamError;
use topoi_store::StoreError;
use topoi_store::id::RunId;

/// Why the work of a run ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Documents cannot be grouped as requested.
    #[error("{0}")]
    Field(#[from] FieldError),
    /// Effects of fields cannot be estimated as requested.
    #[error("{0}")]
    Effects(#[from] EffectsError),
    /// The model gave no topics.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// The saved settings cannot be parsed.
    #[error("run {run}: its settings do not parse ({source}); it was saved by another version")]
    Settings {
        /// Row id of the run.
        run: RunId,
        /// The error of the JSON parser, or of the check of the settings.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// This program does not have the run's model.
    #[error("run {run}: there is no model {model:?} in this version; update topoi")]
    UnknownModel {
        /// Row id of the run.
        run: RunId,
        /// Name of the model, as on the command line.
        model: String,
    },
    /// The run has no topics.
    #[error("run {run} has no saved topics to measure")]
    NoTopics {
        /// Row id of the run.
        run: RunId,
    },
    /// The run has no topics of documents.
    #[error("run {run} did not save what its documents are about")]
    NoDocuments {
        /// Row id of the run.
        run: RunId,
    },
    /// The topics of the run's documents are in the stores of the parts of its corpus.
    #[error("the documents of run {run} and their topics are in the stores of {parts} parts")]
    DocumentsInParts {
        /// Row id of the run.
        run: RunId,
        /// Number of parts of the corpus.
        parts: u64,
    },
    /// There is nothing to tell the uncertainty of topics from.
    #[error("run {run} has no runs on halves of its documents whose topics all match its own")]
    NoHalves {
        /// Row id of the run.
        run: RunId,
    },
    /// Another process works on the run.
    #[error("another process works on run {run}")]
    InUse {
        /// Row id of the run.
        run: RunId,
    },
    /// The documents of the run have changed, so that it cannot be measured again.
    #[error("run {run}: the corpus no longer holds the documents it was made from")]
    OtherDocuments {
        /// Row id of the run.
        run: RunId,
    },
    /// The corpus has changed since the run began, so that it cannot continue.
    #[error("run {run}: corpus {corpus} has changed since the run began")]
    CorpusChanged {
        /// Row id of the run.
        run: RunId,
        /// Name of the corpus.
        corpus: String,
    },
    /// This version chooses another vocabulary than the run began with, so that it cannot continue.
    #[error(
        "run {run}: this version of topoi chooses another vocabulary than the one the run began with"
    )]
    VocabularyChanged {
        /// Row id of the run.
        run: RunId,
    },
    /// The file of topics cannot be read, or has changed.
    #[error("{0}")]
    Import(#[from] ImportError),
    /// The sums of the run were computed in parts, so that it cannot be repeated in one place.
    #[error("run {run} was made in {parts} parts, and the last bits of its sums are theirs")]
    WasInParts {
        /// Row id of the run.
        run: RunId,
        /// Number of parts of the corpus.
        parts: usize,
    },
    /// The run to start from was deleted.
    #[error("run {run} starts from run {start}, which is gone")]
    StartIsGone {
        /// Row id of the run.
        run: RunId,
        /// Row id of the run to start from.
        start: RunId,
    },
    /// Documents of earlier sums were deleted or replaced.
    #[error(
        "documents of corpus {corpus:?} were deleted or replaced since run {start}, and its sums have \
         them still"
    )]
    SummedDocumentsChanged {
        /// The run with the sums.
        start: RunId,
        /// Name of the corpus.
        corpus: String,
    },
    /// The earlier sums are of other directions or halves of documents.
    #[error(
        "run {run} cannot add to the sums of run {start}, which has other words, another seed, or \
         other settings"
    )]
    OtherSums {
        /// Row id of the run.
        run: RunId,
        /// Row id of the run to start from.
        start: RunId,
    },
    /// The earlier sums are of halves of documents that were drawn by row ids.
    #[error(
        "run {start} kept its sums with an earlier version of topoi, which drew other random numbers for the \
         documents of this corpus"
    )]
    SumsByRow {
        /// The run with the sums.
        start: RunId,
    },
    /// The topics of the parent do not allow the edits of a shaped run.
    #[error("{0}")]
    Shaping(#[source] Box<ShapingError>),
    /// A seed word is not in the vocabulary of the run.
    #[error("the seeds of topic {topic} are not all in the vocabulary")]
    Seeds {
        /// Number of the topic, from 0.
        topic: usize,
    },
    /// A rule of the vocabulary is invalid.
    #[error("{0}")]
    Vocabulary(#[from] InvalidPattern),
    /// The system starts no further thread.
    #[error("{NO_THREAD}")]
    NoThread,
    /// The threads could not be started.
    #[error("cannot start {threads} threads ({source})")]
    Threads {
        /// Number of threads requested.
        threads: usize,
        /// The error of the operating system.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl WorkError {
    /// Whether the work ended because someone asked for it.
    pub fn is_cancel(&self) -> bool {
        matches!(self, Self::Model(ModelError::Stream(StreamError::Cancelled)))
    }
}

impl From<ChoiceError> for WorkError {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Store(error) => Self::Store(error),
            ChoiceError::Pattern(error) => Self::Vocabulary(error),
        }
    }
}

impl From<StreamError> for WorkError {
    fn from(error: StreamError) -> Self {
        Self::Model(error.into())
    }
}
