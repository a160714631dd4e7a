//! Choosing the terms a run uses from the terms a corpus has.

pub mod tf_idf;
