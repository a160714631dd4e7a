//! Grouping words by spectral clustering.

use ndarray::{Array1, Array2, ArrayView1, Axis};
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use crate::linalg::dense::symmetric_eigen;
use crate::model::separable::distances::Distances;
use crate::model::separable::group::{WordGroups, in_order};
use crate::random::stream;

/// Times k-means is begun anew; the best end is kept.
const STARTS: usize = 20;
/// Rounds of k-means at most.
const ROUNDS: usize = 100;
/// A pair's least weight, so that a word far from all others still has neighbours.
const LEAST_WEIGHT: f64 = 1e-9;

/// Spectral clustering of the words with weights exp(−D/σ), at most 1: σ as given, or half the median positive
/// distance (the paper has σ = 1, but D's scale is the data's). The K leading eigenvectors of the
/// normalised weights, rows made unit length, grouped by k-means.
///
/// # Cost
/// The eigenvectors of a g × g matrix: about 10·g³ flops on one thread.
///
/// # Source
/// Ding et al. 2013, §6.1; Ng, Jordan and Weiss 2001, "On spectral clustering".
pub(in crate::model::separable) fn spectral(
    distances: &Distances,
    topics: usize,
    sigma: Option<f64>,
    seed: u64,
) -> WordGroups {
    let count = distances.len();
    let positive = distances.positive();
    let usual = || positive.get(positive.len() / 2).map_or(1.0, |median| median / 2.0);
    let sigma = sigma.unwrap_or_else(usual);
    let weights = Array2::from_shape_fn((count, count), |(i, j)| {
        let weight = if i == j { 0.0 } else { (-distances.between(i, j) / sigma).exp().min(1.0) };
        weight + LEAST_WEIGHT
    });
    let root = weights.sum_axis(Axis(1)).mapv(|degree| 1.0 / degree.sqrt());
    let normalised =
        Array2::from_shape_fn((count, count), |(i, j)| root[i] * weights[(i, j)] * root[j]);
    let (_, vectors) = symmetric_eigen(&normalised);
    let mut rows = vectors.slice(ndarray::s![.., ..topics.min(count)]).to_owned();
    for mut row in rows.rows_mut() {
        let norm = row.dot(&row).sqrt();
        if norm > 0.0 {
            row /= norm;
        }
    }
    in_order(k_means(&rows, topics.min(count), &mut stream(seed, "spectral clustering")))
}

/// The groups of the start that ends with the least sum of squares.
fn k_means(rows: &Array2<f64>, groups: usize, rng: &mut ChaCha12Rng) -> WordGroups {
    let mut best: Option<(f64, Vec<usize>)> = None;
    for _ in 0..STARTS {
        let mut centres = spread_centres(rows, groups, rng);
        let mut found = assign(rows, &centres);
        for _ in 0..ROUNDS {
            centres = means(rows, &found.1, centres);
            let again = assign(rows, &centres);
            let is_settled = again.1 == found.1;
            found = again;
            if is_settled {
                break;
            }
        }
        if best.as_ref().is_none_or(|best| found.0 < best.0) {
            best = Some(found);
        }
    }
    let labels = best.map_or(Vec::new(), |best| best.1);
    let members = |group| (0..labels.len()).filter(|&row| labels[row] == group).collect();
    (0..groups).map(members).filter(|group: &Vec<usize>| !group.is_empty()).collect()
}

/// Centres drawn with a chance that grows with the squared distance from those before (k-means++).
fn spread_centres(rows: &Array2<f64>, groups: usize, rng: &mut ChaCha12Rng) -> Array2<f64> {
    let mut centres = Array2::zeros((groups, rows.ncols()));
    let mut reach = Array1::from_elem(rows.nrows(), 1.0);
    for group in 0..groups {
        let total: f64 = reach.sum();
        let mut left = rng.random::<f64>() * total;
        let drawn = reach.iter().position(|&share| {
            left -= share;
            left < 0.0
        });
        let drawn = drawn.unwrap_or(rows.nrows() - 1);
        centres.row_mut(group).assign(&rows.row(drawn));
        for (reach, row) in reach.iter_mut().zip(rows.rows()) {
            let distance = squared(row, rows.row(drawn));
            *reach = if group == 0 { distance } else { reach.min(distance) };
        }
    }
    centres
}

/// The sum of squares and every row's nearest centre.
fn assign(rows: &Array2<f64>, centres: &Array2<f64>) -> (f64, Vec<usize>) {
    let mut sum = 0.0;
    let labels = rows.rows().into_iter().map(|row| {
        let reach = centres.rows().into_iter().map(|centre| squared(row, centre)).enumerate();
        let nearest = reach.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        sum += nearest.1;
        nearest.0
    });
    let labels = labels.collect();
    (sum, labels)
}

/// The mean of each group's rows; the old centre where a group has none.
fn means(rows: &Array2<f64>, labels: &[usize], old: Array2<f64>) -> Array2<f64> {
    let mut sums = Array2::zeros(old.dim());
    let mut counts = vec![0.0; old.nrows()];
    for (row, &label) in rows.rows().into_iter().zip(labels) {
        let mut sum = sums.row_mut(label);
        sum += &row;
        counts[label] += 1.0;
    }
    for (group, &count) in counts.iter().enumerate() {
        let mut sum = sums.row_mut(group);
        if count > 0.0 {
            sum /= count;
        } else {
            sum.assign(&old.row(group));
        }
    }
    sums
}

fn squared(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_three_topics_come_apart() {
        // D within a topic is noise about 0, between topics about 10.
        let topic = |word: usize| word % 3;
        let cooccurrence = Array2::from_shape_fn((30, 30), |(i, j)| {
            let (low, high) = (i.min(j), i.max(j));
            let noise = ((low * 37 + high * 11) as f64).sin();
            (if topic(i) == topic(j) { 5.0 } else { 0.0 }) + noise
        });
        let distances = Distances { cooccurrence };
        let expected: WordGroups =
            (0..3).map(|t| (0..30).filter(|&word| topic(word) == t).collect()).collect();
        assert_eq!(spectral(&distances, 3, None, 1), expected);
        assert_eq!(spectral(&distances, 3, Some(2.0), 1), expected);
    }
}
