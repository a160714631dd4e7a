//! AP: alternating projections of a full co-occurrence.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::enn::scaled_by_roots;
use crate::linalg::block_krylov::{
    Eigenpairs, InMemory, KrylovSettings, block_krylov, block_krylov_from,
};
use crate::linalg::dense::product;
use crate::progress::{Progress, Silent};
use crate::random::stream;
use crate::stream::StreamError;

/// Rows of C that are projected at a time.
const TILE: usize = 32;

/// How AP works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlternatingSettings {
    /// K, the rank of the projection onto positive semidefinite matrices.
    pub rank: usize,
    /// Iterations at most.
    pub iterations: usize,
    /// It ends earlier when an iteration changes C by less than this, relative to C.
    pub settled: f64,
    /// How each iteration's eigenproblem is solved.
    pub krylov: KrylovSettings,
}

impl AlternatingSettings {
    /// For K topics, until an iteration changes C by less than 1e-6 of it, 1000 at most.
    pub fn new(topics: usize, krylov: KrylovSettings) -> Self {
        Self { rank: topics, iterations: 1000, settled: 1e-6, krylov }
    }
}

/// A rectified co-occurrence.
#[derive(Debug, Clone)]
pub struct Alternated {
    /// C*, W × W, no negative entries.
    pub cooccurrence: Array2<f64>,
    /// The eigenpairs of C as it came.
    pub eigenpairs: Eigenpairs,
    /// Iterations done.
    pub iterations: usize,
    /// ‖C_t − C_{t−1}‖_F / ‖C_{t−1}‖_F at the end.
    pub last_change: f64,
}

/// Projects C in turn onto the positive semidefinite matrices of rank K, those whose entries sum
/// to 1, and those without negative entries, until that changes nothing any more. Stages
/// "factorise" (the eigenpairs of C) and "rectify" are reported.
///
/// Each iteration's eigenproblem is solved to `krylov.tolerance`, started from the last one's
/// vectors. C is overwritten in place.
///
/// # Cost
/// An iteration takes 2·W²·K flops for the projection and 2·W²·(K + p) for every block product
/// of its eigenproblem; memory W² numbers and the Krylov basis.
///
/// # Errors
/// Only on cancel.
///
/// # Source
/// Lee et al. 2021, algorithm 2.
pub fn alternating_projections(
    mut c: Array2<f64>,
    settings: &AlternatingSettings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Alternated, StreamError> {
    let krylov = settings.krylov;
    progress.begin("factorise", krylov.max_passes as u64, crate::model::jsmf::FACTORISE);
    let mut rng = stream(seed, "raw krylov");
    let never = |never| match never {};
    let first = block_krylov(&InMemory(&c), krylov, &mut rng, progress).unwrap_or_else(never);
    progress.begin(
        "rectify",
        settings.iterations as u64,
        "change of the co-occurrence in an iteration, relative to it",
    );
    let mut latest = first.clone();
    let mut iterations = 0;
    let mut last_change = f64::INFINITY;
    while iterations < settings.iterations && last_change > settings.settled {
        if progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        if iterations > 0 {
            let start = latest.vectors;
            latest = block_krylov_from(start, &InMemory(&c), krylov, &Silent)
                .unwrap_or_else(|never| match never {});
        }
        let y = scaled_by_roots(&latest.vectors, &latest.values, settings.rank);
        last_change = project(&mut c, &y);
        iterations += 1;
        progress.step(iterations as u64, Some(last_change));
    }
    Ok(Alternated { cooccurrence: c, eigenpairs: first, iterations, last_change })
}

/// Replaces C by max(Y·Yᵀ + r·eeᵀ, 0), with r so that the entries sum to 1 before the cut, tile
/// of rows by tile. Returns how much C changed, relative to it.
fn project(c: &mut Array2<f64>, y: &Array2<f64>) -> f64 {
    let words = y.nrows();
    let mass = y.sum_axis(Axis(0));
    let missing = (1.0 - mass.dot(&mass)) / (words * words) as f64;
    let transposed = y.t().as_standard_layout().to_owned();
    let tiles: Vec<(f64, f64)> = c
        .axis_chunks_iter_mut(Axis(0), TILE)
        .into_par_iter()
        .zip(y.axis_chunks_iter(Axis(0), TILE))
        .map(|(mut rows, y_rows)| {
            let next = product(&y_rows.to_owned(), &transposed);
            let (mut change, mut size) = (0.0, 0.0);
            rows.zip_mut_with(&next, |entry, &joint| {
                let joint = (joint + missing).max(0.0);
                change += (joint - *entry).powi(2);
                size += entry.powi(2);
                *entry = joint;
            });
            (change, size)
        })
        .collect();
    let (change, size) =
        tiles.iter().fold((0.0, 0.0), |sum, tile| (sum.0 + tile.0, sum.1 + tile.1));
    (change / size).sqrt()
}
