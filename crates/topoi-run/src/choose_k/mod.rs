//! How many topics: bounds before any run, sweeps over K, what to look at first, and which topics come
//! back.

pub mod bounds;
mod chance;
pub mod recommendation;
pub mod stability;
pub mod sweep;
