//! The pass over the nonzeros, which takes nearly all the time.

use pulp::{Simd, WithSimd};

use super::coordinates::Coordinates;
use super::divergence::{DivergenceSums, UpdateRule};
use super::rows::{GROUP, Group, Rows, add_scaled, dot};
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
    fn with_simd<D: Simd>(self, _: D) {
        let Lane { h, products, sums, cross, at, new, coordinates, other } = self.lane;
        for (words, counts, _) in self.batch.documents() {
            let h = h.row_mut(*at);
            *at += 1;
            multiply(h, self.fixed.scale);
            if !self.fixed.rule.is_kl_l1() {
                *cross += other.document(h, (words, counts), (new, products), self.fixed);
                add_scaled(sums, 1.0, h);
                continue;
            }
            if self.fixed.by_coordinates {
                coordinates.load(h, words, counts, self.fixed);
                for _ in 0..self.fixed.updates {
                    coordinates.sweep(h, self.fixed.divisors);
                }
            } else {
                for _ in 0..self.fixed.updates {
                    update(h, new, words, counts, self.fixed);
                }
            }
            for (&word, &count) in words.iter().zip(counts) {
                let ratio = count / dot(self.fixed.w.row(word as usize), h);
                *cross += count * ratio.ln();
                add_scaled(products.row_mut(word as usize), ratio, h);
            }
            add_scaled(sums, 1.0, h);
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

/// h ← h ∘ Wᵀ(x / Wh) / divisors.
#[inline(always)]
fn update(
    h: &mut [Group],
    new: &mut [Group],
    words: &[u32],
    counts: &[f64],
    fixed: IterationInputs<'_>,
) {
    new.fill([0.0; GROUP]);
    for (&word, &count) in words.iter().zip(counts) {
        let row = fixed.w.row(word as usize);
        add_scaled(new, count / dot(row, h), row);
    }
    for ((h, new), divisors) in h.iter_mut().zip(new).zip(fixed.divisors) {
        for at in 0..GROUP {
            h[at] = (h[at] * new[at] / divisors[at]).max(LEAST_ENTRY);
        }
    }
}
