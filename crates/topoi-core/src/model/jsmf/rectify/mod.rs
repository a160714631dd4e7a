//! Rectification: making a noisy co-occurrence look as the model says it must.

pub mod alternating;
pub mod enn;
pub mod negative_part;
pub mod palm;
mod sparse_rows;
