//! The store: one SQLite file that holds corpora, their packed blocks, runs and results.
//!
//! SQL stands here and in `schema/`, nowhere else. The store knows rows; it knows no model.

pub mod basis;
pub mod block;
mod block_edits;
pub mod blocks;
pub mod check;
mod check_corpus;
mod check_references;
mod check_run;
pub mod checkpoint;
pub(crate) mod content_hash;
pub mod corpus;
pub mod delete;
pub mod document;
pub mod document_page;
pub mod document_topic;
pub mod error;
pub mod functions;
pub mod ingest;
pub mod interrupt;
pub mod k_bound;
pub mod ledger;
pub mod metric;
pub mod novel_word;
pub mod open;
mod page_cache;
pub mod part;
pub mod progress;
pub mod projection_sums;
pub mod query;
pub mod queue;
pub mod result_hash;
pub mod run;
pub mod run_lock;
pub mod saved_topics;
pub mod shard;
mod single;
pub mod source_position;
pub mod table_columns;
pub mod term;
mod term_index;
pub mod texts;
pub mod topic;
pub mod topic_agreement;
pub mod unify;
pub mod vocabulary;
pub mod word_position;
pub mod word_topics;

pub use error::StoreError;
pub use open::{Access, Store};
