//! Rectification: making a noisy co-occurrence look as the model says it must.

pub mod enn;
pub mod negative_part;
