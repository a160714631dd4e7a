//! Reading corpus files: formats, words, and handing documents to the store's
//! [`IngestWriter`](crate::store::ingest::IngestWriter).
//!
//! One command is one transaction. Whatever is wrong with the third of three files, the store is
//! afterwards as it was before the first. Files are read as streams: memory holds the term
//! dictionary, a few batches of lines and one packed block, never the corpus.
//!
//! A source (`source`) is a file or standard input, plain or gzip; `format` tells what it holds.
//! Counted documents come from `uci` with its `vocabulary`; text comes from `jsonl` and `lines`,
//! is taken apart by `tokens`, many lines at a time by `batch`. `request` joins them.

mod batch;
mod content_hash;
pub mod error;
pub mod format;
mod jsonl;
mod lines;
pub mod progress;
mod record;
pub mod request;
pub mod settings;
mod source;
pub mod summary;
pub mod tokens;
mod uci;
mod vocabulary;

pub use error::IngestError;
pub use format::Format;
pub use progress::{IngestProgress, NoProgress};
pub use request::{IngestRequest, ingest};
pub use settings::CorpusSettings;
pub use summary::{IngestSummary, SourceSummary};
pub use tokens::{StopWords, TokenSettings, Tokenizer};
