//! Draws from lists and distributions.
//!
//! Written by hand, as a crate's draws may change with its version and a seed must give the same corpus.

pub(crate) mod alias_table;

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

/// A uniform integer below `count` > 0. This is our own, because rand's may draw differently in
/// another version. Probabilities are off by at most 2⁻⁵³.
pub(crate) fn below(rng: &mut ChaCha12Rng, count: usize) -> usize {
    ((rng.random::<f64>() * count as f64) as usize).min(count - 1)
}
