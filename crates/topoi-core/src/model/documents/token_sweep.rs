//! The CVB0 sweep over a document, which takes most of the time of inference: see [`super::cvb0`].

use pulp::{Simd, WithSimd};

use super::single_lanes::{LANES, as_vectors, as_vectors_mut, sum, vectors};
use super::topic_rows::{DocumentCounts, SingleRows};

/// Converts numbers to single precision.
#[inline(always)]
pub(in crate::model) fn to_single(numbers: &[f64], to: &mut [f32]) {
    numbers.iter().zip(to).for_each(|(&number, to)| *to = number as f32);
}

/// Words that are processed together, so that their sums do not wait for each other.
pub(super) const WORDS: usize = 4;

/// Updates γ of the words of a document, four at a time, and N with it.
pub(super) struct TokenSweep<'a, 'd> {
    pub rows: &'a SingleRows,
    pub document: DocumentCounts<'d>,
    /// Replaces N + α in the first sweep, on any scale.
    pub guess: &'a [f32],
    pub roots: usize,
    /// Whether γ is not yet known. The contents of `gamma` are ignored, and N is 0.
    pub is_first: bool,
    /// N + α.
    pub mass: &'a mut [f64],
    pub rough: &'a mut [f32],
    /// (N_k − γ_wk + α_k) B_wk of the words being processed.
    pub joint: &'a mut [f32],
    pub gamma: &'a mut [f32],
    /// The sum of `joint` over topics for each word.
    pub shares: &'a mut [f64],
}

impl WithSimd for TokenSweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(mut self, simd: D) {
        // Compiled for one processor, only one of these arms remains.
        match vectors::<D>() {
            1 => self.sweep::<D, 1>(simd),
            2 => self.sweep::<D, 2>(simd),
            4 => self.sweep::<D, 4>(simd),
            _ => self.sweep::<D, LANES>(simd),
        }
    }
}

impl TokenSweep<'_, '_> {
    /// A sweep with groups of V vectors.
    #[inline(always)]
    fn sweep<D: Simd, const V: usize>(&mut self, simd: D) {
        if self.is_first {
            self.all_words::<D, true, V>(simd);
        } else {
            self.all_words::<D, false, V>(simd);
        }
    }

    #[inline(always)]
    fn all_words<D: Simd, const FIRST: bool, const V: usize>(&mut self, simd: D) {
        if !FIRST {
            to_single(self.mass, self.rough);
        }
        let words = self.document.words.len();
        let whole = words - words % WORDS;
        for first in (0..whole).step_by(WORDS) {
            self.words::<D, WORDS, FIRST, V>(simd, first);
        }
        for first in whole..words {
            self.words::<D, 1, FIRST, V>(simd, first);
        }
    }

    /// Processes N words from `first` on, all with the same N_k + α_k.
    #[inline(always)]
    fn words<D: Simd, const N: usize, const FIRST: bool, const V: usize>(
        &mut self,
        simd: D,
        first: usize,
    ) {
        match (self.roots, self.rows.width() / LANES) {
            (0, 1) => self.few_topics::<D, N, FIRST, V, 1>(simd, first),
            (0, 2) => self.few_topics::<D, N, FIRST, V, 2>(simd, first),
            (0, 3) => self.few_topics::<D, N, FIRST, V, 3>(simd, first),
            (0, 4) => self.few_topics::<D, N, FIRST, V, 4>(simd, first),
            _ => self.many_topics::<D, N, FIRST, V>(simd, first),
        }
        // Updates N + α.
        for (mass, rough) in self.mass.iter_mut().zip(self.rough.iter_mut()) {
            *mass += f64::from(*rough);
            *rough = *mass as f32;
        }
    }

