//! Groups of documents, by their fields: the topics of a run in them, and the words that distinguish them.

pub mod by;
pub mod correlations;
pub mod effects;
pub mod fields;
mod grouped;
pub mod keywords;
pub mod members;
pub mod no_shares;
pub mod notes;
mod shares;
