//! PALM: rectification by proximal alternating linearised minimisation.

use ndarray::{Array2, Zip};

use super::enn::scaled_by_roots;
use crate::linalg::block_krylov::{Eigenpairs, SymmetricOperator};
use crate::linalg::dense::{product, symmetric_eigen, transposed_product};
use crate::progress::Progress;
use crate::stream::StreamError;

/// Relative change of Y in an iteration at which PALM stops.
pub const SETTLED: f64 = 1e-5;

/// Settings of PALM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PalmSettings {
    /// K, the columns of X and Y.
    pub rank: usize,
    /// s, the strength of the coupling of X and Y; 1e-4 in the paper.
    pub coupling: f64,
    /// γ > 1, the factor by which steps stay below the reciprocal Lipschitz modulus.
    pub caution: f64,
    /// Largest number of iterations.
    pub iterations: usize,
    /// Relative change of Y in an iteration at which it stops.
    pub settled: f64,
}

impl PalmSettings {
    /// Settings for K topics with the paper's s = 1e-4 (§5) and γ = 1.01.
    pub fn new(topics: usize, iterations: usize) -> Self {
        Self { rank: topics, coupling: 1e-4, caution: 1.01, iterations, settled: SETTLED }
    }
}

/// A rectified, compressed co-occurrence without negative entries: C* ≈ Y·Yᵀ, Y ≥ 0.
#[derive(Debug, Clone)]
pub struct PalmResult {
    /// Y, W × K, without negative entries.
    pub y: Array2<f64>,
    /// J after each iteration.
    pub objectives: Vec<f64>,
    /// ‖Y_t − Y_{t−1}‖_F / ‖Y_{t−1}‖_F of the last iteration.
    pub last_change: f64,
}

impl PalmResult {
    /// The final J; NaN without iterations.
    pub fn objective(&self) -> f64 {
        self.objectives.last().copied().unwrap_or(f64::NAN)
    }

    /// The largest relative rise of J in an iteration: 0 up to rounding.
    pub fn largest_rise(&self) -> f64 {
        self.objectives.windows(2).map(|pair| (pair[1] - pair[0]) / pair[0]).fold(0.0, f64::max)
    }
}

/// Minimises J(X, Y) = ½‖C − X·Yᵀ‖²_F + s/2·‖X − Y‖²_F over X, Y ≥ 0, starting from the K largest
/// eigenpairs of C. Proximal steps alternate between X and Y, each with the Lipschitz modulus of
/// lemma 1. `squared_norm` is ‖C‖²_F. J does not rise after the first iteration, which makes X and
/// Y nonnegative.
///
/// # Cost
/// An iteration applies C to K columns twice and takes 16·W·K² flops.
///
/// # Errors
/// Errors of the operator; `StreamError::Cancelled`.
///
/// # Source
/// Lee et al. 2021, algorithm 4 and lemma 1; Bolte, Sabach and Teboulle 2014.
pub fn palm<O: SymmetricOperator<Error = StreamError>>(
    c: &O,
    squared_norm: f64,
    eigenpairs: &Eigenpairs,
    settings: &PalmSettings,
    progress: &dyn Progress,
) -> Result<PalmResult, StreamError> {
    let start = scaled_by_roots(&eigenpairs.vectors, &eigenpairs.values, settings.rank);
    let mut y = orient_columns(start);
    let mut x = y.clone();
    let mut image_of_y = c.multiply(y.view())?;
    let mut found =
        PalmResult { y: Array2::zeros((0, 0)), objectives: Vec::new(), last_change: 0.0 };
    for iteration in 1..=settings.iterations {
        if progress.cancelled() {
            return Err(StreamError::Cancelled);
        }
        x = proximal_step(&x, &y, &image_of_y, settings);
        let image_of_x = c.multiply(x.view())?;
        let next = proximal_step(&y, &x, &image_of_x, settings);
        let (change, size) = (squared_distance(&next, &y), squared_norm_of(&y));
        y = next;
        image_of_y = c.multiply(y.view())?;
        let overlap = (&transposed_product(&x, &x) * &transposed_product(&y, &y)).sum();
        let fit = squared_norm - 2.0 * (&x * &image_of_y).sum() + overlap;
        found.objectives.push(0.5 * fit + 0.5 * settings.coupling * squared_distance(&x, &y));
        found.last_change = (change / size).sqrt();
        progress.step(iteration as u64, Some(found.last_change));
        if progress.decide(found.last_change <= settings.settled) {
            break;
        }
    }
    found.y = y;
    Ok(found)
}

