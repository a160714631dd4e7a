//! The double-precision sweep over a document that estimates α and improves `nmf-kl` and `nmf-ard`.

use pulp::{Simd, WithSimd};

use super::lanes::{LANES, Lanes, as_vectors, as_vectors_mut, sum, vectors};
use super::topic_rows::DocumentCounts;

/// Words that are processed together. v and the gradient are loaded once for them, and their sums
/// do not wait for each other. More words do not fit into the registers.
const WORDS: usize = 4;

/// s_w = Σ_k B_wk v_k and Σ_w x_w B_wk / s_w of a document.
pub(in crate::model) struct Sweep<'a, 'd> {
    /// B, with a row of `width` numbers for each word.
    pub rows: &'a [f64],
    /// K rounded up to whole groups.
    pub width: usize,
    pub document: DocumentCounts<'d>,
    /// v.
    pub weights: &'a [f64],
    /// s.
    pub shares: &'a mut [f64],
    pub gradient: &'a mut [f64],
}

impl WithSimd for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(mut self, simd: D) {
        self.gradient.fill(0.0);
        let words = self.document.words.len();
        let whole = words - words % WORDS;
        for first in (0..whole).step_by(WORDS) {
            self.words::<D, WORDS>(simd, first);
        }
        for first in whole..words {
            self.words::<D, 1>(simd, first);
        }
    }
}

impl Sweep<'_, '_> {
    /// Processes N words from `first` on. For any N, a word's sum has the order of its lanes and
    /// the gradient the order of words.
    #[inline(always)]
    fn words<D: Simd, const N: usize>(&mut self, simd: D, first: usize) {
        let length = self.width / D::F64_LANES;
        // No `array::from_fn` here: its closure would be compiled outside the function specialised
        // for the processor's vectors.
        let mut rows: [&[D::f64s]; N] = [&[]; N];
        for (row, &word) in rows.iter_mut().zip(&self.document.words[first..][..N]) {
            *row =
                &as_vectors::<D>(&self.rows[word as usize * self.width..][..self.width])[..length];
        }
        let weights = &as_vectors::<D>(self.weights)[..length];
        let mut sums: [Lanes<D>; N] = [[simd.splat_f64s(0.0); LANES]; N];
        for group in (0..length).step_by(vectors::<D>()) {
            for lane in 0..vectors::<D>() {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let product = simd.mul_f64s(row[group + lane], weights[group + lane]);
                    sums[lane] = simd.add_f64s(sums[lane], product);
                }
            }
        }
        let (shares, counts) =
            (&mut self.shares[first..][..N], &self.document.counts[first..][..N]);
        let mut scales = [simd.splat_f64s(0.0); N];
        for at in 0..N {
            shares[at] = sum::<D>(sums[at]);
            scales[at] = simd.splat_f64s(counts[at] / shares[at]);
        }
        let gradient = &mut as_vectors_mut::<D>(self.gradient)[..length];
        for (at, to) in gradient.iter_mut().enumerate() {
            let mut sum = *to;
            for (row, scale) in rows.iter().zip(scales) {
                sum = simd.add_f64s(sum, simd.mul_f64s(scale, row[at]));
            }
            *to = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulp::{Arch, Scalar};

    proptest! {
        #[test]
        fn every_processor_finds_the_same_bits(
            groups in 1usize..5, rows in prop::collection::vec(0.01f64..1.0, 11 * 32),
            weights in prop::collection::vec(0.01f64..1.0, 32),
            counts in prop::collection::vec(1.0f64..9.0, 11),
        ) {
            let (width, words) = (groups * LANES, Vec::from_iter(0..11));
            let found = [false, true].map(|is_scalar| {
                let (mut shares, mut gradient) = (vec![0.0; 11], vec![0.0; width]);
                let sweep = Sweep {
                    rows: &rows,
                    width,
                    document: DocumentCounts { words: &words, counts: &counts },
                    weights: &weights[..width],
                    shares: &mut shares,
                    gradient: &mut gradient,
                };
                if is_scalar { sweep.with_simd(Scalar) } else { Arch::new().dispatch(sweep) }
                (shares, gradient)
            });
            prop_assert_eq!(&found[0], &found[1]);
        }
    }
}
