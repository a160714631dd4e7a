//! Why a run's work ended without a result.

use crate::groups::fields::FieldError;
use crate::life::threads::NO_THREAD;
use crate::request::imported::ImportError;
use crate::shaping::ShapingError;
use crate::vocabulary::choice::ChoiceError;
use crate::vocabulary::rules::WrongPattern;
use topoi_core::effects::EffectsError;
use topoi_core::model::ModelError;
use topoi_core::stream::StreamError;
use topoi_store::StoreError;

/// Why a run's work ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Documents cannot be put into groups as asked.
    #[error("{0}")]
    Field(#[from] FieldError),
    /// Effects of fields cannot be estimated as asked.
    #[error("{0}")]
    Effects(#[from] EffectsError),
    /// The model gave no topics.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// The saved settings cannot be read.
    #[error("run {run}: its settings do not parse ({source}); it was saved by another version")]
    Settings {
        /// Row id of the run.
        run: i64,
        /// The error of the JSON parser, or why no request can have them.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The run asks for a model this program does not have.
    #[error("run {run}: there is no model {model:?} in this version; update topoi")]
    UnknownModel {
        /// Row id of the run.
        run: i64,
        /// Name of its model, as on the command line.
        model: String,
    },
    /// A run is to be measured again that has no topics.
    #[error("run {run} has no saved topics to measure")]
    NoTopics {
        /// Row id of the run.
        run: i64,
    },
    /// A run is asked about its documents, and did not look at them.
    #[error("run {run} did not save what its documents are about")]
    NoDocuments {
        /// Row id of the run.
        run: i64,
    },
    /// A run is to be measured again, and its documents are not there any more as they were.
    #[error("run {run}: the corpus no longer holds the documents it was made from")]
    OtherDocuments {
        /// Row id of the run.
        run: i64,
    },
    /// A run is to go on, and its corpus is not the one it began with.
    #[error("run {run}: corpus {corpus} has changed since the run began")]
    CorpusChanged {
        /// Row id of the run.
        run: i64,
        /// Name of its corpus.
        corpus: String,
    },
    /// A run is to go on, and this program chooses another vocabulary than the one it began with.
    #[error(
        "run {run}: this version of topoi chooses another vocabulary than the one the run began with"
    )]
    VocabularyChanged {
        /// Row id of the run.
        run: i64,
    },
    /// The topics are from a file that cannot be read, or is another one by now.
    #[error("{0}")]
    Import(#[from] ImportError),
    /// A run is to be done again in one place, and its sums were made in parts.
    #[error("run {run} was made in {parts} parts, and the last bits of its sums are theirs")]
    WasInParts {
        /// Row id of the run.
        run: i64,
        /// Number of parts of its corpus.
        parts: usize,
    },
    /// The run that it starts from was deleted.
    #[error("run {run} starts from run {start}, which is gone")]
    StartIsGone {
        /// Row id of the run.
        run: i64,
        /// The one it starts from.
        start: i64,
    },
    /// Documents that sums are over are not there any more as they were.
    #[error(
        "documents of corpus {corpus:?} were deleted or replaced since run {start}, and its sums have \
         them still"
    )]
    SummedDocumentsChanged {
        /// The run with the sums.
        start: i64,
        /// Name of its corpus.
        corpus: String,
    },
    /// The sums are of other directions or halves of documents.
    #[error(
        "run {run} cannot add to the sums of run {start}, which has other words, another seed, or \
         other settings"
    )]
    OtherSums {
        /// Row id of the run.
        run: i64,
        /// The one it starts from.
        start: i64,
    },
    /// The topics of its parent do not bear the edits of a shaped run.
    #[error("{0}")]
    Shaping(#[source] Box<ShapingError>),
    /// A word of its seeds is not in the vocabulary that the run chose.
    #[error("the seeds of topic {topic} are not all in the vocabulary")]
    Seeds {
        /// Number of the topic, from 0.
        topic: usize,
    },
    /// A rule of the vocabulary is wrong.
    #[error("{0}")]
    Vocabulary(#[from] WrongPattern),
    /// The system starts no thread.
    #[error("{NO_THREAD}")]
    NoThread,
    /// The threads could not be started.
    #[error("cannot start {threads} threads ({source})")]
    Threads {
        /// Number of threads asked for.
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
