//! The number of tokens of documents.

use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use serde::Serialize;

use super::error::Result;
use super::limits::{MAX_TOKENS, check_range};

/// The largest mean that is drawn at once, so that e^−mean does not underflow an f64.
const MAX_POISSON_PART: f64 = 16.0;

/// The distribution of document lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// All documents have this many tokens.
    Fixed(u32),
    /// Drawn from a Poisson distribution with this mean; may be 0.
    Poisson(u32),
    /// Between 2 and this many, with a uniform logarithm.
    Uneven(u32),
}

impl Length {
    /// Checks that lengths are above 0 and fit into counts.
    ///
    /// # Errors
    /// [`super::SynthError::OutOfRange`].
    pub(super) fn check(self) -> Result<()> {
        let (fewest, tokens) = match self {
            Self::Fixed(tokens) | Self::Poisson(tokens) => (1, tokens),
            Self::Uneven(tokens) => (2, tokens),
        };
        check_range("tokens", tokens, fewest..=MAX_TOKENS)
    }

    /// Draws the length of a document.
    pub(super) fn draw(self, rng: &mut ChaCha12Rng) -> u32 {
        match self {
            Self::Fixed(tokens) => tokens,
            Self::Poisson(mean) => poisson(rng, f64::from(mean)),
            Self::Uneven(most) => {
                let orders = libm::log((f64::from(most) + 1.0) / 2.0);
                (2.0 * libm::exp(orders * rng.random::<f64>())).min(f64::from(most)) as u32
            }
        }
    }
}

/// A Poisson draw as a sum of Poisson draws of means up to [`MAX_POISSON_PART`], each by Knuth's
/// product of uniform numbers (The Art of Computer Programming 2, section 3.4.1). O(mean).
fn poisson(rng: &mut ChaCha12Rng, mean: f64) -> u32 {
    let (mut left, mut number) = (mean, 0);
    while left > 0.0 {
        let part = left.min(MAX_POISSON_PART);
        let limit = libm::exp(-part);
        let mut product = 1.0 - rng.random::<f64>();
        while product > limit {
            number += 1;
            product *= 1.0 - rng.random::<f64>();
        }
        left -= part;
    }
    number
}

/// Zipf's distribution on 1 … L − 1, where length l has probability proportional to 1/l.
///
/// # Source
/// Biggs, Ghodsi, Vavasis 2008, section 5.
#[derive(Debug)]
pub(super) struct ZipfLengths {
    cumulative: Vec<f64>,
}

impl ZipfLengths {
    /// The lengths below `limit` = L ≥ 2.
    pub(super) fn new(limit: u32) -> Self {
        let mut sum = 0.0;
        let add = |length: u32| {
            sum += 1.0 / f64::from(length);
            sum
        };
        Self { cumulative: (1..limit).map(add).collect() }
    }

    /// Draws the length of a document.
    pub(super) fn draw(&self, rng: &mut ChaCha12Rng) -> u32 {
        let place = rng.random::<f64>() * self.cumulative.last().copied().unwrap_or_default();
        let before = self.cumulative.partition_point(|&sum| sum <= place);
        before.min(self.cumulative.len() - 1) as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn poisson_lengths_have_the_mean_and_variance_of_the_distribution() {
        // 40,000 draws: the mean's deviation is √(mean/n), the variance's about √((2·mean² +
        // mean)/n). Bounds at 5 deviations, false alarms for fewer than 4 seeds in a million.
        let mut rng = stream(2, "poisson");
        for mean in [1u32, 300] {
            let (n, mu) = (40_000, f64::from(mean));
            let draws: Vec<f64> =
                (0..n).map(|_| f64::from(Length::Poisson(mean).draw(&mut rng))).collect();
            let n = f64::from(n);
            let found = draws.iter().sum::<f64>() / n;
            let variance = draws.iter().map(|x| (x - mu).powi(2)).sum::<f64>() / n;
            assert!((found - mu).abs() < 5.0 * (mu / n).sqrt(), "{found}");
            assert!((variance - mu).abs() < 5.0 * ((2.0 * mu * mu + mu) / n).sqrt(), "{variance}");
        }
    }

    #[test]
    fn uneven_lengths_are_as_often_below_their_geometric_mean_as_above() {
        // 40,000 draws: a deviation of 0.0025, bounds at 5 deviations.
        let mut rng = stream(2, "uneven");
        let draws: Vec<u32> = (0..40_000).map(|_| Length::Uneven(99_999).draw(&mut rng)).collect();
        assert!(draws.iter().all(|length| (2..=99_999).contains(length)));
        let short = draws.iter().filter(|&&length| length < 447).count();
        assert!((short as f64 / 40_000.0 - 0.5).abs() < 0.0125, "{short}");
    }

    #[test]
    fn zipf_lengths_are_as_frequent_as_their_reciprocals() {
        // 60,000 draws, deviations of at most 0.0021, bounds at 5 deviations.
        let lengths = ZipfLengths::new(5);
        let mut rng = stream(2, "zipf");
        let mut counts = [0.0f64; 6];
        (0..60_000).for_each(|_| counts[lengths.draw(&mut rng) as usize] += 1.0 / 60_000.0);
        let sum = 1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0;
        for (length, share) in (1..5).zip(&counts[1..]) {
            let expected = 1.0 / f64::from(length) / sum;
            assert!((share - expected).abs() < 0.0105, "{length}: {share}");
        }
        assert_eq!((counts[0], counts[5]), (0.0, 0.0));
    }
}
