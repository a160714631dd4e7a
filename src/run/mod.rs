//! Runs: the one place that joins store, operators, models and metrics.
//!
//! `request` says what to do, `spawn` starts the worker process that does it, `work` is what
//! the worker does, `life` tells how it fares.

pub mod fields;
pub mod life;
pub mod request;
pub mod spawn;
