//! Runs: the one place that joins store, operators, models and metrics.
//!
//! `request` says what to do, `spawn` starts the worker process that does it, `worker` is that
//! process, `work` is the work itself, `recompute` measures a finished run again, `life` tells how
//! a run fares.

pub mod coherence;
pub mod coloured_text;
pub mod fields;
pub mod frex_words;
pub mod life;
pub mod measure;
pub mod memory;
pub mod models;
pub mod recompute;
pub mod reporter;
pub mod request;
pub mod result;
pub mod spawn;
pub mod text_sequences;
mod vocabulary;
pub mod work;
pub mod worker;
