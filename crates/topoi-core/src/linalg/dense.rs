//! Products of tall matrices in a fixed order, and eigenpairs of small ones.

use std::ops::AddAssign;

use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par, Side};
use ndarray::{Array1, Array2, LinalgScalar};
use rayon::prelude::*;

/// Rows that one task multiplies.
const ROWS_PER_TASK: usize = 512;
/// Partial sums of a transposed product. The number is fixed because it decides the order of
/// additions.
const PARTIAL_SUMS: usize = 16;

/// Numbers of single or double precision.
pub trait Number: ComplexField + LinalgScalar + AddAssign + Send + Sync {}

impl Number for f32 {}
impl Number for f64 {}

/// faer's view of a matrix in row order.
fn view<T>(matrix: &Array2<T>) -> MatRef<'_, T> {
    let slice = matrix.as_slice().expect("matrices here are contiguous and in row order");
    MatRef::from_row_major_slice(slice, matrix.nrows(), matrix.ncols())
}

/// `out` = A·B, on the calling thread.
pub fn multiply<T: ComplexField>(out: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>) {
    matmul(out, Accum::Replace, a, b, T::one_impl(), Par::Seq);
    zero_upper_registers();
}

/// faer's kernels return with the upper halves of vector registers in use. Until they are cleared,
/// scalar arithmetic of the thread, such as logarithms, is up to 24 times slower
/// (papers/benchmarks.md, "Memory and growth").
fn zero_upper_registers() {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx) = pulp::core_arch::x86::Avx::try_new() {
        avx._mm256_zeroupper();
    }
}

/// A·B for A of n × p and B of p × q: 2npq flops.
///
/// # Panics
/// When the inner sizes differ.
pub fn product<T: Number>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    assert_eq!(a.ncols(), b.nrows(), "inner sizes agree");
    let (p, q) = b.dim();
    let mut c = Array2::zeros((a.nrows(), q));
    if p == 0 || q == 0 {
        return c;
    }
    let rows = a.as_slice().expect("contiguous").par_chunks(ROWS_PER_TASK * p);
    let out = c.as_slice_mut().expect("contiguous").par_chunks_mut(ROWS_PER_TASK * q);
    out.zip(rows).for_each(|(out, rows)| {
        let n = rows.len() / p;
        let out = MatMut::from_row_major_slice_mut(out, n, q);
        let rows = MatRef::from_row_major_slice(rows, n, p);
        multiply(out, rows, view(b));
    });
    c
}

/// Aᵀ·B for A of n × p and B of n × q: 2npq flops and memory for 16·p·q numbers.
///
/// # Panics
/// When the numbers of rows differ.
pub fn transposed_product<T: Number>(a: &Array2<T>, b: &Array2<T>) -> Array2<T> {
    assert_eq!(a.nrows(), b.nrows(), "numbers of rows agree");
    let (p, q) = (a.ncols(), b.ncols());
    let mut sum = Array2::zeros((p, q));
    if p == 0 || q == 0 || a.nrows() == 0 {
        return sum;
    }
    let rows = a.nrows().div_ceil(PARTIAL_SUMS);
    let a_rows = a.as_slice().expect("contiguous").par_chunks(rows * p);
    let b_rows = b.as_slice().expect("contiguous").par_chunks(rows * q);
    let partial: Vec<Array2<T>> = a_rows
        .zip(b_rows)
        .map(|(a, b)| {
            let n = a.len() / p;
            let mut part = Array2::zeros((p, q));
            let out = part.as_slice_mut().expect("contiguous");
            multiply(
                MatMut::from_row_major_slice_mut(out, p, q),
                MatRef::from_row_major_slice(a, n, p).transpose(),
                MatRef::from_row_major_slice(b, n, q),
            );
            part
        })
        .collect();
    for part in partial {
        sum += &part;
    }
    sum
}

