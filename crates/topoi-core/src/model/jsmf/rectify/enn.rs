//! ENN: epsilon non-negative rectification of a compressed co-occurrence.

use ndarray::{Array1, Array2, Axis};

use super::negative_part::NegativePart;
use crate::linalg::dense::{product, symmetric_eigen, transposed_product};
use crate::linalg::orthonormal::orthonormalise;
use crate::progress::Progress;
use crate::stream::StreamError;

/// Settings of ENN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnnSettings {
    /// K, the rank of the projection.
    pub rank: usize,
    /// Number of iterations; the authors use 50.
    pub iterations: usize,
    /// l, the number of rows with the largest norms whose negative entries are corrected; 10K +
    /// 1000 in the paper.
    pub large_rows: usize,
}

impl EnnSettings {
    /// Settings for K topics. Without `rows`, l is the paper's 10K + 1000 (§5).
    pub fn new(topics: usize, iterations: usize, rows: Option<usize>) -> Self {
        Self { rank: topics, iterations, large_rows: rows.unwrap_or(10 * topics + 1000) }
    }
}

/// A rectified, compressed co-occurrence: C* ≈ Y·Yᵀ.
#[derive(Debug, Clone)]
pub struct EnnResult {
    /// Y, W × K.
    pub y: Array2<f64>,
    /// Number of iterations.
    pub iterations: usize,
    /// ‖E_t − E_{t−1}‖ / ‖E_t‖ of the last iteration.
    pub last_change: f64,
    /// Share of negative entries in the large rows at the end.
    pub negative_share: f64,
}

/// Projects the compressed co-occurrence onto the matrices that a topic model allows: positive
/// semidefinite of rank K, entries that sum to 1, no negative entries in the large rows. The
/// alternating projections never leave the sparse-plus-low-rank form `Y·Yᵀ + E + r·eeᵀ`.
///
/// Each iteration's eigenproblem starts from the last basis and takes one block step (multiply,
/// orthonormalise, Rayleigh–Ritz). The operator changes by a few percent in an iteration, so one
/// step is enough: on sampled documents Y·Yᵀ is within 1e-4 of a full eigensolver's after 40
/// iterations (tests/it/jsmf.rs).
///
/// # Shapes
/// `values` (b) and `vectors` (W × b, orthonormal) are the largest eigenpairs of C, b ≥ K.
///
/// # Cost
/// An iteration takes 2·l·W·K flops in f32 and 12·W·b² in f64. Memory: 6·W·b and twice E.
///
/// # Errors
/// `StreamError::Cancelled`.
///
/// # Source
/// Lee et al. 2021, algorithm 3, with algorithm 6's initialisation.
pub fn enn(
    values: &Array1<f64>,
    vectors: &Array2<f64>,
    settings: EnnSettings,
    progress: &dyn Progress,
) -> Result<EnnResult, StreamError> {
    let mut basis = vectors.to_owned();
    let mut y = scaled_by_roots(&basis, values, settings.rank);
    let mut correction = NegativePart::new(&y, settings.large_rows);
    let mut last_change = 0.0;
    for iteration in 1..=settings.iterations {
        if progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        let (values, vectors) = block_step(&basis, &Projected::new(&y, &correction));
        y = scaled_by_roots(&vectors, &values, settings.rank);
        basis = vectors;
        let next = NegativePart::new(&y, settings.large_rows);
        last_change = next.relative_change(&correction);
        correction = next;
        progress.step(iteration as u64, Some(last_change));
    }
    let negative_share = correction.density();
    Ok(EnnResult { y, iterations: settings.iterations, last_change, negative_share })
}

/// The operator Y·Yᵀ + E + r·eeᵀ, with r such that its entries sum to 1.
struct Projected<'a> {
    y: &'a Array2<f64>,
    correction: &'a NegativePart,
    missing: f64,
}

impl<'a> Projected<'a> {
    fn new(y: &'a Array2<f64>, correction: &'a NegativePart) -> Self {
        let mass = y.sum_axis(Axis(0));
        let entries = (y.nrows() * y.nrows()) as f64;
        let missing = (1.0 - mass.dot(&mass) - correction.sum()) / entries;
        Self { y, correction, missing }
    }

    fn multiply(&self, v: &Array2<f64>) -> Array2<f64> {
        let mut image = product(self.y, &transposed_product(self.y, v));
        image += &self.correction.multiply(v);
        image += &(v.sum_axis(Axis(0)) * self.missing);
        image
    }
}

/// One step of subspace iteration: multiply, orthonormalise, Rayleigh–Ritz. Returns the Ritz
/// values, largest first, and vectors.
fn block_step(basis: &Array2<f64>, operator: &Projected<'_>) -> (Array1<f64>, Array2<f64>) {
    let (q, _) = orthonormalise(&operator.multiply(basis));
    let projected = transposed_product(&q, &operator.multiply(&q));
    let (values, rotation) = symmetric_eigen(&((&projected + &projected.t()) / 2.0));
    (values, product(&q, &rotation))
}

/// The first `rank` columns, each multiplied by the root of its eigenvalue (0 for negative ones).
pub(super) fn scaled_by_roots(
    vectors: &Array2<f64>,
    values: &Array1<f64>,
    rank: usize,
) -> Array2<f64> {
    let rank = rank.min(vectors.ncols());
    Array2::from_shape_fn((vectors.nrows(), rank), |(word, k)| {
        vectors[(word, k)] * values[k].max(0.0).sqrt()
    })
}
