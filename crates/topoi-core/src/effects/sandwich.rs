//! Covariances of least-squares coefficients.

use ndarray::{Array2, Axis};

use super::estimate::{Scaled, StandardErrors};

/// Sums of the residuals e of one regression over groups of documents.
#[derive(Debug, Clone)]
pub(super) struct ResidualSums {
    /// Σ over groups of the outer product of Σ x·e: the meat of the sandwich.
    pub(super) products: Array2<f64>,
    /// Σ e².
    pub(super) squares: f64,
    /// Σ over groups of (Σ e)².
    pub(super) sums: f64,
}

impl ResidualSums {
    pub(super) fn zeros(coefficients: usize) -> Self {
        Self { products: Array2::zeros((coefficients, coefficients)), squares: 0.0, sums: 0.0 }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.products += &other.products;
        self.squares += other.squares;
        self.sums += other.sums;
    }
}

/// Computes covariances of coefficients from sums of residuals.
pub(super) struct Sandwich {
    /// (XᵀX)⁻¹ of the scaled rows.
    pub(super) inverse: Array2<f64>,
    /// Σ over clusters of the outer product of Σ x; `None` where documents are independent.
    clustered: Option<Array2<f64>>,
    /// Number of ordered pairs of documents in one cluster.
    pairs: f64,
    /// Small-sample correction of the requested sandwich.
    factor: f64,
    /// n − p.
    degrees: f64,
}

impl Sandwich {
    pub(super) fn new(
        scaled: &Scaled,
        inverse: Array2<f64>,
        chunks: &[Vec<Vec<usize>>],
        groups: usize,
        errors: &StandardErrors,
    ) -> Self {
        let (rows, terms) = (scaled.rows.nrows() as f64, scaled.rows.ncols() as f64);
        let many = groups as f64;
        let factor = match errors {
            StandardErrors::Homoscedastic => 0.0,
            StandardErrors::Robust => rows / (rows - terms),
            StandardErrors::Clustered(_) => many / (many - 1.0) * (rows - 1.0) / (rows - terms),
        };
        let all = || chunks.iter().flatten();
        let clustered = matches!(errors, StandardErrors::Clustered(_)).then(|| {
            let mut products = Array2::zeros(inverse.raw_dim());
            for group in all() {
                let sum = scaled.rows.select(Axis(0), group).sum_axis(Axis(0)).insert_axis(Axis(1));
                products += &sum.dot(&sum.t());
            }
            products
        });
        let pairs = all().map(|group| group.len() as f64 * (group.len() as f64 - 1.0)).sum();
        Self { inverse, clustered, pairs, factor, degrees: rows - terms }
    }

    /// The covariance with the pooled spread of all documents: σ² (XᵀX)⁻¹ where documents are
    /// independent. Where they are clustered, all pairs of documents of a cluster have the same
    /// covariance τ.
    pub(super) fn pooled(&self, sums: &ResidualSums) -> Array2<f64> {
        let spread = sums.squares / self.degrees;
        let Some(clustered) = &self.clustered else { return &self.inverse * spread };
        let together = if self.pairs > 0.0 { (sums.sums - sums.squares) / self.pairs } else { 0.0 };
        let together = together.clamp(0.0, spread);
        &self.inverse * (spread - together)
            + self.inverse.dot(clustered).dot(&self.inverse) * together
    }

    /// The covariance with the requested standard errors.
    pub(super) fn own(&self, sums: &ResidualSums) -> Array2<f64> {
        match sums.products.is_empty() {
            true => self.pooled(sums),
            false => self.inverse.dot(&sums.products).dot(&self.inverse) * self.factor,
        }
    }
}
