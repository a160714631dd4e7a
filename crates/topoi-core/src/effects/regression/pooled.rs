//! Covariances of coefficients from the spread of all documents.

use ndarray::{Array1, Array2};

use super::groups::Groups;
use crate::effects::design::Design;
use crate::linalg::dense::symmetric_eigen;

/// Moments that the pooled spread follows from.
pub(super) struct Pooling {
    /// Σ w yyᵀ and Σ w/n yyᵀ.
    all: Array2<f64>,
    by_tokens: Array2<f64>,
    /// The mean of 1/n.
    inverse_tokens: f64,
    /// By way of clusters, Σ_g b bᵀ with b = Σ √w y, and the moments that determine the covariance
    /// within clusters.
    within: Vec<(Array2<f64>, [f64; 2])>,
    /// n − k.
    rest: f64,
    /// Degrees of freedom of the pooled spread.
    pub(super) degrees: f64,
}

impl Pooling {
    pub(super) fn new(
        y: &Array2<f64>,
        design: &Design,
        inverse_tokens: &[f64],
        groups: &[Groups],
        absorbed: usize,
    ) -> Self {
        let (n, p) = y.dim();
        let weight = |row: usize| design.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let inverse = |row: usize| inverse_tokens.get(row).copied().unwrap_or(0.0);
        let documents = Groups::from_single_documents(n);
        let zero = || [(); 2].map(|()| Array2::<f64>::zeros((p, p)));
        let add = |sums: &mut [Array2<f64>; 2], range: std::ops::Range<usize>| {
            let own = y.slice(ndarray::s![range.clone(), ..]);
            for (sum, factor) in sums
                .iter_mut()
                .zip([&weight as &dyn Fn(usize) -> f64, &|row| weight(row) * inverse(row)])
            {
                let mut scaled = own.to_owned();
                for (row, mut cells) in range.clone().zip(scaled.outer_iter_mut()) {
                    cells *= factor(row);
                }
                *sum += &own.t().dot(&scaled);
            }
        };
        let merge = |all: &mut [Array2<f64>; 2], part: [Array2<f64>; 2]| {
            all.iter_mut().zip(part).for_each(|(sum, part)| *sum += &part);
        };
        let [all, by_tokens] = documents.sum(zero, add, merge);
        let rest = n.saturating_sub(p + absorbed).max(1) as f64;
        let mut degrees = rest;
        let mut within = Vec::new();
        for groups in groups.iter().take(2).filter(|groups| groups.are_clusters()) {
            let mut outer = Array2::<f64>::zeros((p, p));
            let mut means = Array2::<f64>::zeros((p, p));
            let (mut sizes, mut crossed) = (0.0, 0.0);
            for group in 0..groups.count() {
                let rows = groups.cluster(group);
                let (mut sum, mut scaled) = (Array1::<f64>::zeros(p), Array1::<f64>::zeros(p));
                for &row in rows {
                    sum += &y.row(row);
                    scaled.scaled_add(weight(row).sqrt(), &y.row(row));
                }
                let size = rows.len() as f64;
                sizes += size * size;
                crossed += size * sum.dot(&sum);
                for at in 0..p {
                    outer.row_mut(at).scaled_add(scaled[at], &scaled);
                    means.row_mut(at).scaled_add(sum[at], &sum);
                }
            }
            let trace = means.diag().sum();
            let squares: f64 = means.iter().map(|x| x * x).sum();
            within.push((outer, [n as f64 - trace, sizes - 2.0 * crossed + squares]));
            let count = groups.count() as f64;
            degrees = degrees.min((count - rank(&means)).max(0.0));
        }
        let inverse_tokens = inverse_tokens.iter().sum::<f64>() / n.max(1) as f64;
        Self { all, by_tokens, inverse_tokens, within, rest, degrees }
    }

    /// By topic, the covariance of γ.
    ///
    /// With one covariance τ within clusters and the variance σ² + τ of every residual, Σ e² is
    /// expected to be σ²(n − k) + τ(n − t), and Σ_g (Σ e)² to be σ²(n − t) + τ·s, for the sums m_g of
    /// Y over clusters, t = Σ m², and s = Σ n_g² − 2Σ n_g m_g² + |Σ m mᵀ|².
    pub(super) fn covariances(
        &self,
        squares: &[f64],
        group_squares: &[&[f64]],
        token_variances: &[f64],
    ) -> Vec<Array2<f64>> {
        let of = |(topic, &square): (usize, &f64)| {
            let mut spread = square / self.rest;
            let mut covariance = Array2::zeros(self.all.raw_dim());
            for ((outer, [single, both]), group_squares) in self.within.iter().zip(group_squares) {
                let determinant = self.rest * both - single * single;
                let found = self.rest * group_squares[topic] - single * square;
                let is_known = determinant > 1e-9 * self.rest * both;
                let own = if is_known { (found / determinant).clamp(0.0, spread) } else { 0.0 };
                let alone = (square - own * single) / self.rest;
                spread = alone.clamp(0.0, spread);
                covariance.scaled_add(own, outer);
            }
            let token = token_variances.get(topic).copied().unwrap_or(0.0);
            let of_tokens = (token * self.inverse_tokens).min(spread);
            covariance.scaled_add(spread - of_tokens, &self.all);
            if self.inverse_tokens > 0.0 {
                covariance.scaled_add(of_tokens / self.inverse_tokens, &self.by_tokens);
            }
            covariance
        };
        squares.iter().enumerate().map(of).collect()
    }
}

/// Number of eigenvalues of a symmetric matrix that are not 0.
fn rank(matrix: &Array2<f64>) -> f64 {
    let (values, _) = symmetric_eigen(matrix);
    let most = values.iter().fold(0.0, |most: f64, value| most.max(*value));
    values.iter().filter(|value| **value > 1e-9 * most.max(1e-9)).count() as f64
}
