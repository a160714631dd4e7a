//! The largest eigenvalues of a symmetric operator, by a block Krylov method.

use ndarray::{Array1, Array2, ArrayView2, s};
use rand_chacha::ChaCha12Rng;

use super::accuracy::{Accuracy, worst_residual};
use super::dense::{product, symmetric_eigen};
use super::krylov_basis::{Basis, column_norms};
use super::orthonormal::orthonormalise;
use crate::progress::Progress;
use crate::random::standard_normal;

/// The basis is restarted when its columns exceed this factor times (K + [`SPARE`]).
const GROWTH_BEFORE_RESTART: usize = 8;
const SPARE: usize = 10;

/// A symmetric n × n operator that is applied to blocks of columns.
pub trait SymmetricOperator {
    /// The error of a failed application.
    type Error;

    /// n, the number of rows and columns.
    fn size(&self) -> usize;

    /// The operator times V, for V of n × b.
    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, Self::Error>;
}

/// A symmetric matrix in memory as an operator.
#[derive(Debug, Clone, Copy)]
pub struct DenseOperator<'a>(pub &'a Array2<f64>);

impl SymmetricOperator for DenseOperator<'_> {
    type Error = std::convert::Infallible;

    fn size(&self) -> usize {
        self.0.nrows()
    }

    fn multiply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>, Self::Error> {
        Ok(product(self.0, &v.as_standard_layout().into_owned()))
    }
}

/// Settings of [`block_krylov`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KrylovSettings {
    /// Eigenpairs wanted, K.
    pub pairs: usize,
    /// Eigenpairs returned, K ≤ kept ≤ n. Those beyond K have no guaranteed accuracy.
    pub kept: usize,
    /// Block size b: columns the operator is applied to at once.
    pub block: usize,
    /// When to stop.
    pub accuracy: Accuracy,
    /// Give up after this many applications.
    pub max_passes: usize,
}

/// Eigenpairs and their accuracy.
#[derive(Debug, Clone)]
pub struct Eigenpairs {
    /// The algebraically largest eigenvalues, largest first. There are `kept` of them; the first K
    /// have converged.
    pub values: Array1<f64>,
    /// Eigenvectors, n × kept, with orthonormal columns.
    pub vectors: Array2<f64>,
    /// Residual norms ‖Cy − θy‖ of the pairs.
    pub residuals: Array1<f64>,
    /// Number of applications of the operator.
    pub passes: usize,
    /// The largest residual of the first K pairs over the size of the K-th eigenvalue.
    pub relative_residual: f64,
}

impl Eigenpairs {
    /// The first `settings.kept` pairs.
    pub fn first(self, settings: KrylovSettings) -> Self {
        let KrylovSettings { pairs, kept, .. } = settings;
        let (pairs, kept) = (pairs.min(self.values.len()), kept.min(self.values.len()));
        if pairs == 0 || kept == self.values.len() {
            return self;
        }
        let worst = self.residuals.iter().take(pairs).fold(0.0, |most: f64, &r| most.max(r));
        Self {
            relative_residual: worst / self.values[pairs - 1].abs(),
            values: self.values.slice(s![..kept]).to_owned(),
            vectors: self.vectors.slice(s![.., ..kept]).to_owned(),
            residuals: self.residuals.slice(s![..kept]).to_owned(),
            passes: self.passes,
        }
    }
}

/// The K algebraically largest eigenpairs of a symmetric operator, by block Lanczos with full
/// reorthogonalisation, Rayleigh–Ritz and thick restarts, started from a Gaussian block.
///
/// Stops on the measured residual ‖Cy − θy‖ = ‖R s_last‖, which costs nothing extra.
/// [`Eigenpairs::relative_residual`] says whether the tolerance was met.
///
/// # Shapes
/// Operator n × n, basis at most 8·(K + 10) columns of n.
///
/// # Cost
/// On text with K = 50, about 400 columns of Krylov space give a residual of 1e-4 (eigenvalues to
/// 1e-8). Smaller blocks need more applications and fewer columns in all. Orthogonalisation takes
/// 8·n·(columns so far)·b flops an application.
///
/// # Errors
/// Those of the operator.
///
/// # Source
/// Musco and Musco 2015, "Randomized block Krylov methods"; Golub and Underwood 1977 for the
/// block Lanczos recurrence; Wu and Simon 2000 for thick restarts.
pub fn block_krylov<O: SymmetricOperator>(
    operator: &O,
    settings: KrylovSettings,
    rng: &mut ChaCha12Rng,
    progress: &dyn Progress,
) -> Result<Eigenpairs, O::Error> {
    let n = operator.size();
    let block = settings.block.clamp(1, n);
    let start = Array2::from_shape_simple_fn((n, block), || standard_normal(rng));
    block_krylov_from(start, operator, settings, progress)
}

