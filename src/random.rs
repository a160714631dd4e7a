//! Random numbers: seeded streams with names, the same on every machine and in every version.

use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

/// A stream of random numbers that depends on the run's seed and on the stream's name only, so
/// that a change in how one stage draws never shifts the numbers of another.
pub fn stream(seed: u64, name: &str) -> ChaCha12Rng {
    let mut hasher = blake3::Hasher::new_derive_key("topica 2026 random stream");
    hasher.update(&seed.to_le_bytes());
    hasher.update(name.as_bytes());
    ChaCha12Rng::from_seed(*hasher.finalize().as_bytes())
}

/// A standard normal number by Box and Muller's method (the polar form's rejection would make
/// the number of draws depend on the numbers).
pub fn standard_normal(rng: &mut ChaCha12Rng) -> f64 {
    // 1 − u lies in (0, 1], so that the logarithm is finite.
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_name_and_seed_and_repeat() {
        let draw = |seed, name| stream(seed, name).random::<u64>();
        assert_eq!(draw(1, "krylov"), draw(1, "krylov"));
        assert_ne!(draw(1, "krylov"), draw(1, "split"));
        assert_ne!(draw(1, "krylov"), draw(2, "krylov"));
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        // 100,000 draws: the mean's deviation is 0.0032, the variance's 0.0045; bounds at 5
        // deviations, a false alarm in fewer than one of a million seeds (and the seed is fixed).
        let mut rng = stream(7, "normal");
        let draws: Vec<f64> = (0..100_000).map(|_| standard_normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.016, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.023, "variance {variance}");
    }
}
