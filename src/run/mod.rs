//! Runs: the one place that joins store, operators, models and metrics.
//!
//! A run is asked for (`request`), done by a worker process (`life`, `work`), and looked at afterwards
//! (`saved`); `choose_k` makes and compares several. `warning` says which are not to be trusted.

pub mod choose_k;
pub mod life;
pub mod request;
pub mod saved;
pub mod warning;
pub mod work;
