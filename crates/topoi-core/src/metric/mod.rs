//! Metrics: measures of quality per topic and per run, each defined beside the function that computes it.

pub mod against_field;
pub mod anchors;
pub mod co_occurrence;
pub mod coherence;
pub mod held_out;
pub mod judged;
pub mod of_the_work;
mod registry;
pub mod words;

pub use crate::formula::better;
pub use crate::formula::metric_def::{self as definition, MetricDef};
pub use crate::model::figures as of_models;
pub use registry::METRICS;
pub use registry::{Given, Values, measured};
