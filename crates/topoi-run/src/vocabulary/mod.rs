//! Choosing the terms of a run from the terms of its corpus.

pub mod choice;
pub mod in_words;
pub mod rules;
