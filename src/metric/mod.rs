//! What tells a good run from a bad one: numbers per topic and per run.

pub mod coherence;
pub mod document_frequencies;
pub mod reconstruction;
pub mod top_words;
pub mod topic_shape;
