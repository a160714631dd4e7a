//! What tells a good run from a bad one: numbers per topic and per run.

pub mod anchors;
pub mod better;
pub mod co_occurrence;
pub mod coherence;
pub mod definition;
pub mod held_out;
pub mod of_documents;
pub mod of_models;
pub mod of_the_work;
mod registry;
pub mod words;

pub use definition::MetricDef;
pub use registry::METRICS;
