//! Choosing the number of topics: bounds before any run, sweeps over K, a recommendation, and the stability of
//! topics.

pub mod bounds;
mod chance;
pub mod recommendation;
pub mod stability;
pub mod sweep;
