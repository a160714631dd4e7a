//! The rows of a design in coordinates in which they are orthonormal.

use ndarray::{Array1, Array2, s};

use super::absorb::Absorbed;
use super::sandwich::inverse_root;
use crate::effects::EffectsError;
use crate::effects::design::Design;
use crate::linalg::cholesky_update::CholeskyFactor;
use crate::linalg::dense::{product, transposed_product};

/// A column of which absorbed fields leave less than this share of its squares is one of theirs.
const LEAST_LEFT: f64 = 1e-12;

/// The rows of a design, times the roots of the documents' weights and without the means of absorbed
/// fields, as Y with YᵀY = I.
#[derive(Debug, Clone)]
pub(super) struct Whitened {
    /// Y, documents × coefficients.
    pub(super) rows: Array2<f64>,
    /// The matrix T that turns coefficients γ on Y into those of the design: β = Tγ.
    pub(super) back: Array2<f64>,
    /// By coefficient, how many times its variance is that without the other terms: the variance
    /// inflation factor, where columns of its own term (categories, a spline) do not count as others.
    pub(super) inflation: Vec<f64>,
}

impl Whitened {
    /// Takes the rows out of the design.
    ///
    /// # Errors
    /// [`EffectsError::Collinear`] and [`EffectsError::Absorbed`], with the first such coefficient.
    pub(super) fn new(
        design: &mut Design,
        absorbed: Option<&Absorbed>,
    ) -> Result<Self, EffectsError> {
        let mut rows = std::mem::take(&mut design.rows);
        let (n, p) = rows.dim();
        // Centred and divided by deviations: a year would be nearly collinear with the constant.
        let constant = usize::from(design.has_constant);
        let mut scale: Array2<f64> = Array2::eye(p);
        for at in constant..p {
            let mut column = rows.column_mut(at);
            let mean = if design.has_constant { column.mean().unwrap_or(0.0) } else { 0.0 };
            column -= mean;
            let deviation = (column.dot(&column) / n.max(1) as f64).sqrt();
            // A constant column becomes 0 and is found to depend on the constant.
            let deviation = if deviation > 1e-12 * mean.abs() { deviation } else { f64::INFINITY };
            column /= deviation;
            scale[(at, at)] = 1.0 / deviation;
            if design.has_constant {
                scale[(0, at)] = -mean / deviation;
            }
        }
        if let Some(absorbed) = absorbed {
            absorbed.take_out(&mut rows);
            let left = rows
                .columns()
                .into_iter()
                .position(|column| column.dot(&column) <= LEAST_LEFT * n as f64);
            if let Some(at) = left {
                return Err(EffectsError::Absorbed { term: design.names[at].clone() });
            }
        }
        if let Some(weights) = &design.weights {
            let roots = Array1::from_iter(weights.iter().map(|weight| weight.sqrt()));
            rows *= &roots.insert_axis(ndarray::Axis(1));
        }
        let gram = transposed_product(&rows, &rows);
        let mut factor = CholeskyFactor::new(p);
        for (at, row) in gram.outer_iter().enumerate() {
            if !factor.append(row.iter().take(at + 1).copied()) {
                return Err(EffectsError::Collinear { term: design.names[at].clone() });
            }
        }
        let root = inverse_root(&gram);
        let mut inflation: Vec<f64> = (0..p).map(|_| 1.0).collect();
        for (_, columns) in design.terms() {
            let alone = inverse_root(&gram.slice(s![columns.clone(), columns.clone()]).to_owned());
            for (own, at) in columns.enumerate() {
                let [with, without] = [root.row(at), alone.row(own)].map(|row| row.dot(&row));
                inflation[at] = with / without;
            }
        }
        Ok(Self { rows: product(&rows, &root), back: product(&scale, &root), inflation })
    }
}
