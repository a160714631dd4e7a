//! Draws from distributions, with the logarithms and exponentials of `libm`.

pub(crate) mod alias_table;
pub(crate) mod dirichlet;

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

/// ln of a number uniform on (0, 1].
pub(crate) fn ln_uniform(rng: &mut ChaCha12Rng) -> f64 {
    libm::log(1.0 - rng.random::<f64>())
}

/// A uniform whole number below `count`, which is not 0. rand's own may draw differently in another
/// version; a number's probability is off by at most 2⁻⁵³.
pub(crate) fn below(rng: &mut ChaCha12Rng, count: usize) -> usize {
    ((rng.random::<f64>() * count as f64) as usize).min(count - 1)
}
