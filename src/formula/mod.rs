//! Closed formulas that people's queries and the metrics share. They know nothing of the program.

pub mod frex;
pub mod jensen_shannon;
pub mod relevance;
