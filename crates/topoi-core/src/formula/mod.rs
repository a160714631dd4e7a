//! Closed formulas and the definition of a metric, for queries, models, metrics and exports.

pub mod better;
pub mod chance;
pub mod frex;
pub mod hellinger;
pub mod jensen_shannon;
pub mod linear_proportions;
pub mod metric_def;
pub mod packed_documents;
pub mod proportions;
pub mod relevance;
pub mod share_moments;
pub mod word_probabilities;