/// [`block_krylov`] from a start block of n × `block`, such as the eigenvectors of an operator
/// similar to this one.
///
/// # Errors
/// Those of the operator.
pub fn block_krylov_from<O: SymmetricOperator>(
    start: Array2<f64>,
    operator: &O,
    settings: KrylovSettings,
    progress: &dyn Progress,
) -> Result<Eigenpairs, O::Error> {
    let (n, block) = start.dim();
    let kept = settings.kept.clamp(1, n);
    if n < 2 * kept + 2 * block {
        return whole_space(operator, settings.pairs, kept);
    }
    let mut basis = Basis::new(orthonormalise(&start).0);
    let most_columns = GROWTH_BEFORE_RESTART * (settings.pairs + SPARE);
    let most_columns = most_columns.max(kept + 2 * block).min(n - block);
    for pass in 1.. {
        let image = operator.multiply(basis.last().view())?;
        let remainder = basis.extend(image);
        let columns = basis.columns();
        let is_last = pass >= settings.max_passes;
        let is_full = columns + block > most_columns;
        // Nothing has converged before the space is 1.5 times as large as `kept`.
        if columns < kept + kept / 2 && !is_last && !is_full {
            basis.blocks.push(remainder.direction);
            progress.step(pass as u64, None);
            continue;
        }
        let ritz = basis.ritz_pairs(&remainder, kept);
        let relative = worst_residual(&ritz.residuals, &ritz.values, settings.pairs);
        progress.step(pass as u64, Some(relative));
        let is_enough = settings.accuracy.is_reached(&ritz.values, &ritz.residuals, settings.pairs);
        if progress.decide(is_enough) || is_last {
            let vectors = basis.combine(&ritz.coefficients);
            return Ok(Eigenpairs {
                values: ritz.values,
                vectors,
                residuals: ritz.residuals,
                passes: pass,
                relative_residual: relative,
            });
        }
        if is_full {
            basis = basis.restarted(&ritz);
        }
        basis.blocks.push(remainder.direction);
    }
    unreachable!("the loop returns")
}

/// Small operators: apply to the identity and solve exactly.
fn whole_space<O: SymmetricOperator>(
    operator: &O,
    pairs: usize,
    kept: usize,
) -> Result<Eigenpairs, O::Error> {
    let image = operator.multiply(Array2::eye(operator.size()).view())?;
    let (values, vectors) = symmetric_eigen(&((&image + &image.t()) / 2.0));
    let values = values.slice(s![..kept]).to_owned();
    let vectors = vectors.slice(s![.., ..kept]).as_standard_layout().to_owned();
    let errors = operator.multiply(vectors.view())? - &vectors * &values;
    let residuals = column_norms(&errors);
    let relative_residual = worst_residual(&residuals, &values, pairs);
    Ok(Eigenpairs { values, vectors, residuals, passes: 2, relative_residual })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::random::stream;

    fn with_spectrum(values: &[f64]) -> Array2<f64> {
        let n = values.len();
        let mut rng = stream(3, "test basis");
        let start = Array2::from_shape_simple_fn((n, n), || standard_normal(&mut rng));
        let (q, _) = orthonormalise(&start);
        (&q * &Array1::from(values.to_vec())).dot(&q.t())
    }

    fn settings(pairs: usize) -> KrylovSettings {
        KrylovSettings {
            pairs,
            kept: pairs + 3,
            block: 5,
            accuracy: Accuracy::Relative(1e-9),
            max_passes: 200,
        }
    }

    #[test]
    fn it_finds_the_largest_algebraic_eigenvalues_of_an_indefinite_operator() {
        let values: Vec<f64> = (0..150)
            .map(|i| if i % 3 == 2 { -1.5 / (1.0 + i as f64) } else { 1.0 / (1.0 + i as f64) })
            .collect();
        let mut expected: Vec<f64> = values.clone();
        expected.sort_by(|a, b| b.total_cmp(a));
        let operator = with_spectrum(&values);
        let mut rng = stream(1, "krylov");
        let found = block_krylov(&DenseOperator(&operator), settings(8), &mut rng, &Silent)
            .unwrap_or_else(|e| match e {});
        assert!(found.relative_residual <= 1e-9);
        for (i, &value) in expected.iter().take(8).enumerate() {
            assert!((found.values[i] - value).abs() < 1e-10, "{i}: {} {value}", found.values[i]);
        }
        let true_residuals =
            column_norms(&(operator.dot(&found.vectors) - &found.vectors * &found.values));
        for (claimed, real) in found.residuals.iter().zip(&true_residuals) {
            assert!((claimed - real).abs() < 1e-9, "claimed {claimed}, is {real}");
        }
    }

    #[test]
    fn a_rank_below_k_ends_with_zeros_not_with_nonsense() {
        let mut values = vec![0.0; 120];
        values[..5].copy_from_slice(&[5.0, 4.0, 3.0, 2.0, 1.0]);
        let mut rng = stream(1, "krylov");
        let found =
            block_krylov(&DenseOperator(&with_spectrum(&values)), settings(8), &mut rng, &Silent)
                .unwrap_or_else(|e| match e {});
        for (i, &value) in values.iter().take(8).enumerate() {
            assert!((found.values[i] - value).abs() < 1e-9, "{i}: {}", found.values[i]);
        }
        let gram = found.vectors.t().dot(&found.vectors) - Array2::<f64>::eye(11);
        assert!(gram.iter().all(|x| x.abs() < 1e-9));
    }

    #[test]
    fn a_small_operator_is_solved_whole() {
        let found = block_krylov(
            &DenseOperator(&with_spectrum(&[3.0, 2.0, 1.0, -4.0])),
            settings(2),
            &mut stream(1, "krylov"),
            &Silent,
        )
        .unwrap_or_else(|e| match e {});
        assert!((found.values[0] - 3.0).abs() < 1e-12 && (found.values[1] - 2.0).abs() < 1e-12);
    }
}
