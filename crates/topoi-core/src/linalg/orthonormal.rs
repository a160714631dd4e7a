//! Orthonormal bases of tall matrices.

use ndarray::Array2;

use super::dense::{cholesky, householder_qr, product, transposed_product, upper_inverse};

/// Smallest pivot of R, for columns of length 1, at which Cholesky QR is used. Its error grows with
/// the squared condition number, and two rounds repair it below about 10⁷.
const TRUSTED_PIVOT: f64 = 1e-6;
/// Pivots above this mean nearly orthogonal columns, for which one round is as good as two.
const EASY_PIVOT: f64 = 0.1;

/// The thin QR factorisation A = Q·R: Q is n × p with orthonormal columns, R p × p and upper
/// triangular, n ≥ p.
///
/// One or two rounds of Cholesky QR on columns scaled to length 1: a Gram matrix and a product
/// each, on all threads. Householder reflections (one thread) where A is too close to rank
/// deficient for that.
///
/// # Source
/// Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015, "Roundoff error analysis of the CholeskyQR2
/// algorithm".
pub fn orthonormalise(a: &Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let rounds = cholesky_round(a).and_then(|(q1, r1, is_easy)| {
        if is_easy {
            return Some((q1, r1));
        }
        let (q, r2, _) = cholesky_round(&q1)?;
        Some((q, r2.dot(&r1)))
    });
    rounds.unwrap_or_else(|| householder_qr(a))
}

/// Q, R, and whether the columns were nearly orthogonal.
fn cholesky_round(a: &Array2<f64>) -> Option<(Array2<f64>, Array2<f64>, bool)> {
    let mut gram = transposed_product(a, a);
    let lengths = gram.diag().mapv(f64::sqrt);
    if lengths.iter().any(|&length| length <= f64::MIN_POSITIVE) {
        return None;
    }
    for ((i, j), entry) in gram.indexed_iter_mut() {
        *entry /= lengths[i] * lengths[j];
    }
    let mut r = cholesky(&gram)?;
    let least = r.diag().iter().fold(f64::INFINITY, |least: f64, &pivot| least.min(pivot));
    if least <= TRUSTED_PIVOT {
        return None;
    }
    r *= &lengths;
    Some((product(a, &upper_inverse(&r)), r, least > EASY_PIVOT))
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
