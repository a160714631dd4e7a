//! Choosing the terms a run uses from the terms a corpus has.

pub mod choice;
pub mod in_words;
pub mod rules;
