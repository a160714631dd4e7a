//! Commands on the results of runs.

pub mod compare;
pub mod export;
pub mod infer;
pub mod metrics;
pub mod topics;
pub mod truth;
pub mod verify;
