//! Runs: the one place that joins store, operators, models and metrics.
//!
//! A run is asked for (`request`), done by a worker process (`life`, `work`), and looked at afterwards
//! (`saved`) or judged by people (`judging`); `choose_k` makes and compares several. `warning` says which are not to be trusted.

pub mod choose_k;
pub mod coverage;
pub mod export;
pub mod groups;
pub mod judging;
pub mod life;
pub mod outlook;
pub mod request;
pub mod saved;
pub mod shaping;
pub mod vocabulary;
pub mod warning;
pub mod work;

use topoi_core::metric::definition::ValueRange;
use topoi_ingest::CorpusSettings;
use topoi_store::check::RowValidators;

/// What this version makes of the rows of a store.
pub const MEANING: RowValidators = RowValidators {
    range_of: ValueRange::for_metric,
    wrong_run: request::RunRequest::invalid_settings,
    wrong_judgement: |run, row| judging::sitting::read(row, run.k).err(),
    wrong_corpus: |corpus| {
        let read = serde_json::from_str::<CorpusSettings>(&corpus.settings);
        read.err().map(|error| format!("its settings cannot be read ({error})"))
    },
};
