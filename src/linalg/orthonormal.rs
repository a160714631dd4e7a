//! Orthonormal bases of tall matrices.

use ndarray::Array2;

use super::dense::{cholesky, householder_qr, product, transposed_product, upper_inverse};

/// Cholesky QR is trusted while the pivots of R lie within this ratio: its error grows with the
/// squared condition number, and two rounds repair it below about 10⁷.
const TRUSTED_PIVOT_RATIO: f64 = 1e-6;

/// Q of n × p with orthonormal columns that span those of A, and R of p × p upper triangular
/// with A = Q·R; n ≥ p.
///
/// Two rounds of Cholesky QR (two Gram matrices and two products, all threads), or Householder
/// reflections (one thread) where A is too close to rank deficient for that.
///
/// # Source
/// Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015, "Roundoff error analysis of the CholeskyQR2
/// algorithm".
pub fn orthonormalise(a: &Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let rounds = cholesky_round(a).and_then(|(q1, r1)| {
        let (q, r2) = cholesky_round(&q1)?;
        Some((q, r2.dot(&r1)))
    });
    rounds.unwrap_or_else(|| householder_qr(a))
}

fn cholesky_round(a: &Array2<f64>) -> Option<(Array2<f64>, Array2<f64>)> {
    let r = cholesky(&transposed_product(a, a))?;
    let pivots = r.diag();
    let largest = pivots.iter().fold(0.0, |most: f64, &x| most.max(x));
    let trusted = pivots.iter().all(|&x| x > TRUSTED_PIVOT_RATIO * largest);
    trusted.then(|| (product(a, &upper_inverse(&r)), r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn departure(q: &Array2<f64>) -> f64 {
        let gram = q.t().dot(q) - Array2::<f64>::eye(q.ncols());
        gram.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    proptest! {
        #[test]
        fn q_is_orthonormal_and_q_times_r_is_a(
            values in prop::collection::vec(-1.0f64..1.0, 200),
            shrink in 0.0f64..12.0,
        ) {
            let mut a = Array2::from_shape_vec((40, 5), values).expect("shape");
            // From well conditioned to rank deficient.
            let first = a.column(0).to_owned();
            a.column_mut(4).zip_mut_with(&first, |x, y| *x = *x * 10f64.powf(-shrink) + y);
            let (q, r) = orthonormalise(&a);
            prop_assert!(departure(&q) < 1e-12);
            let error = (q.dot(&r) - &a).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            prop_assert!(error < 1e-12);
        }
    }
}
