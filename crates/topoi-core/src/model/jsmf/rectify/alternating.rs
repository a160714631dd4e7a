//! AP: rectification of a full co-occurrence by alternating projections.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::enn::scaled_by_roots;
use crate::linalg::block_krylov::{Eigenpairs, KrylovSettings, block_krylov_from};
use crate::linalg::dense::product;
use crate::model::jsmf::CancellableOperator;
use crate::progress::{Progress, Silent};
use crate::stream::StreamError;

/// Relative change of C in an iteration at which the projections stop.
pub const SETTLED: f64 = 1e-6;
/// Rows of C that are projected at a time.
const TILE: usize = 32;

/// Settings of alternating projections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlternatingSettings {
    /// K, the rank of the projection onto positive semidefinite matrices.
    pub rank: usize,
    /// Largest number of iterations.
    pub iterations: usize,
    /// Relative change of C in an iteration at which the projections stop.
    pub settled: f64,
    /// Settings of each iteration's eigenproblem.
    pub krylov: KrylovSettings,
}

impl AlternatingSettings {
    /// Settings for K topics that stop at a relative change of [`SETTLED`].
    pub fn new(topics: usize, iterations: usize, krylov: KrylovSettings) -> Self {
        Self { rank: topics, iterations, settled: SETTLED, krylov }
    }
}

/// The result of alternating projections.
#[derive(Debug, Clone)]
pub struct AlternatingResult {
    /// Y, W × K, with C* = [`projected`]; W × 0 without iterations.
    pub y: Array2<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// ‖C_t − C_{t−1}‖_F / ‖C_{t−1}‖_F of the last iteration.
    pub last_change: f64,
}

/// Projects C in turn onto the positive semidefinite matrices of rank K, those whose entries sum to
/// 1, and those without negative entries, until the changes are small. C is overwritten by C*;
/// `first` are the eigenpairs of the given C.
///
/// Each iteration's eigenproblem is solved to the accuracy of `krylov` and starts from the vectors
/// of the last.
///
/// # Cost
/// An iteration takes 2·W²·K flops for the projection and 2·W²·(K + p) for every block product of
/// its eigenproblem. Memory: W² numbers and the Krylov basis.
///
/// # Errors
/// `StreamError::Cancelled`.
///
/// # Source
/// Lee et al. 2021, algorithm 2.
pub fn alternating_projections(
    c: &mut Array2<f64>,
    first: &Eigenpairs,
    settings: &AlternatingSettings,
    progress: &dyn Progress,
) -> Result<AlternatingResult, StreamError> {
    let mut latest = first.clone();
    let mut found = AlternatingResult {
        y: Array2::zeros((c.nrows(), 0)),
        iterations: 0,
        last_change: f64::INFINITY,
    };
    while found.iterations < settings.iterations {
        if progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        if found.iterations > 0 {
            let start = latest.vectors;
            let operator = CancellableOperator { matrix: c, progress };
            latest = block_krylov_from(start, &operator, settings.krylov, &Silent)?;
        }
        found.y = scaled_by_roots(&latest.vectors, &latest.values, settings.rank);
        found.last_change = project(c, &found.y);
        found.iterations += 1;
        progress.step(found.iterations as u64, Some(found.last_change));
        let moves = found.last_change > settings.settled;
        if progress.decide(!moves) {
            break;
        }
    }
    Ok(found)
}

/// max(Y·Yᵀ + r·eeᵀ, 0), W × W, with r such that the entries sum to 1 before the maximum. Equal to
/// the bit to the C that [`alternating_projections`] leaves.
pub fn projected(y: &Array2<f64>) -> Array2<f64> {
    let mut c = Array2::zeros((y.nrows(), y.nrows()));
    project(&mut c, y);
    c
}

/// Replaces C by max(Y·Yᵀ + r·eeᵀ, 0), with r such that the entries sum to 1 before the maximum, in
/// tiles of rows. Returns the relative change of C.
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
