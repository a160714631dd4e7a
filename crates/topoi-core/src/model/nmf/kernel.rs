//! The pass over the nonzeros, which takes nearly all the time.

use pulp::{Simd, WithSimd};

use super::coordinates::Coordinates;
use super::divergence::{DivergenceSums, UpdateRule};
use super::rows::{GROUP, Group, Rows, add_scaled};
use crate::model::documents::lanes::{as_vectors, as_vectors_mut};
use crate::model::documents::sweep::Sweep;
use crate::model::documents::topic_rows::DocumentCounts;
use crate::stream::aligned::Aligned;
use crate::stream::documents::Batch;

/// Lower bound of entries of the factors, so that none is stuck at zero or denormal.
pub(super) const LEAST_ENTRY: f64 = 1e-60;

/// Inputs that are constant during an iteration.
#[derive(Clone, Copy)]
pub(super) struct IterationInputs<'a> {
    /// W, a row for each word.
    pub w: &'a Rows,
    /// Factors of h for the columns of W that were normalised.
    pub scale: &'a [Group],
    /// Column sums of W plus the penalty of the prior.
    pub divisors: &'a [Group],
    /// Updates of a document's h.
    pub updates: usize,
    /// Whether the updates are coordinate sweeps; otherwise they are multiplicative.
    pub by_coordinates: bool,
    /// The divergence and the prior.
    pub rule: UpdateRule,
    /// 1/λ.
    pub penalty: &'a [Group],
    /// WᵀW, K × K, where the rule needs it.
    pub gram: &'a Rows,
}

/// A lane's documents and the sums of an iteration over them.
#[derive(Debug)]
pub(super) struct Lane {
    /// H: a row for each document.
    pub h: Rows,
    /// Σ_j x_ij/(WH)_ij · h_kj for each word i.
    pub products: Rows,
    /// Σ_j h_kj.
    pub sums: Vec<Group>,
    /// Σ x·ln(x / (WH)) over the nonzeros, or the corresponding sum of another divergence.
    pub cross: f64,
    /// Sums of other rules than Kullback–Leibler.
    pub other: DivergenceSums,
    at: usize,
    new: Vec<Group>,
    coordinates: Coordinates,
    multiplicative: Multiplicative,
}

impl Lane {
    /// A lane whose first documents are the rows of `h`. More rows are added as documents come.
    pub(super) fn new(h: Rows) -> Self {
        let (width, columns) = (h.width(), h.columns());
        Self {
            h,
            products: Rows::new(columns),
            sums: vec![[0.0; GROUP]; width],
            cross: 0.0,
            other: DivergenceSums::new(columns),
            at: 0,
            new: vec![[0.0; GROUP]; width],
            coordinates: Coordinates::default(),
            multiplicative: Multiplicative::default(),
        }
    }

    /// Resets the sums before a pass.
    pub(super) fn begin(&mut self, words: usize, rule: UpdateRule) {
        self.other.begin(words, self.h.columns(), rule);
        if self.products.len() != words {
            self.products = Rows::zeros(words, self.h.columns());
        }
        self.products.groups_mut().fill([0.0; GROUP]);
        self.sums.fill([0.0; GROUP]);
        self.cross = 0.0;
        self.at = 0;
    }

    /// Adds a batch of an iteration.
    pub(super) fn add(
        &mut self,
        batch: &Batch,
        fixed: IterationInputs<'_>,
        start: impl Fn(f64) -> f64,
    ) {
        for &length in batch.lengths.iter().skip(self.h.len() - self.at) {
            self.h.push_even(start(length));
        }
        pulp::Arch::new().dispatch(Kernel { lane: self, batch, fixed });
    }
}

struct Kernel<'a> {
    lane: &'a mut Lane,
    batch: &'a Batch,
    fixed: IterationInputs<'a>,
}

impl WithSimd for Kernel<'_> {
    type Output = ();

    // Multiplications and additions stay separate, so that sums are the same on every processor.
    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let Lane { h, products, sums, cross, at, new, coordinates, multiplicative, other } =
            self.lane;
        for (words, counts, _) in self.batch.documents() {
            let h = h.row_mut(*at);
            *at += 1;
            multiply(h, self.fixed.scale);
            if !self.fixed.rule.is_kl_l1() {
                *cross += other.document(h, (words, counts), (new, products), self.fixed);
                add_scaled(sums, 1.0, h);
                continue;
            }
            let document = DocumentCounts { words, counts };
            let ratios = if self.fixed.by_coordinates {
                coordinates.improve(simd, h, document, self.fixed);
                coordinates.ratios()
            } else {
                multiplicative.improve(simd, h, document, self.fixed);
                &multiplicative.ratios
            };
            let fit = counts.iter().zip(ratios).map(|(count, ratio)| count * ratio.ln());
            *cross += fit.sum::<f64>();
            simd.vectorize(AddProducts { words, ratios, h: h.as_flattened(), products });
            add_scaled(sums, 1.0, h);
        }
    }
}

/// Adds x/p · h of a document's words to the products.
struct AddProducts<'a> {
    words: &'a [u32],
    ratios: &'a [f64],
    h: &'a [f64],
    products: &'a mut Rows,
}

impl WithSimd for AddProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<D: Simd>(self, simd: D) {
        let h = as_vectors::<D>(self.h);
        for (&word, &ratio) in self.words.iter().zip(self.ratios) {
            let ratio = simd.splat_f64s(ratio);
            let products = self.products.row_mut(word as usize).as_flattened_mut();
            for (product, &h) in as_vectors_mut::<D>(products).iter_mut().zip(h) {
                *product = simd.add_f64s(*product, simd.mul_f64s(ratio, h));
            }
        }
    }
}

#[inline(always)]
fn multiply(h: &mut [Group], factors: &[Group]) {
    for (h, factors) in h.iter_mut().zip(factors) {
        for at in 0..GROUP {
            h[at] *= factors[at];
        }
    }
}

/// Multiplicative updates of a document's h.
#[derive(Debug, Default)]
struct Multiplicative {
    gradient: Aligned,
    /// x/p.
    ratios: Vec<f64>,
}

impl Multiplicative {
    /// h ← h ∘ Wᵀ(x / Wh) / divisors, `fixed.updates` times.
    #[inline(always)]
    fn improve<D: Simd>(
        &mut self,
        simd: D,
        h: &mut [Group],
        document: DocumentCounts<'_>,
        fixed: IterationInputs<'_>,
    ) {
        let h = h.as_flattened_mut();
        self.gradient.reserve(h.len());
        self.ratios.resize(document.words.len(), 0.0);
        // The last pass is for the ratios at the new h.
        for left in (0..=fixed.updates).rev() {
            simd.vectorize(Sweep {
                rows: fixed.w.numbers(),
                width: h.len(),
                document,
                weights: h,
                shares: &mut self.ratios,
                gradient: &mut self.gradient,
            });
            if left > 0 {
                let own = h.iter_mut().zip(self.gradient.iter());
                for ((h, gradient), divisor) in own.zip(fixed.divisors.as_flattened()) {
                    *h = (*h * gradient / divisor).max(LEAST_ENTRY);
                }
            }
        }
        for (ratio, count) in self.ratios.iter_mut().zip(document.counts) {
            *ratio = count / *ratio;
        }
    }
}