    /// As [`Self::many_topics`], for at most G groups of topics, whose factors stay in registers.
    /// Writes the change of N to `rough`.
    #[inline(always)]
    fn few_topics<D: Simd, const N: usize, const FIRST: bool, const V: usize, const G: usize>(
        &mut self,
        simd: D,
        first: usize,
    ) {
        let width = G * LANES;
        let words = &self.document.words[first..][..N];
        let from = as_vectors::<D>(if FIRST { self.guess } else { self.rough }).as_chunks::<V>().0;
        let from: &[[D::f32s; V]; G] = from.first_chunk().expect("G groups");
        let gamma = as_vectors_mut::<D>(&mut self.gamma[first * width..][..N * width])
            .as_chunks_mut::<V>()
            .0;
        let gamma: &mut [[D::f32s; V]] = &mut gamma[..N * G];
        let mut joint = [[[simd.splat_f32s(0.0); V]; G]; N];
        let mut scales = [simd.splat_f32s(0.0); N];
        let mut counts = scales;
        for word in 0..N {
            let row = as_vectors::<D>(self.rows.row(words[word])).as_chunks::<V>().0;
            let row: &[[D::f32s; V]; G] = row.first_chunk().expect("G groups");
            let mut sums = [simd.splat_f32s(0.0); V];
            for group in 0..G {
                for lane in 0..V {
                    let others = from[group][lane];
                    let others = if FIRST {
                        others
                    } else {
                        simd.sub_f32s(others, gamma[word * G + group][lane])
                    };
                    let product = simd.mul_f32s(others, row[group][lane]);
                    joint[word][group][lane] = product;
                    sums[lane] = simd.add_f32s(sums[lane], product);
                }
            }
            let share = sum(simd, sums);
            self.shares[first + word] = f64::from(share) * self.rows.scale(words[word]);
            scales[word] = simd.splat_f32s(1.0 / share);
            counts[word] = simd.splat_f32s(self.document.counts[first + word] as f32);
        }
        let changes = as_vectors_mut::<D>(self.rough).as_chunks_mut::<V>().0;
        let changes: &mut [[D::f32s; V]; G] = changes.first_chunk_mut().expect("G groups");
        for group in 0..G {
            for lane in 0..V {
                let mut sum = simd.splat_f32s(0.0);
                for word in 0..N {
                    let old = &mut gamma[word * G + group][lane];
                    let new = simd.mul_f32s(joint[word][group][lane], scales[word]);
                    let moved = if FIRST { new } else { simd.sub_f32s(new, *old) };
                    sum = simd.add_f32s(sum, simd.mul_f32s(counts[word], moved));
                    *old = new;
                }
                changes[group][lane] = sum;
            }
        }
    }

    /// Updates γ of N words for any number of topics and any power. Writes the change of N to
    /// `rough`.
    #[inline(always)]
    fn many_topics<D: Simd, const N: usize, const FIRST: bool, const V: usize>(
        &mut self,
        simd: D,
        first: usize,
    ) {
        let width = self.rows.width();
        let length = width / D::F32_LANES;
        let words = &self.document.words[first..][..N];
        let mut rows: [&[D::f32s]; N] = [&[]; N];
        for (row, &word) in rows.iter_mut().zip(words) {
            *row = &as_vectors::<D>(self.rows.row(word))[..length];
        }
        let from = &as_vectors::<D>(if FIRST { self.guess } else { self.rough })[..length];
        let joint = &mut as_vectors_mut::<D>(self.joint)[..N * length];
        let gamma =
            &mut as_vectors_mut::<D>(&mut self.gamma[first * width..][..N * width])[..N * length];
        let mut sums = [[simd.splat_f32s(0.0); V]; N];
        for group in (0..length).step_by(V) {
            for (word, (row, sums)) in rows.iter().zip(&mut sums).enumerate() {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let at = group + lane;
                    let place = word * length + at;
                    let others =
                        if FIRST { from[at] } else { simd.sub_f32s(from[at], gamma[place]) };
                    let product = simd.mul_f32s(others, row[at]);
                    joint[place] = product;
                    *sum = simd.add_f32s(*sum, product);
                }
            }
        }
        let mut scales = [simd.splat_f32s(0.0); N];
        let mut counts = scales;
        for word in 0..N {
            let share = sum(simd, sums[word]);
            self.shares[first + word] = f64::from(share) * self.rows.scale(words[word]);
            let joint = &mut joint[word * length..][..length];
            let all =
                if self.roots == 0 { share } else { flatten::<D, V>(simd, joint, self.roots) };
            scales[word] = simd.splat_f32s(1.0 / all);
            counts[word] = simd.splat_f32s(self.document.counts[first + word] as f32);
        }
        for (at, changed) in as_vectors_mut::<D>(self.rough)[..length].iter_mut().enumerate() {
            let mut sum = simd.splat_f32s(0.0);
            for word in 0..N {
                let place = word * length + at;
                let new = simd.mul_f32s(joint[place], scales[word]);
                let moved = if FIRST { new } else { simd.sub_f32s(new, gamma[place]) };
                sum = simd.add_f32s(sum, simd.mul_f32s(counts[word], moved));
                gamma[place] = new;
            }
            *changed = sum;
        }
    }
}

/// Raises numbers to the power 1 − 2^−roots and returns their sum.
#[inline(always)]
fn flatten<D: Simd, const V: usize>(simd: D, numbers: &mut [D::f32s], roots: usize) -> f32 {
    let mut sums = [simd.splat_f32s(0.0); V];
    for group in numbers.chunks_exact_mut(V) {
        for (number, sum) in group.iter_mut().zip(&mut sums) {
            // Rounding can make a difference of masses slightly negative.
            let mut root = simd.sqrt_f32s(simd.max_f32s(*number, simd.splat_f32s(0.0)));
            let mut power = root;
            for _ in 1..roots {
                root = simd.sqrt_f32s(root);
                power = simd.mul_f32s(power, root);
            }
            *number = power;
            *sum = simd.add_f32s(*sum, power);
        }
    }
    sum(simd, sums)
}
