//! Metrics: measures of quality per topic and per run, each defined next to the function that
//! computes it.

pub mod against_field;
pub mod anchors;
pub mod co_occurrence;
pub mod coherence;
pub mod held_out;
pub mod judged;
mod registry;
pub mod revision;
pub mod rising;
pub mod run_process;
pub mod words;

pub use crate::formula::better;
pub use crate::formula::metric_def::{self as definition, MetricDef};
pub use crate::model::figures as model_figures;
pub use registry::METRICS;
pub use registry::{MetricInput, Values, metrics_of_topics};
