//! The numerical part of `topoi`: topic models, the streamed operators they use, metrics, bounds,
//! effects. It accesses no store and no screen. Internal to `topoi`, without a promise of
//! stability.

#![warn(unreachable_pub)]

pub mod bound;
pub mod csv_cell;
pub mod effects;
pub mod fields;
pub mod fit;
pub mod formula;
pub mod judge;
pub mod linalg;
pub mod metric;
pub mod model;
pub mod npy;
pub mod numbers;
pub mod plot;
pub mod progress;
pub mod random;
pub mod shape;
pub mod shell_word;
pub mod spilled;
pub mod stream;
pub mod synth;
pub mod vectors;
