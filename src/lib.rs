//! topoi: topic models over collections that do not fit in memory, saved in one SQLite file.
//!
//! The folders follow the data's way: `ingest` (files to documents) → `store` (documents as rows
//! and packed blocks) → `vocabulary` (which terms) → `stream` (block products over them) →
//! `linalg`, `model` → `metric` → `run` (which joins them) → `export`, `cli` and `tui`. `synth` makes
//! corpora whose topics are known; `formula` holds what queries and metrics calculate alike.

#![warn(missing_docs, unreachable_pub)]

pub mod bound;
pub mod export;
pub mod formula;
pub mod ingest;
pub mod linalg;
pub mod metric;
pub mod model;
pub mod parts;
pub mod progress;
pub mod random;
pub mod run;
pub mod store;
pub mod stream;
pub mod synth;
pub mod vocabulary;
