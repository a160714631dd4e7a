//! Reading corpus files: formats, words, and handing documents to the store's
//! [`IngestWriter`](topoi_store::ingest::IngestWriter).
//!
//! A request (`request`) names sources, and `plan` determines the format of each. A `source` is a file or standard
//! input, plain, gzip or zstd. A format (`formats`) opens it as `batches` of documents, from its beginning or from the
//! position where an interrupted ingest stopped. `tokens` splits text into words and remembers them. `writing` hands a
//! batch to the store. `work` connects these steps.
//!
//! Files are read as streams: memory contains the terms and a few batches, never the corpus.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub(crate) mod batches;
pub mod error;
pub mod formats;
pub mod metadata;
mod named;
pub mod phrases;
mod plan;
pub mod points;
mod preparer;
pub mod reading;
pub mod request;
pub mod search;
pub mod settings;
pub mod share;
pub mod source;
pub mod summary;
pub mod texts;
pub mod tokens;
#[cfg(feature = "parquet")]
pub mod vector_table;
mod work;
mod writing;

pub use self::request::Names;
pub use self::summary::{IngestProgress, NoProgress};
pub use error::IngestError;
pub use formats::Format;
pub use request::{Absent, IngestRequest, OnError};
pub use settings::CorpusSettings;
pub use source::encoding::Encoding;
pub use source::{lines_of, read_list};
pub use summary::{IngestSummary, SourceSummary};
pub use texts::chunks::{ChunkBy, ChunkChoice, Chunking};
pub use tokens::Tokenizer;
pub use tokens::cut::{Cut, Pattern};
pub use tokens::language::stop_words::StopWords;
pub use tokens::rewrites::{FixedPhrases, WordMap};
pub use tokens::token_settings::{Case, Characters, Stem, TokenChoice, TokenSettings};
pub use work::ingest;
