//! Reading corpus files: formats, words, and handing documents to the store's
//! [`IngestWriter`](crate::store::ingest::IngestWriter).
//!
//! A request (`request`) names sources; `plan` looks at each and tells its `format`;
//! `open_batches` opens it, from its beginning or from where an ingest that did not reach its end
//! was. A `source` is a file or standard input, plain, gzip or zstd. Where a document can be read
//! by itself, `units` cuts the source up and `text_batches` reads many at a time with all threads
//! (formats: `lines`, `jsonl`, `delimited`, `mallet`, `directory`, `ldac`, `svmlight`,
//! `vowpal_wabbit`); documents of `triples` (`uci`, `matrix_market`) come from `count_batches`.
//! `tokens` takes text apart; the `lexicon` remembers the words. `writing` hands a batch to the
//! store, `work` joins it all.
//!
//! Files are read as streams: memory holds the terms and a few batches, never the corpus.

mod batch;
mod count_batches;
mod delimited;
mod directory;
pub mod dry_run;
pub mod error;
pub mod format;
mod jsonl;
mod ldac;
mod lexicon;
mod lines;
mod mallet;
mod matrix_market;
pub mod names;
mod numbered_words;
mod open_batches;
mod plan;
pub mod points;
pub mod progress;
pub mod reading;
mod record;
pub mod request;
pub mod settings;
mod source;
pub mod stop_words;
pub mod summary;
mod svmlight;
mod text_batches;
pub mod token_settings;
pub mod tokens;
mod triples;
mod uci;
mod units;
mod vocabulary;
mod vowpal_wabbit;
mod work;
mod writing;
mod zstd;

pub use error::IngestError;
pub use format::Format;
pub use names::Names;
pub use progress::{IngestProgress, NoProgress};
pub use request::{IngestRequest, OnError};
pub use settings::CorpusSettings;
pub use stop_words::StopWords;
pub use summary::{IngestSummary, SourceSummary};
pub use token_settings::{Case, Characters, Stem, TokenChoice, TokenSettings};
pub use tokens::Tokenizer;
pub use work::ingest;
