//! Coordinate descent on a document's h.
//!
//! One pass over the document's rows of W gives the gradient. Topics of weight 0 whose gradient does
//! not raise them keep it, so that only the columns of the other topics, the active ones, are copied
//! and improved: about a quarter of 50 topics on papers.

use pulp::{Simd, WithSimd};

use super::kernel::{IterationInputs, LEAST_ENTRY};
use super::rows::{GROUP, Group, Rows};
use crate::model::documents::lanes::{Lanes, as_vectors, as_vectors_mut, sum, vectors};
use crate::model::documents::sweep::Sweep;
use crate::model::documents::topic_rows::DocumentCounts;
use crate::stream::aligned::Aligned;

/// A document laid out for coordinate descent: its words are adjacent, in whole groups. Words that
/// pad the last group have count 0 and are in no topic.
#[derive(Debug, Default)]
pub(super) struct Coordinates {
    /// Words, padded.
    width: usize,
    /// Topics whose weights may change, ascending.
    active: Vec<usize>,
    /// W's columns of the active topics: `width` numbers for each.
    w: Aligned,
    /// x.
    counts: Aligned,
    /// p = Wh.
    means: Aligned,
    /// x/p.
    ratios: Aligned,
    /// Σ x·w/p of each topic.
    gradient: Aligned,
}

impl Coordinates {
    /// Improves the weights `h` of a document by `fixed.updates` sweeps over its active topics.
    #[inline(always)]
    pub(super) fn improve<D: Simd>(
        &mut self,
        simd: D,
        h: &mut [Group],
        document: DocumentCounts<'_>,
        fixed: IterationInputs<'_>,
    ) {
        self.load(document);
        if document.words.is_empty() {
            h.fill([0.0; GROUP]);
            return;
        }
        self.find_active(simd, h, document, fixed);
        self.copy_columns(document.words, fixed.w);
        let (h, divisors) = (h.as_flattened_mut(), fixed.divisors.as_flattened());
        simd.vectorize(Descent { h, divisors, sweeps: fixed.updates, document: self });
    }

    /// x/p of the document's words, after [`Self::improve`].
    pub(super) fn ratios(&self) -> &[f64] {
        &self.ratios
    }

    fn load(&mut self, document: DocumentCounts<'_>) {
        let words = document.words.len();
        self.width = words.next_multiple_of(GROUP);
        for own in [&mut self.counts, &mut self.means, &mut self.ratios] {
            own.reserve(self.width);
        }
        self.counts[..words].copy_from_slice(document.counts);
        self.counts[words..].fill(0.0);
        self.means[words..].fill(1.0);
    }

    #[inline(always)]
    fn find_active<D: Simd>(
        &mut self,
        simd: D,
        h: &[Group],
        document: DocumentCounts<'_>,
        fixed: IterationInputs<'_>,
    ) {
        let h = h.as_flattened();
        self.gradient.reserve(h.len());
        simd.vectorize(Sweep {
            rows: fixed.w.numbers(),
            width: h.len(),
            document,
            weights: h,
            shares: &mut self.means[..document.words.len()],
            gradient: &mut self.gradient,
        });
        self.active.clear();
        let topics = h.iter().zip(self.gradient.iter()).zip(fixed.divisors.as_flattened());
        for (topic, ((&h, pull), divisor)) in topics.take(fixed.w.columns()).enumerate() {
            if h > 0.0 || pull > divisor {
                self.active.push(topic);
            }
        }
    }

    fn copy_columns(&mut self, words: &[u32], w: &Rows) {
        self.w.reserve(self.active.len() * self.width);
        for (at, &word) in words.iter().enumerate() {
            let row = w.row(word as usize).as_flattened();
            for (column, &topic) in self.w.chunks_exact_mut(self.width).zip(&self.active) {
                column[at] = row[topic];
            }
        }
        for column in self.w.chunks_exact_mut(self.width) {
            column[words.len()..].fill(0.0);
        }
    }
}

/// Sweeps over the active topics of a document.
struct Descent<'a> {
    h: &'a mut [f64],
    divisors: &'a [f64],
    sweeps: usize,
    document: &'a mut Coordinates,
}

