//! topica: topic models over collections that do not fit in memory, saved in one SQLite file.
//!
//! The folders follow the data's way: `store` (documents as rows and packed blocks) → `stream`
//! (block products over them) → `linalg`, `model` → `metric` → `run` (which joins them) →
//! `cli` and `tui`.

pub mod run;
pub mod store;
pub mod tui;
