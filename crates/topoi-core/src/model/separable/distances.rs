//! Distances between words by the noise-free part of their rows, and how much noise is left in them.

use ndarray::{Array2, Axis, s};

use crate::model::checkpoint::Checkpoint;

/// The distances D between the g words that may be novel.
#[derive(Debug, Clone)]
pub(super) struct Distances {
    /// ½(Ê + Êᵀ) between them, g × g.
    pub cooccurrence: Array2<f64>,
}

impl Distances {
    /// D_ij = C_ii − C_ij − C_ji + C_jj: near 0 within a topic, positive between topics, and with
    /// the noise of C on it.
    ///
    /// # Source
    /// Ding et al. 2013, equation 1 and proposition 6.
    pub(super) fn between(&self, i: usize, j: usize) -> f64 {
        let c = &self.cooccurrence;
        c[(i, i)] - 2.0 * c[(i, j)] + c[(j, j)]
    }

    /// The distances between the first `count` words.
    pub(super) fn first(&self, count: usize) -> Self {
        Self { cooccurrence: self.cooccurrence.slice(s![..count, ..count]).to_owned() }
    }

    /// The distances between the words at these positions.
    pub(super) fn select(&self, positions: &[usize]) -> Self {
        let cooccurrence = self.cooccurrence.select(Axis(0), positions).select(Axis(1), positions);
        Self { cooccurrence }
    }

    /// g, the number of words.
    pub(super) fn len(&self) -> usize {
        self.cooccurrence.nrows()
    }

    /// The distances between different words that are positive, ascending.
    pub(super) fn positive(&self) -> Vec<f64> {
        let pairs = (0..self.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut found: Vec<f64> =
            pairs.map(|(i, j)| self.between(i, j)).filter(|&distance| distance > 0.0).collect();
        found.sort_unstable_by(f64::total_cmp);
        found
    }
}

impl Checkpoint for Distances {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        vec![self.cooccurrence.clone()]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [cooccurrence] = <[Array2<f64>; 1]>::try_from(arrays).ok()?;
        Some(Self { cooccurrence })
    }
}

/// A word counts where its own error is at most this share of the mean distance: the error of a pair of such words is at
/// most three quarters of it.
const CLEAR: f64 = 0.375;

/// The third quartile of the standard normal distribution: the median of |x|.
const MEDIAN_OF_NORMAL: f64 = 0.674_489_750_196_081_7;

/// A bound on the error of D_ij. The noise of C_ii is proportional to one over the tokens of word i, and that of
/// C_ij to one over the root of the product of both words' tokens; the standard deviation of D_ij is modelled as
/// s·(1/p_i + 1/p_j), where p are shares of tokens.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    /// s times the number of standard deviations in the bound.
    scale: f64,
    inverse_shares: Vec<f64>,
}

impl Noise {
    /// The noise between the first `count` words. `shares` are all words' shares of tokens, positive.
    ///
    /// D is an unbiased estimate of something nonnegative, so negative values are noise: s is the median of
    /// their sizes over the median size of a standard normal number. The bound is √(2 ln pairs) deviations, the
    /// size of the largest of that many normal numbers. Without a negative D the bound is 0.
    ///
    /// # Source
    /// The number of deviations: the universal threshold of Donoho and Johnstone 1994.
    pub(super) fn from_distances(distances: &Distances, shares: &[f64], count: usize) -> Self {
        let inverse_shares: Vec<f64> = shares.iter().map(|share| 1.0 / share).collect();
        let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut below: Vec<f64> = pairs
            .map(|(i, j)| -distances.between(i, j) / (inverse_shares[i] + inverse_shares[j]))
            .filter(|&size| size > 0.0)
            .collect();
        below.sort_unstable_by(f64::total_cmp);
        let median = below.get(below.len() / 2).copied().unwrap_or(0.0);
        let pairs = (count * count.saturating_sub(1) / 2).max(1) as f64;
        Self { scale: median / MEDIAN_OF_NORMAL * (2.0 * pairs.ln()).sqrt(), inverse_shares }
    }

    /// The positions of words with tokens enough to be distinguished: their own part of the error is at most [`CLEAR`] of
    /// the mean distance among the first `count` words. The mean is weighted by tokens, so that the noise of rare words
    /// hardly counts in it.
    ///
    /// The error of a rarer word would make it near all others: it would win every direction it comes close to winning, be
    /// taken first, and all others would count as one with it. Words after the first `count`, which win no direction,
    /// are included: the winners ahead of them may all be rare words of the same topic, extreme by their noise alone.
    pub(super) fn clear_words(&self, distances: &Distances, count: usize) -> Vec<usize> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for i in 0..count {
            for j in 0..i {
                let both = 1.0 / (self.inverse_shares[i] * self.inverse_shares[j]);
                sum += both * distances.between(i, j);
                weight += both;
            }
        }
        let most = CLEAR * (sum / weight).max(0.0);
        (0..distances.len()).filter(|&i| self.scale * self.inverse_shares[i] <= most).collect()
    }

    /// The noise between the words at these positions.
    pub(super) fn select(&self, positions: &[usize]) -> Self {
        let inverse_shares = positions.iter().map(|&at| self.inverse_shares[at]).collect();
        Self { scale: self.scale, inverse_shares }
    }

    /// The bound on the error of D_ij, for all pairs at once.
    pub(super) fn bound(&self, i: usize, j: usize) -> f64 {
        self.scale * (self.inverse_shares[i] + self.inverse_shares[j])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{standard_normal, stream};
    use ndarray::Array2;

    /// Words that are all alike, with normal noise of deviation `s`/p on C_ii.
    fn alike(s: f64, shares: &[f64]) -> Distances {
        let mut rng = stream(5, "noise");
        let n = shares.len();
        let mut c = Array2::from_elem((n, n), 3.0);
        for i in 0..n {
            c[(i, i)] += s / shares[i] * standard_normal(&mut rng);
        }
        Distances { cooccurrence: c }
    }

    #[test]
    fn the_distance_of_no_two_equal_words_exceeds_the_bound() {
        let shares: Vec<f64> = (0..200).map(|word| 1e-5 * f64::from(1 + word % 50)).collect();
        let distances = alike(2e-4, &shares);
        let noise = Noise::from_distances(&distances, &shares, 200);
        // The model's deviation is an upper bound here (the true one is √(1/p_i² + 1/p_j²)), so
        // that more than √(2 ln n) of them come up with a chance below 1/√(π ln n) = 0.18 of all
        // pairs together; the seed is fixed.
        let over = (0..200).flat_map(|i| (0..i).map(move |j| (i, j)));
        let over = over.filter(|&(i, j)| distances.between(i, j) > noise.bound(i, j)).count();
        assert_eq!(over, 0);
        // And it is no larger than it must be: the deviation is found within a half.
        let expected = 2e-4 * (2.0 * (199.0f64 * 100.0).ln()).sqrt();
        assert!((noise.scale / expected - 1.0).abs() < 0.5, "{}", noise.scale / expected);
    }

    #[test]
    fn without_negative_distances_the_bound_is_zero() {
        let mut c = Array2::zeros((3, 3));
        c.diag_mut().fill(1.0);
        let noise = Noise::from_distances(&Distances { cooccurrence: c }, &[0.1, 0.2, 0.3], 3);
        assert_eq!(noise.bound(0, 2), 0.0);
    }
}
