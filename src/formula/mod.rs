//! What queries, models, metrics and exports share: closed formulas, and what a metric is. It knows nothing
//! of the program.

pub mod better;
pub mod frex;
pub mod jensen_shannon;
pub mod metric_def;
pub mod relevance;
