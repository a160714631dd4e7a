//! Σ c θ θᵀ over documents.

use ndarray::Array2;
use pulp::{Arch, Simd, WithSimd};

use super::lanes::{LANES, as_vectors, as_vectors_mut};

/// Documents whose θ stay in the nearest cache while all pairs of groups are visited.
const DOCUMENTS: usize = 32;

/// Σ_m c_m θ_m θ_mᵀ (K × K). Only groups on and above the diagonal are maintained.
#[derive(Debug, Clone)]
pub(super) struct OuterProducts {
    width: usize,
    sums: Vec<f64>,
}

impl OuterProducts {
    /// Zeros for θ of `width` numbers (whole groups of eight).
    pub(super) fn zeros(width: usize) -> Self {
        Self { width, sums: vec![0.0; width * width] }
    }

    /// Adds documents given by their θ, one after another, and their c. The order of sums does not
    /// depend on how documents are batched. K² flops for each document.
    pub(super) fn add(&mut self, thetas: &[f64], scales: &[f64]) {
        let parts = thetas.chunks(DOCUMENTS * self.width.max(1)).zip(scales.chunks(DOCUMENTS));
        for (thetas, scales) in parts {
            let width = self.width;
            Arch::new().dispatch(Add { width, thetas, scales, sums: &mut self.sums });
        }
    }

    /// Adds other sums.
    pub(super) fn merge(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// All sums, for adding over parts of a corpus.
    pub(super) fn sums_mut(&mut self) -> &mut Vec<f64> {
        &mut self.sums
    }

    /// The sums for the first k topics, k × k.
    pub(super) fn to_matrix(&self, k: usize) -> Array2<f64> {
        Array2::from_shape_fn((k, k), |(a, b)| self.sums[a.min(b) * self.width + a.max(b)])
    }
}

struct Add<'a> {
    width: usize,
    thetas: &'a [f64],
    scales: &'a [f64],
    sums: &'a mut [f64],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        for first in (0..self.width).step_by(LANES) {
            for second in (first..self.width).step_by(D::F64_LANES) {
                // Eight rows of the sums, and as many columns as fit into a vector.
                let place = |row: usize| (first + row) * self.width + second;
                let mut tile = [simd.splat_f64s(0.0); LANES];
                for (row, tile) in tile.iter_mut().enumerate() {
                    *tile = as_vectors::<D>(&self.sums[place(row)..][..D::F64_LANES])[0];
                }
                for (theta, &scale) in self.thetas.chunks_exact(self.width).zip(self.scales) {
                    let columns = as_vectors::<D>(&theta[second..][..D::F64_LANES])[0];
                    let scaled = simd.mul_f64s(simd.splat_f64s(scale), columns);
                    for (row, share) in tile.iter_mut().zip(&theta[first..][..LANES]) {
                        *row = simd.add_f64s(*row, simd.mul_f64s(simd.splat_f64s(*share), scaled));
                    }
                }
                for (row, sums) in tile.into_iter().enumerate() {
                    as_vectors_mut::<D>(&mut self.sums[place(row)..][..D::F64_LANES])[0] = sums;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_are_what_their_formula_says_however_documents_are_divided(
            k in 1usize..20,
            thetas in prop::collection::vec(0.0f64..1.0, 70 * 20),
            scales in prop::collection::vec(0.1f64..1.0, 70),
            cut in 0usize..70,
        ) {
            let width = k.next_multiple_of(LANES);
            let mut rows = vec![0.0; 70 * width];
            for (row, theta) in rows.chunks_exact_mut(width).zip(thetas.chunks_exact(20)) {
                row[..k].copy_from_slice(&theta[..k]);
            }
            let (mut whole, mut parts) = (OuterProducts::zeros(width), OuterProducts::zeros(width));
            whole.add(&rows, &scales);
            parts.add(&rows[..cut * width], &scales[..cut]);
            parts.add(&rows[cut * width..], &scales[cut..]);
            prop_assert_eq!(whole.to_matrix(k), parts.to_matrix(k));
            let mut sums = vec![0.0; width * width];
            Add { width, thetas: &rows, scales: &scales, sums: &mut sums }.with_simd(pulp::Scalar);
            prop_assert_eq!(&sums, &whole.sums);
            for ((a, b), found) in whole.to_matrix(k).indexed_iter() {
                let documents = rows.chunks_exact(width).zip(&scales);
                let expected: f64 = documents.map(|(theta, c)| c * theta[a] * theta[b]).sum();
                prop_assert!((found - expected).abs() < 1e-12 * expected.max(1.0));
            }
        }
    }
}
