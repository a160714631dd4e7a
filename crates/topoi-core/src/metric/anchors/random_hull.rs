//! The volume of the hull of anchors chosen from random rows of C̄.

use rand_chacha::ChaCha12Rng;

use crate::random::{standard_normal, stream};

/// Number of hulls that the mean is taken over.
const HULLS: usize = 32;
/// For a hull of K anchors the longest 4K + 64 rows are candidates. Shorter ones are never chosen,
/// because pivoting shortens all rows about equally.
const CANDIDATES_PER_ANCHOR: usize = 4;
const MORE_CANDIDATES: usize = 64;

/// ln of (K − 1)! times the mean (K − 1)-volume of the hull of K anchors, chosen by
/// column-pivoted QR from `words` rows that are uniform on the simplex of `words` dimensions.
///
/// The W rows of W numbers are never drawn; a hull takes W + 4K² random numbers. A row x is the
/// centre of the simplex, m = e/W, plus z orthogonal to m. Pivoting depends on lengths and angles
/// only.
///
/// Lengths: ‖x‖² is drawn from its first four moments by a Cornish–Fisher expansion. The moments
/// are exact, because x is a vector of exponentials over its sum and independent of the sum.
///
/// Angles: z is assumed spherically symmetric. For such rows the pivoted QR is followed exactly
/// with three numbers a row: the part along m outside the pivots, the squared length outside m and
/// the pivots, and the remainder of the affine equation of the pivots' plane.
///
/// # Accuracy
/// Compared with a literal implementation of the definition (20 hulls, 6 for W = 3000). Columns:
/// mean of ln volume ± its spread between hulls, the result of this function, and the difference.
///
/// | W | K | literal | here | too large by |
/// | --- | --- | --- | --- | --- |
/// | 100 | 50 | −114.67 ± 0.73 | −114.69 | −0.02 |
/// | 300 | 20 | −50.85 ± 0.18 | −50.83 | 0.02 |
/// | 300 | 100 | −283.16 ± 0.51 | −283.06 | 0.10 |
/// | 700 | 50 | −155.85 ± 0.20 | −155.81 | 0.04 |
/// | 1500 | 50 | −174.76 ± 0.10 | −174.73 | 0.03 |
/// | 1500 | 100 | −356.36 ± 0.16 | −356.33 | 0.03 |
/// | 3000 | 100 | −390.78 ± 0.09 | −390.74 | 0.05 |
///
/// From the test `the_literal_definition_has_the_same_volume_for_more_words`, which is ignored for
/// its length. The spread of the mean over 32 hulls is a sixth of that of one hull.
///
/// # Panics
/// When `topics` is 0 or above `words`.
pub fn log_mean_random_volume(words: usize, topics: usize, seed: u64) -> f64 {
    assert!((1..=words).contains(&topics), "as many rows as anchors");
    let mut rng = stream(seed, "random anchor hulls");
    let logs: Vec<f64> = (0..HULLS).map(|_| log_random_volume(words, topics, &mut rng)).collect();
    let largest = logs.iter().fold(f64::NEG_INFINITY, |most: f64, &log| most.max(log));
    let mean = logs.iter().map(|log| (log - largest).exp()).sum::<f64>() / HULLS as f64;
    largest + mean.ln()
}

/// A row of the random C̄ outside the span of the pivots chosen so far.
#[derive(Clone, Copy)]
struct Row {
    /// Component along m, outside the pivots.
    along: f64,
    /// Squared length outside m and the pivots.
    across: f64,
    /// 1 − xᵀu for the shortest u with pᵀu = 1 for all pivots p.
    height: f64,
}

impl Row {
    fn squared_length(&self) -> f64 {
        self.along * self.along + self.across
    }
}