/// Flips the sign of every column whose negative entries outweigh its positive ones.
///
/// The sign of an eigenvector is arbitrary, and the first step clips negative entries. All entries
/// of the first eigenvector have one sign: with the wrong one nothing is left in X or Y, the
/// gradient at 0 is 0, and a topic is lost.
fn orient_columns(mut y: Array2<f64>) -> Array2<f64> {
    for mut column in y.columns_mut() {
        let balance: f64 = column.iter().map(|entry| entry * entry.abs()).sum();
        if balance < 0.0 {
            column.mapv_inplace(|entry| -entry);
        }
    }
    y
}

/// max(X − ∇_X J / (γ·L), 0), with ∇_X J = X·YᵀY − C·Y + s(X − Y) and L = ‖YᵀY + s·I‖₂. By symmetry
/// it is the step in Y, too.
fn proximal_step(
    x: &Array2<f64>,
    y: &Array2<f64>,
    image_of_y: &Array2<f64>,
    settings: &PalmSettings,
) -> Array2<f64> {
    let gram = transposed_product(y, y);
    let modulus = symmetric_eigen(&gram).0[0] + settings.coupling;
    let step = 1.0 / (settings.caution * modulus);
    let mut next = product(x, &gram);
    Zip::from(&mut next).and(x).and(y).and(image_of_y).par_for_each(|next, &x, &y, &image| {
        let gradient = *next - image + settings.coupling * (x - y);
        *next = (x - step * gradient).max(0.0);
    });
    next
}

fn squared_distance(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    Zip::from(a).and(b).fold(0.0, |sum, a, b| sum + (a - b).powi(2))
}

fn squared_norm_of(a: &Array2<f64>) -> f64 {
    a.iter().map(|x| x * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::block_krylov::Eigenpairs;
    use crate::model::jsmf::CancellableOperator;
    use crate::progress::Silent;
    use ndarray::Array1;

    #[test]
    fn no_column_dies_whatever_the_signs_of_the_eigenvectors() {
        // Three groups of words that occur together, and chance co-occurrence of all words.
        let c = Array2::from_shape_fn((12, 12), |(i, j)| {
            let together = if i % 3 == j % 3 { 1.0 + (i % 3) as f64 } else { 0.2 };
            together * (1.0 + ((i * j) as f64).sin().abs() / 5.0) / 300.0
        });
        let c = (&c + &c.t()) / 2.0;
        let (values, vectors) = symmetric_eigen(&c);
        let squared_norm = squared_norm_of(&c);
        let mut ends = Vec::new();
        for signs in 0..8usize {
            let mut turned = vectors.clone();
            for (at, mut column) in turned.columns_mut().into_iter().enumerate() {
                let sign = if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
                column.mapv_inplace(|entry| sign * entry);
            }
            let eigenpairs = Eigenpairs {
                values: values.clone(),
                vectors: turned,
                residuals: Array1::zeros(12),
                relative_residual: 0.0,
                passes: 1,
            };
            let settings = PalmSettings::new(3, 200);
            let operator = CancellableOperator { matrix: &c, progress: &Silent };
            let found = palm(&operator, squared_norm, &eigenpairs, &settings, &Silent);
            let found = found.expect("in memory");
            let sizes: Vec<f64> = found.y.columns().into_iter().map(|y| y.dot(&y)).collect();
            assert!(sizes.iter().all(|&size| size > 1e-4), "signs {signs}: {sizes:?}");
            ends.push(found.objective());
        }
        assert!(ends.iter().all(|&end| end == ends[0]), "{ends:?}");
    }
}
