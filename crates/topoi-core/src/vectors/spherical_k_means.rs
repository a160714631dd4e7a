//! Clusters of vectors by their directions.

use std::collections::HashSet;

use faer::{MatMut, MatRef};
use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;
use rayon::prelude::*;

use super::{ROWS_AT_ONCE, UnitVectors, dot};
use crate::linalg::dense::multiply;
use crate::progress::Progress;
use crate::random::stream;

/// Number of starts, of which the best result is kept.
const STARTS: u64 = 3;
/// Rounds of a start at most. Real vectors settle in 20 to 100.
const MAX_ROUNDS: usize = 300;

/// Vectors in K clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    /// The cluster of each vector, from 0 to K − 1, the largest cluster first. With n ≥ K, none is empty.
    pub labels: Vec<u32>,
    /// The mean cosine of a vector with the centre of its cluster.
    pub mean_cosine: f64,
    /// Rounds of the start that was kept.
    pub rounds: usize,
    /// The share of vectors that changed their cluster in the last round, 0 to 1; 0: it has converged.
    pub change: f64,
}

/// K clusters that maximise the sum of the cosines of vectors with the centres of their clusters; a centre is the
/// direction of the sum of its vectors. Lloyd's rounds from three starts by k-means++ on 1 − cosine; a cluster that
/// loses its last vector is given the one farthest from its centre. A local maximum: other seeds may find another.
///
/// Stops early, with the clusters so far, where `progress` is cancelled.
///
/// # Cost
/// 2ndK flops a round and memory for 16·K·d numbers beside the vectors. The labels are the same for any number of
/// threads.
///
/// # Panics
/// When K is 0 or greater than n.
///
/// # Source
/// Dhillon and Modha 2001, "Concept decompositions for large sparse text data using clustering"; Arthur and
/// Vassilvitskii 2007, "k-means++", for the starts.
pub fn spherical_k_means(
    vectors: &UnitVectors,
    k: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Clusters {
    assert!((1..=vectors.len()).contains(&k), "every cluster can have a vector");
    // How many rounds there will be is not known.
    progress.begin("clusters", 0, "share of vectors that moved");
    let mut best: Option<Clusters> = None;
    for start in 0..STARTS {
        let mut rng = stream(seed, &format!("spherical k-means {start}"));
        let found = from_start(vectors, spread_centres(vectors, k, &mut rng), start, progress);
        if best.as_ref().is_none_or(|best| found.mean_cosine > best.mean_cosine) {
            best = Some(found);
        }
        if progress.cancelled() {
            break;
        }
    }
    let found = best.unwrap_or_else(|| unreachable!("there is a start"));
    Clusters { labels: by_size(&found.labels, k), ..found }
}

/// Rounds from these centres until no vector moves.
fn from_start(
    vectors: &UnitVectors,
    mut centres: Array2<f32>,
    start: u64,
    progress: &dyn Progress,
) -> Clusters {
    let mut labels: Vec<u32> = Vec::new();
    for round in 1.. {
        let mut found = assign(vectors, &centres);
        refill(vectors, &centres, &mut found);
        let moved = labels.iter().zip(&found.labels).filter(|(old, new)| old != new).count();
        let moved = if labels.is_empty() { vectors.len() } else { moved };
        labels = found.labels;
        let change = moved as f64 / vectors.len() as f64;
        let step = start * MAX_ROUNDS as u64 + round as u64;
        progress.step(step, Some(change));
        if moved == 0 || round == MAX_ROUNDS || progress.cancelled() {
            // The sum over a cluster has the length of the sum of the cosines with its direction.
            let lengths = found.sums.rows().into_iter().map(|sum| sum.dot(&sum).sqrt());
            let mean_cosine = lengths.sum::<f64>() / vectors.len() as f64;
            return Clusters { labels, mean_cosine, rounds: round, change };
        }
        move_centres(&mut centres, &found.sums);
    }
    unreachable!("the last round returns")
}

/// Vectors by their nearest centres.
struct Assigned {
    labels: Vec<u32>,
    /// The cosine of each vector with the centre.
    cosines: Vec<f32>,
    /// The sums of the vectors of the clusters, K × d.
    sums: Array2<f64>,
}

/// The nearest centre of every vector, of equally near ones the first.
fn assign(vectors: &UnitVectors, centres: &Array2<f32>) -> Assigned {
    let (k, d) = centres.dim();
    let by_column = MatRef::from_row_major_slice(centres.as_slice().expect("contiguous"), k, d);
    let pieces: Vec<Assigned> = vectors
        .pieces()
        .map(|piece| {
            let rows = piece.len() / d;
            let (mut labels, mut cosines) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
            let mut sums = Array2::<f64>::zeros((k, d));
            let mut products = vec![0.0_f32; ROWS_AT_ONCE * k];
            for block in piece.chunks(ROWS_AT_ONCE * d) {
                let count = block.len() / d;
                let out = &mut products[..count * k];
                multiply(
                    MatMut::from_row_major_slice_mut(out, count, k),
                    MatRef::from_row_major_slice(block, count, d),
                    by_column.transpose(),
                );
                for (row, cosines_of_row) in block.chunks_exact(d).zip(out.chunks_exact(k)) {
                    let (label, cosine) = largest(cosines_of_row);
                    labels.push(label as u32);
                    cosines.push(cosine);
                    let mut sum = sums.row_mut(label);
                    sum.iter_mut().zip(row).for_each(|(sum, &number)| *sum += f64::from(number));
                }
            }
            Assigned { labels, cosines, sums }
        })
        .collect();
    let mut all = Assigned { labels: Vec::new(), cosines: Vec::new(), sums: Array2::zeros((k, d)) };
    for piece in pieces {
        all.labels.extend(piece.labels);
        all.cosines.extend(piece.cosines);
        all.sums += &piece.sums;
    }
    all
}

/// The largest number and its position, of equal ones the first.
fn largest(numbers: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    for (at, &number) in numbers.iter().enumerate() {
        if number > best.1 {
            best = (at, number);
        }
    }
    best
}

/// Gives every empty cluster the vector that is farthest from its centre, from a cluster that keeps others.
fn refill(vectors: &UnitVectors, centres: &Array2<f32>, found: &mut Assigned) {
    let mut sizes = vec![0_u64; centres.nrows()];
    found.labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let empty: Vec<usize> = (0..sizes.len()).filter(|&cluster| sizes[cluster] == 0).collect();
    if empty.is_empty() {
        return;
    }
    let mut farthest: Vec<usize> = (0..found.labels.len()).collect();
    farthest.sort_by(|&a, &b| found.cosines[a].total_cmp(&found.cosines[b]).then(a.cmp(&b)));
    let mut farthest = farthest.into_iter();
    for cluster in empty {
        let keeps_others = |&row: &usize| sizes[found.labels[row] as usize] > 1;
        let Some(row) = farthest.find(keeps_others) else { return };
        let old = found.labels[row] as usize;
        for (at, &number) in vectors.row(row).iter().enumerate() {
            found.sums[(old, at)] -= f64::from(number);
            found.sums[(cluster, at)] += f64::from(number);
        }
        sizes[old] -= 1;
        sizes[cluster] += 1;
        found.labels[row] = cluster as u32;
    }
}

/// Moves centres to the directions of the sums. One whose vectors cancel each other out has none, and stays.
fn move_centres(centres: &mut Array2<f32>, sums: &Array2<f64>) {
    for (mut centre, sum) in centres.rows_mut().into_iter().zip(sums.rows()) {
        let length = sum.dot(&sum).sqrt();
        if length > 0.0 {
            centre.iter_mut().zip(sum).for_each(|(centre, sum)| *centre = (sum / length) as f32);
        }
    }
}

/// Centres drawn from the vectors with a chance that grows with the distance 1 − cosine from those before (k-means++).
fn spread_centres(vectors: &UnitVectors, k: usize, rng: &mut ChaCha12Rng) -> Array2<f32> {
    let (n, d) = (vectors.len(), vectors.dimensions());
    let mut centres = Array2::zeros((k, d));
    let mut drawn = HashSet::new();
    let mut distances = vec![1.0_f64; n];
    for cluster in 0..k {
        let row = draw(&distances, rng).unwrap_or_else(|| {
            // All others are equal to a centre: the first that is none.
            (0..n).find(|row| !drawn.contains(row)).unwrap_or_default()
        });
        drawn.insert(row);
        let centre = vectors.row(row);
        centres.row_mut(cluster).iter_mut().zip(centre).for_each(|(to, &from)| *to = from);
        let rows = vectors.numbers.par_chunks_exact(d);
        distances.par_iter_mut().zip(rows).with_min_len(ROWS_AT_ONCE).for_each(
            |(distance, row)| {
                let own = (1.0 - dot(row, centre)).max(0.0);
                *distance = if cluster == 0 { own } else { distance.min(own) };
            },
        );
        distances[row] = 0.0;
    }
    centres
}

/// A position drawn with these weights; `None` where all are 0.
fn draw(weights: &[f64], rng: &mut ChaCha12Rng) -> Option<usize> {
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|&weight| {
        left -= weight;
        left < 0.0
    });
    drawn.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
}

