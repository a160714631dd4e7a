//! The covariances of the coefficients of least squares.

use ndarray::{Array2, Axis};

use super::estimate::{Errors, Scaled};

/// What one regression leaves, e, summed over groups of documents.
#[derive(Debug, Clone)]
pub(super) struct Middle {
    /// Σ over groups of the outer product of Σ x·e: what lies between the two inverses of a sandwich.
    pub(super) products: Array2<f64>,
    /// Σ e².
    pub(super) squares: f64,
    /// Σ over groups of (Σ e)².
    pub(super) sums: f64,
}

impl Middle {
    pub(super) fn zeros(coefficients: usize) -> Self {
        Self { products: Array2::zeros((coefficients, coefficients)), squares: 0.0, sums: 0.0 }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.products += &other.products;
        self.squares += other.squares;
        self.sums += other.sums;
    }
}

/// What makes covariances of what regressions leave.
pub(super) struct Sandwich {
    /// (XᵀX)⁻¹ of the scaled rows.
    pub(super) inverse: Array2<f64>,
    /// Σ over clusters of the outer product of Σ x; `None` where documents are independent.
    clustered: Option<Array2<f64>>,
    /// Pairs of documents of one cluster.
    pairs: f64,
    /// Of the own sandwich, for what a regression of few documents leaves too little of.
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
        errors: &Errors,
    ) -> Self {
        let (rows, terms) = (scaled.rows.nrows() as f64, scaled.rows.ncols() as f64);
        let many = groups as f64;
        let factor = match errors {
            Errors::Alike => 0.0,
            Errors::Robust => rows / (rows - terms),
            Errors::Groups(_) => many / (many - 1.0) * (rows - 1.0) / (rows - terms),
        };
        let all = || chunks.iter().flatten();
        let clustered = matches!(errors, Errors::Groups(_)).then(|| {
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

    /// Of the spread of all documents: σ² (XᵀX)⁻¹ where they are independent; where those of a cluster vary
    /// together, with one covariance τ for all pairs of documents of a cluster.
    pub(super) fn pooled(&self, middle: &Middle) -> Array2<f64> {
        let spread = middle.squares / self.degrees;
        let Some(clustered) = &self.clustered else { return &self.inverse * spread };
        let together =
            if self.pairs > 0.0 { (middle.sums - middle.squares) / self.pairs } else { 0.0 };
        let together = together.clamp(0.0, spread);
        &self.inverse * (spread - together)
            + self.inverse.dot(clustered).dot(&self.inverse) * together
    }

    /// Of the errors that were asked for.
    pub(super) fn own(&self, middle: &Middle) -> Array2<f64> {
        match middle.products.is_empty() {
            true => self.pooled(middle),
            false => self.inverse.dot(&middle.products).dot(&self.inverse) * self.factor,
        }
    }
}