impl WithSimd for Descent<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let Self { h, divisors, sweeps, document } = self;
        let Coordinates { width, active, w, counts, means, ratios, .. } = document;
        let length = *width / D::F64_LANES;
        let column = |at: usize| &as_vectors::<D>(&w[at * *width..][..*width])[..length];
        let counts = &as_vectors::<D>(counts)[..length];
        let means = &mut as_vectors_mut::<D>(means)[..length];
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let least = simd.splat_f64s(LEAST_ENTRY);
        // The change of a weight enters the means on the way to the derivatives of the next topic.
        let (mut changed, mut change) = (0, 0.0);
        for _ in 0..sweeps {
            for (at, &topic) in active.iter().enumerate() {
                let (before, own) = (column(changed), column(at));
                let change_of_all = simd.splat_f64s(change);
                let mut pull: Lanes<D> = [zero; GROUP];
                let mut curvature: Lanes<D> = [zero; GROUP];
                for group in (0..length).step_by(vectors::<D>()) {
                    for lane in 0..vectors::<D>() {
                        let word = group + lane;
                        let added = simd.mul_f64s(change_of_all, before[word]);
                        let mean = simd.max_f64s(simd.add_f64s(means[word], added), least);
                        means[word] = mean;
                        let share = simd.mul_f64s(own[word], simd.div_f64s(one, mean));
                        let first = simd.mul_f64s(counts[word], share);
                        pull[lane] = simd.add_f64s(pull[lane], first);
                        let second = simd.mul_f64s(first, share);
                        curvature[lane] = simd.add_f64s(curvature[lane], second);
                    }
                }
                let (pull, curvature) = (sum::<D>(pull), sum::<D>(curvature));
                let new = improved_coordinate(h[topic], pull, curvature, divisors[topic]);
                (changed, change) = (at, new - h[topic]);
                h[topic] = new;
            }
        }
        // The means anew, without the rounding that their changes left.
        means.fill(zero);
        for (at, &topic) in active.iter().enumerate().filter(|(_, topic)| h[**topic] > 0.0) {
            let weight = simd.splat_f64s(h[topic]);
            for (mean, &own) in means.iter_mut().zip(column(at)) {
                *mean = simd.add_f64s(*mean, simd.mul_f64s(weight, own));
            }
        }
        let of_words = as_vectors_mut::<D>(ratios)[..length].iter_mut().zip(means).zip(counts);
        for ((ratio, mean), &count) in of_words {
            *ratio = simd.div_f64s(count, simd.max_f64s(*mean, least));
        }
    }
}

/// An improved h_k for the objective divisor·h_k − Σ x·ln p, whose derivative is divisor − `pull`.
///
/// Newton's step upwards cannot overshoot, because the derivative is concave. Downwards it may, so
/// the longer of two safe steps is taken: Newton's, damped as for a self-concordant function
/// (counts are at least 1), and the multiplicative one, which stays above the optimum.
#[inline(always)]
pub(super) fn improved_coordinate(h: f64, pull: f64, curvature: f64, divisor: f64) -> f64 {
    if curvature <= 0.0 {
        return 0.0;
    }
    let slope = pull - divisor;
    let newton = slope / curvature;
    if slope >= 0.0 {
        return h + newton;
    }
    let decrement = -slope / curvature.sqrt();
    (h + newton / (1.0 + decrement)).min(h * pull / divisor).max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulp::{Arch, Scalar};

    use super::*;

    /// A document of `words` words and three topics, of which the second is not active.
    fn document(words: usize, numbers: &[f64]) -> Coordinates {
        let width = words.next_multiple_of(GROUP);
        let padded = |from: &[f64]| {
            let mut all = Aligned::zeros(width);
            all[..words].copy_from_slice(&from[..words]);
            all
        };
        let mut w = Aligned::default();
        w.extend_from_slice(&padded(numbers));
        w.extend_from_slice(&padded(&numbers[words..]));
        let (counts, means) = (padded(&numbers[2 * words..]), padded(&numbers[3 * words..]));
        let (ratios, gradient) = (Aligned::zeros(width), Aligned::default());
        Coordinates { width, active: vec![0, 2], w, counts, means, ratios, gradient }
    }

    proptest! {
        #[test]
        fn every_processor_finds_the_same_bits(
            words in 1usize..30,
            numbers in prop::collection::vec(0.01..3.0f64, 4 * 30),
            h in prop::collection::vec(0.0..5.0f64, 3),
        ) {
            let found = [false, true].map(|is_scalar| {
                let (mut h, mut document) = (h.clone(), document(words, &numbers));
                let divisors = [1.0, 0.5, 2.0];
                let (h_mut, document_mut) = (&mut h, &mut document);
                let descent = Descent { h: h_mut, divisors: &divisors, sweeps: 2, document: document_mut };
                if is_scalar { descent.with_simd(Scalar) } else { Arch::new().dispatch(descent) }
                (h, document.ratios.to_vec())
            });
            prop_assert_eq!(&found[0], &found[1]);
        }

        #[test]
        fn a_coordinate_never_gets_worse(
            words in prop::collection::vec((1u32..50, 1e-6..1.0f64, 1e-9..10.0f64), 1..6),
            h in 0.0..100.0f64,
            divisor in 0.01..2.0f64,
        ) {
            let sum = |of: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
                words.iter().map(|&(x, w, rest)| of(f64::from(x), w, rest + h * w)).sum()
            };
            let pull = sum(&|x, w, p| x * w / p);
            let curvature = sum(&|x, w, p| x * (w / p).powi(2));
            let objective = |h: f64| -> f64 {
                let of_word = |&(x, w, rest): &(u32, f64, f64)| f64::from(x) * (rest + h * w).ln();
                divisor * h - words.iter().map(of_word).sum::<f64>()
            };
            let new = improved_coordinate(h, pull, curvature, divisor);
            prop_assert!(new >= 0.0);
            let (before, after) = (objective(h), objective(new));
            prop_assert!(after <= before + 1e-9 * (1.0 + before.abs()), "{before} {after}");
        }
    }
}
