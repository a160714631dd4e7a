//! Topic models over collections that do not fit in memory, saved in one SQLite file.
//!
//! This is the library of the program `topoi`: what is listed here is promised, and short enough to be read. It is made of
//! the crates `topoi-core`, `topoi-store`, `topoi-ingest` and `topoi-run`, which promise nothing.
//!
//! Texts in, topics out, in a store that the program opens as well:
//!
//! ```
//! use topoi::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let mut store = Store::open(&folder.path().join("texts.db"), Access::Create)?;
//! let texts = IngestRequest::new("subjects", ["sample_corpora/eight_subjects.jsonl".into()]);
//! ingest(&store, &texts, &NoProgress)?;
//!
//! // The default model with its default settings: eight topics, from seed 1.
//! let saved = run(&mut store, &RunRequest::new("subjects", 8))?;
//! for topic in store.topics(saved.id, 5)? {
//!     let words: Vec<&str> = topic.words.iter().map(|word| &*word.word).collect();
//!     println!("{:4.1}%  {}", 100.0 * topic.shares.document_share, words.join(" "));
//! }
//! # assert_eq!(store.topics(saved.id, 5)?.len(), 8);
//! # Ok(())
//! # }
//! ```
//!
//! A matrix of counts and no store:
//!
//! ```
//! use topoi::prelude::*;
//!
//! // Documents × words.
//! let counts = vec![
//!     vec![3, 2, 1, 0, 0, 0], vec![1, 2, 2, 0, 0, 0], vec![2, 1, 3, 0, 0, 0],
//!     vec![0, 0, 0, 1, 3, 2], vec![0, 0, 0, 2, 2, 1], vec![0, 0, 0, 3, 1, 2],
//! ];
//! let mut matrix = sprs::TriMat::new((6, 6));
//! for (document, row) in counts.iter().enumerate() {
//!     for (word, &count) in row.iter().enumerate().filter(|(_, count)| **count > 0) {
//!         matrix.add_triplet(document, word, count);
//!     }
//! }
//! let found = fit(matrix.to_csr(), &Model::from_name("nmf-kl")?, 2, 1, &Silent)?;
//! assert_eq!(found.topics.topics.dim(), (6, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, unreachable_pub)]

// The store, and what is saved in it.
pub use topoi_store::corpus::Corpus;
pub use topoi_store::id::{CorpusId, DocumentId, RunId, TermId, TopicNumber};
pub use topoi_store::result::metric::Metric;
pub use topoi_store::result::topic::{Topic, Word};
pub use topoi_store::result::topic_shares::TopicShares;
pub use topoi_store::run::{Run, RunStatus};
pub use topoi_store::{Access, Store, StoreError};

// Files to documents.
pub use topoi_ingest::{
    Encoding, Format, IngestError, IngestProgress, IngestRequest, IngestSummary, NoProgress,
    OnError, StopWords, TokenChoice, ingest,
};

// Runs.
pub use topoi_run::life::here::{RunError, run};
pub use topoi_run::request::{Origin, RequestError, RunRequest, RunSettings};
pub use topoi_run::vocabulary::choice::VocabularyChoice;
pub use topoi_run::vocabulary::rules::Rules;
pub use topoi_run::work::work_error::WorkError;

// What a saved run is good for.
pub use topoi_run::export::error::ExportError;
pub use topoi_run::export::format::{ExportOptions, Format as ExportFormat, export};
pub use topoi_run::export::output::Output;
pub use topoi_run::export::saved_model::SavedModel;
pub use topoi_run::saved::align::{Alignment, align};
pub use topoi_run::saved::compare::{CompareError, Comparer, Comparison};
pub use topoi_run::saved::infer::{Inference, Inferred};

// Models of a matrix, without a store.
pub use topoi_core::fit::fit;
pub use topoi_core::metric::{METRICS, MetricDef};
pub use topoi_core::model::topic_model::{Card, Figure, Fit};
pub use topoi_core::model::topics::Topics;
pub use topoi_core::model::{Model, ModelError, UnknownModel};
pub use topoi_core::progress::{Progress, Silent};

/// Settings of the models, each the contents of a variant of [`Model`].
pub mod settings {
    pub use topoi_core::model::aw::Settings as Aw;
    pub use topoi_core::model::enn::Settings as Enn;
    pub use topoi_core::model::lda_gibbs::Settings as LdaGibbs;
    pub use topoi_core::model::lr_jsmf::Settings as LrJsmf;
    pub use topoi_core::model::nmf_ard::Settings as NmfArd;
    pub use topoi_core::model::nmf_kl::Settings as NmfKl;
    pub use topoi_core::model::palm::Settings as Palm;
    pub use topoi_core::model::r1d::Settings as R1d;
    pub use topoi_core::model::raw::Settings as Raw;
    pub use topoi_core::model::separable::{
        Binning, DataDependent, Ddp, DocumentProjections, Rp, RpDoc, SolidAngles,
    };
    pub use topoi_core::model::svd::Settings as Svd;
}

/// What most programs need: a store, texts in, a run, its topics.
pub mod prelude {
    pub use crate::{
        Access, Corpus, Fit, Inference, IngestRequest, Model, NoProgress, Run, RunRequest,
        RunSettings, Silent, Store, Topic, Word, fit, ingest, run,
    };
}
