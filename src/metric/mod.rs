//! What tells a good run from a bad one: numbers per topic and per run.

pub mod anchors;
pub mod better;
pub mod co_occurrence;
pub mod coherence;
pub mod held_out;
pub mod words;