/// ln of (K − 1)! times the volume of one hull.
fn log_random_volume(words: usize, topics: usize, rng: &mut ChaCha12Rng) -> f64 {
    let mut rows = longest_rows(words, topics, rng);
    // The parallelepiped of the pivots has volume Π length. Divided by the distance of their plane
    // from the origin, 1/‖u‖, that is (K − 1)! times the volume of their hull.
    let mut log_lengths = 0.0;
    let mut squared_u = 0.0;
    for chosen in 0..topics {
        let pivot = rows.swap_remove(longest(&rows));
        let length = pivot.squared_length().sqrt();
        let (cosine, sine) = (pivot.along / length, pivot.across.sqrt() / length);
        let u = pivot.height / length;
        log_lengths += length.ln();
        squared_u += u * u;
        let dimensions = words - 1 - chosen;
        for row in &mut rows {
            let shared = row.across.sqrt() * random_cosine(dimensions, rng);
            row.height -= (cosine * row.along + sine * shared) * u;
            row.along = sine * row.along - cosine * shared;
            row.across -= shared * shared;
        }
    }
    log_lengths + 0.5 * squared_u.ln()
}

fn longest(rows: &[Row]) -> usize {
    let mut best = 0;
    for (index, row) in rows.iter().enumerate() {
        if row.squared_length() > rows[best].squared_length() {
            best = index;
        }
    }
    best
}

/// The candidates: the longest of `words` random rows, longest first.
fn longest_rows(words: usize, topics: usize, rng: &mut ChaCha12Rng) -> Vec<Row> {
    let distribution = SquaredLength::new(words);
    let mut squares: Vec<f64> = (0..words).map(|_| distribution.draw(rng)).collect();
    let (count, order) =
        (CANDIDATES_PER_ANCHOR * topics + MORE_CANDIDATES, |a: &f64, b: &f64| b.total_cmp(a));
    if count < words {
        squares.select_nth_unstable_by(count, order);
        squares.truncate(count);
    }
    squares.sort_by(order);
    let middle = 1.0 / words as f64;
    let row =
        |square: f64| Row { along: middle.sqrt(), across: (square - middle).max(0.0), height: 1.0 };
    squares.into_iter().map(row).collect()
}

/// The cosine of the angle between a random and a fixed direction in `dimensions` ≥ 1 dimensions: a
/// normal draw over the length of a normal vector, approximated for many dimensions; ±1 for one.
fn random_cosine(dimensions: usize, rng: &mut ChaCha12Rng) -> f64 {
    let normal = standard_normal(rng);
    normal / (normal * normal + (dimensions - 1) as f64).sqrt()
}

/// The distribution of ‖x‖² for x uniform on the simplex of W dimensions, from its first four
/// moments.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SquaredLength {
    mean: f64,
    deviation: f64,
    skewness: f64,
    excess: f64,
}

impl SquaredLength {
    /// Moments from E[(Σe²)^r] = E[(Σe)^2r]·E[‖x‖^2r] for exponentials e, worked out for r = 1 to
    /// 4.
    fn new(words: usize) -> Self {
        let w = words as f64;
        let (w1, w2, w3) = (w + 1.0, w + 2.0, w + 3.0);
        let (w45, w67) = ((w + 4.0) * (w + 5.0), (w + 6.0) * (w + 7.0));
        let variance = 4.0 * (w - 1.0) / (w1 * w1 * w2 * w3);
        // Third and fourth cumulants over powers of the variance, simplified by hand.
        let skewness = 16.0 * (w - 1.0) * (5.0 * w - 7.0)
            / (w1.powi(3) * w2 * w3 * w45)
            / variance.powf(1.5).max(f64::MIN_POSITIVE);
        let quartic = (((41.0 * w + 77.0) * w - 359.0) * w - 461.0) * w + 654.0;
        let excess = 6.0 * quartic / ((w - 1.0).max(1.0) * w45 * w67);
        Self { mean: 2.0 / w1, deviation: variance.sqrt(), skewness, excess }
    }

