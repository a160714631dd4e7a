//! Runs: the one place that joins store, operators, models and metrics.
//!
//! A run is requested (`request`), executed by a worker process (`life`, `work`), and read afterwards (`saved`) or
//! judged by people (`judging`); `choose_k` requests and compares several. `warning` lists the reasons not to trust
//! one.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

pub mod choose_k;
pub mod concordance;
pub mod coverage;
pub mod export;
pub mod groups;
pub mod judging;
pub mod life;
pub mod naming;
pub mod notes;
mod number;
pub mod outlook;
pub mod request;
pub mod saved;
pub mod shaping;
pub mod user;
pub mod vocabulary;
pub mod warning;
pub mod work;

use topoi_core::metric::definition::ValueRange;
use topoi_ingest::CorpusSettings;
use topoi_store::check::RowValidators;

/// How this version interprets the rows of a store.
pub const ROW_VALIDATORS: RowValidators = RowValidators {
    range_of: ValueRange::for_metric,
    wrong_run: request::RunRequest::invalid_settings,
    wrong_judgement: |run, row| judging::session::parse_row(row, run.k).err(),
    wrong_corpus: |corpus| {
        let read = serde_json::from_str::<CorpusSettings>(&corpus.settings);
        read.err().map(|error| format!("its settings cannot be read ({error})"))
    },
};
