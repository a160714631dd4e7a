//! Rectification: projections of a noisy co-occurrence onto the matrices that the model allows.

pub mod alternating;
pub mod enn;
pub mod negative_part;
pub mod palm;
mod sparse_rows;