/// Eigenvalues, largest first, and the eigenvectors as columns in the same order, of a symmetric n
/// × n matrix. Reads the lower triangle. About 9n³ flops.
///
/// # Panics
/// When an entry is not a finite number.
pub fn symmetric_eigen(a: &Array2<f64>) -> (Array1<f64>, Array2<f64>) {
    let n = a.nrows();
    let eigen = view(a).self_adjoint_eigen(Side::Lower).expect("the entries are finite");
    zero_upper_registers();
    let values = Array1::from_shape_fn(n, |i| eigen.S()[n - 1 - i]);
    let vectors = Array2::from_shape_fn((n, n), |(row, i)| eigen.U()[(row, n - 1 - i)]);
    (values, vectors)
}

/// The thin QR factorisation A = Q·R by Householder reflections: Q is n × p with orthonormal
/// columns, R p × p and upper triangular. Works for any rank; n ≥ p.
pub fn householder_qr(a: &Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let (n, p) = a.dim();
    let qr = view(a).qr();
    let (q, r) = (qr.compute_thin_Q(), qr.thin_R());
    zero_upper_registers();
    let q = Array2::from_shape_fn((n, p), |at| q[at]);
    let r = Array2::from_shape_fn((p, p), |(i, j)| if i <= j { r[(i, j)] } else { 0.0 });
    (q, r)
}

/// The upper triangular R with A = RᵀR, or `None` when A is not positive definite.
pub fn cholesky(a: &Array2<f64>) -> Option<Array2<f64>> {
    let n = a.nrows();
    let llt = view(a).llt(Side::Lower);
    zero_upper_registers();
    let llt = llt.ok()?;
    let l = llt.L();
    Some(Array2::from_shape_fn((n, n), |(i, j)| if i <= j { l[(j, i)] } else { 0.0 }))
}

/// R⁻¹ of an upper triangular matrix without zeros on its diagonal: n³/3 flops.
pub fn upper_inverse(r: &Array2<f64>) -> Array2<f64> {
    let n = r.nrows();
    let mut inverse = Array2::zeros((n, n));
    for column in 0..n {
        inverse[(column, column)] = 1.0 / r[(column, column)];
        for row in (0..column).rev() {
            let sum: f64 = (row + 1..=column).map(|i| r[(row, i)] * inverse[(i, column)]).sum();
            inverse[(row, column)] = -sum / r[(row, row)];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::ArrayView2;

    fn wavy(n: usize, p: usize) -> Array2<f64> {
        Array2::from_shape_fn((n, p), |(i, j)| ((i * 7 + j * 13) as f64 * 0.37).sin())
    }

    fn largest(a: ArrayView2<'_, f64>) -> f64 {
        a.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    #[test]
    fn products_agree_with_ndarrays() {
        let (a, b, c) = (wavy(1500, 7), wavy(7, 5), wavy(1500, 4));
        assert!(largest((product(&a, &b) - a.dot(&b)).view()) < 1e-12);
        assert!(largest((transposed_product(&a, &c) - a.t().dot(&c)).view()) < 1e-10);
    }

    #[test]
    fn factorisations_multiply_back() {
        let a = wavy(40, 6) + Array2::from_shape_fn((40, 6), |(i, j)| f64::from(i == j));
        let (q, r) = householder_qr(&a);
        assert!(largest((q.dot(&r) - &a).view()) < 1e-12);
        let gram = a.t().dot(&a);
        let r = cholesky(&gram).expect("positive definite");
        assert!(largest((r.t().dot(&r) - &gram).view()) < 1e-10);
        assert!(largest((r.dot(&upper_inverse(&r)) - Array2::<f64>::eye(6)).view()) < 1e-10);
        let (values, vectors) = symmetric_eigen(&gram);
        assert!(values.windows(2).into_iter().all(|pair| pair[0] >= pair[1]));
        assert!(largest((gram.dot(&vectors) - &vectors * &values).view()) < 1e-10);
    }
}