/// The labels with clusters numbered by size, the largest first; of equal ones that of the first vector.
fn by_size(labels: &[u32], k: usize) -> Vec<u32> {
    let mut sizes = vec![(0_u64, usize::MAX); k];
    for (row, &label) in labels.iter().enumerate() {
        let size = &mut sizes[label as usize];
        *size = (size.0 + 1, size.1.min(row));
    }
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by_key(|&cluster| (std::cmp::Reverse(sizes[cluster].0), sizes[cluster].1));
    let mut number = vec![0; k];
    (0..).zip(order).for_each(|(at, cluster)| number[cluster] = at);
    labels.iter().map(|&label| number[label as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::random::standard_normal;
    use proptest::prelude::*;

    /// `each` vectors around each of `k` random directions, with noise of this length.
    fn planted(k: usize, each: usize, d: usize, noise: f64, seed: u64) -> UnitVectors {
        let mut rng = stream(seed, "planted clusters");
        let mut direction = || -> Vec<f64> {
            let row: Vec<f64> = (0..d).map(|_| standard_normal(&mut rng)).collect();
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            row.iter().map(|x| x / length).collect()
        };
        let centres: Vec<Vec<f64>> = (0..k).map(|_| direction()).collect();
        // Vectors of the clusters take turns.
        let numbers = (0..each * k).flat_map(|at| {
            let more = direction();
            let row = centres[at % k].iter().zip(more).map(|(c, x)| (c + noise * x) as f32);
            row.collect::<Vec<f32>>()
        });
        UnitVectors::from_rows(d, numbers.collect()).expect("vectors")
    }

    #[test]
    fn planted_clusters_are_found() {
        let vectors = planted(7, 300, 40, 0.3, 1);
        let found = spherical_k_means(&vectors, 7, 1, &Silent);
        assert_eq!(found.change, 0.0);
        for (row, label) in found.labels.iter().enumerate() {
            assert_eq!(*label, found.labels[row % 7], "vector {row}");
        }
        let first: HashSet<u32> = found.labels[..7].iter().copied().collect();
        assert_eq!(first.len(), 7);
        // Equal sizes: by the first vector.
        assert_eq!(found.labels[..7], [0, 1, 2, 3, 4, 5, 6]);
        // cos = 1/√(1 + 0.3²) for noise across a direction.
        assert!(
            (found.mean_cosine - 1.09_f64.sqrt().recip()).abs() < 0.01,
            "{}",
            found.mean_cosine
        );
    }

    #[test]
    fn labels_are_the_same_for_any_number_of_threads() {
        let vectors = planted(5, 1_000, 24, 2.0, 3);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| spherical_k_means(&vectors, 9, 7, &Silent))
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(3));
        assert_ne!(one.labels, spherical_k_means(&vectors, 9, 8, &Silent).labels);
    }

    #[test]
    fn a_round_does_what_a_naive_one_does() {
        let vectors = planted(4, 400, 9, 1.5, 5);
        let centres = spread_centres(&vectors, 6, &mut stream(1, "start"));
        let found = assign(&vectors, &centres);
        let mut sums = Array2::<f64>::zeros((6, 9));
        for (row, vector) in vectors.rows().enumerate() {
            let cosines: Vec<f64> = centres
                .rows()
                .into_iter()
                .map(|centre| vector.iter().zip(centre).map(|(a, b)| f64::from(a * b)).sum())
                .collect();
            let best = cosines.iter().copied().fold(f64::MIN, f64::max);
            let label = found.labels[row] as usize;
            assert!(cosines[label] > best - 1e-6, "vector {row}");
            for (at, &number) in vector.iter().enumerate() {
                sums[(label, at)] += f64::from(number);
            }
        }
        assert!((sums - &found.sums).iter().all(|x| x.abs() < 1e-9));
    }

    #[test]
    fn equal_vectors_fill_all_clusters() {
        let vectors = UnitVectors::from_rows(3, [1.0, 2.0, 3.0].repeat(8)).expect("vectors");
        let found = spherical_k_means(&vectors, 5, 1, &Silent);
        let labels: HashSet<u32> = found.labels.iter().copied().collect();
        assert_eq!(labels.len(), 5);
        assert!(found.change == 0.0 && found.labels.iter().filter(|&&l| l == 0).count() == 4);
    }

    #[test]
    fn vectors_that_cancel_each_other_out_are_clusters_all_the_same() {
        let rows = vec![1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0];
        let vectors = UnitVectors::from_rows(2, rows).expect("vectors");
        let found = spherical_k_means(&vectors, 1, 1, &Silent);
        assert_eq!((found.labels, found.mean_cosine), (vec![0; 4], 0.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn no_vector_is_nearer_to_the_centre_of_another_cluster(
            rows in prop::collection::vec(prop::collection::vec(-9_i8..9, 4), 6..40),
            k in 1_usize..6,
            seed in 0_u64..9,
        ) {
            let numbers = rows.iter().flatten().map(|&x| f32::from(x) + 0.25).collect();
            let vectors = UnitVectors::from_rows(4, numbers).expect("vectors");
            let found = spherical_k_means(&vectors, k, seed, &Silent);
            let mut sums = vec![[0.0_f64; 4]; k];
            for (row, &label) in vectors.rows().zip(&found.labels) {
                (0..4).for_each(|at| sums[label as usize][at] += f64::from(row[at]));
            }
            let length = |sum: &[f64; 4]| sum.iter().map(|x| x * x).sum::<f64>().sqrt();
            let distinct: HashSet<Vec<u32>> =
                vectors.rows().map(|row| row.iter().map(|x| x.to_bits()).collect()).collect();
            let sizes: Vec<usize> = (0..k as u32)
                .map(|cluster| found.labels.iter().filter(|&&label| label == cluster).count())
                .collect();
            prop_assert!(sizes.iter().all(|&size| size > 0), "{:?}", sizes);
            prop_assert!(sizes.is_sorted_by(|a, b| a >= b), "{:?}", sizes);
            let all: f64 = sums.iter().map(length).sum();
            prop_assert!((found.mean_cosine - all / rows.len() as f64).abs() < 1e-9);
            // With fewer distinct vectors than clusters, a cluster is filled by one that is equal to others.
            if distinct.len() < k || found.change > 0.0 {
                return Ok(());
            }
            for (row, &label) in vectors.rows().zip(&found.labels) {
                let cosine = |sum: &[f64; 4]| {
                    (0..4).map(|at| sum[at] * f64::from(row[at])).sum::<f64>() / length(sum).max(1e-12)
                };
                let own = cosine(&sums[label as usize]);
                prop_assert!(sums.iter().all(|sum| cosine(sum) < own + 1e-5));
            }
        }
    }
}