    fn draw(&self, rng: &mut ChaCha12Rng) -> f64 {
        let z = standard_normal(rng);
        let (skew, excess) = (self.skewness, self.excess);
        let bent = z + (z * z - 1.0) * skew / 6.0 + (z.powi(3) - 3.0 * z) * excess / 24.0
            - (2.0 * z.powi(3) - 5.0 * z) * skew * skew / 36.0;
        self.mean + self.deviation * bent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::extreme_rows::extreme_rows;
    use crate::metric::anchors::log_relative_volume::log_hull_volume;
    use ndarray::{Array2, Axis};
    use rand::RngExt;

    fn uniform_rows(words: usize, rng: &mut ChaCha12Rng) -> Array2<f64> {
        let mut rows =
            Array2::from_shape_simple_fn((words, words), || -(1.0 - rng.random::<f64>()).ln());
        for mut row in rows.axis_iter_mut(Axis(0)) {
            let sum = row.sum();
            row /= sum;
        }
        rows
    }

    /// ln volumes of hulls by the literal definition.
    fn literal(words: usize, topics: usize, hulls: usize) -> Vec<f64> {
        let mut rng = stream(11, "literal hulls");
        let volume = |_| {
            let rows = uniform_rows(words, &mut rng);
            let anchors = extreme_rows(&rows, topics).rows;
            let chosen = rows.select(Axis(0), &anchors).t().as_standard_layout().to_owned();
            log_hull_volume(&chosen).expect("a hull")
        };
        (0..hulls).map(volume).collect()
    }

    fn simulated(words: usize, topics: usize, hulls: usize) -> Vec<f64> {
        let mut rng = stream(12, "simulated hulls");
        (0..hulls).map(|_| log_random_volume(words, topics, &mut rng)).collect()
    }

    fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        (mean, (square / (values.len() - 1) as f64).sqrt())
    }

    #[test]
    fn the_literal_definition_has_the_same_volume() {
        for (words, topics) in [(60, 5), (300, 10), (300, 40)] {
            let (theirs, spread) = mean_and_deviation(&literal(words, topics, 12));
            let (ours, _) = mean_and_deviation(&simulated(words, topics, 60));
            let error = (ours - theirs).abs();
            assert!(error < 0.1 + 5.0 * spread / 12f64.sqrt(), "W {words}, K {topics}: {error}");
        }
    }

    #[test]
    #[ignore = "a minute of work: the figures of the documentation"]
    #[allow(clippy::print_stdout, reason = "an experiment prints its figures")]
    fn the_literal_definition_has_the_same_volume_for_more_words() {
        for words in [100, 300, 700, 1500, 3000] {
            let hulls = if words > 2000 { 6 } else { 20 };
            for topics in [5, 20, 50, 100] {
                if topics >= words {
                    continue;
                }
                let (theirs, spread) = mean_and_deviation(&literal(words, topics, hulls));
                let (ours, own) = mean_and_deviation(&simulated(words, topics, 200));
                println!(
                    "W {words} K {topics}: literal {theirs:.3} ± {spread:.3} a hull, simulated \
                     {ours:.3} ± {own:.3}, difference {:.3}",
                    ours - theirs
                );
                let noise = 5.0 * spread / (hulls as f64).sqrt();
                assert!((ours - theirs).abs() < 0.2 + noise);
            }
        }
    }

    #[test]
    fn squared_lengths_have_the_moments_of_uniform_rows() {
        let mut rng = stream(3, "lengths");
        let words = 40;
        let squares: Vec<f64> = (0..500)
            .flat_map(|_| {
                let rows = uniform_rows(words, &mut rng);
                rows.rows().into_iter().map(|row| row.dot(&row)).collect::<Vec<_>>()
            })
            .collect();
        let distribution = SquaredLength::new(words);
        let (mean, deviation) = mean_and_deviation(&squares);
        let power = |p| {
            squares.iter().map(|s| ((s - mean) / deviation).powi(p)).sum::<f64>()
                / squares.len() as f64
        };
        // 20,000 rows: five standard errors of the mean, the deviation and the skewness.
        assert!((mean / distribution.mean - 1.0).abs() < 0.01, "{mean} {distribution:?}");
        assert!(
            (deviation / distribution.deviation - 1.0).abs() < 0.05,
            "{deviation} {distribution:?}"
        );
        assert!(
            (power(3) / distribution.skewness - 1.0).abs() < 0.3,
            "{} {distribution:?}",
            power(3)
        );
        assert!(
            (power(4) - 3.0) / distribution.excess < 2.0,
            "{} {distribution:?}",
            power(4) - 3.0
        );
        assert!(
            (power(4) - 3.0) / distribution.excess > 0.5,
            "{} {distribution:?}",
            power(4) - 3.0
        );
    }
}
