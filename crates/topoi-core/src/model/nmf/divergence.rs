//! Updates for other divergences and for the half-normal prior, document by document.
//!
//! The β-divergence of x from y is Itakura–Saito for β = 0 (x/y − ln(x/y) − 1), Kullback–Leibler
//! for β = 1 and half the squared difference for β = 2.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::Prior;
use super::kernel::{IterationInputs, LEAST_ENTRY};
use super::rows::{GROUP, Group, Rows, add_scaled, dot};
use crate::model::setting::Choices;
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::add_in_pairs;

/// The divergence that a factorisation minimises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Divergence {
    /// β = 1, Kullback–Leibler: Poisson noise.
    #[default]
    Kl,
    /// β = 2, Euclidean: noise of constant variance.
    Euclidean,
    /// β = 0, Itakura–Saito: multiplicative noise. It is infinite for a count of 0, which is read
    /// as 0.1.
    ItakuraSaito,
}

impl Choices for Divergence {}

/// The value used for a count of 0, for a divergence that is infinite there.
pub(super) const ABSENT: f64 = 0.1;

/// The prior of the entries of both factors, given their topic's λ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Norm {
    /// Exponential with mean λ; suits sparse factors.
    #[default]
    L1,
    /// Half-normal with variance λ.
    L2,
}

impl Choices for Norm {}

/// The divergence and the prior, as far as updates depend on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UpdateRule {
    /// The divergence to minimise.
    pub divergence: Divergence,
    /// Whether the penalty of an entry is proportional to the entry.
    pub is_squared: bool,
}

impl UpdateRule {
    /// The rule for a divergence and a prior.
    pub(super) fn new(divergence: Divergence, prior: Prior) -> Self {
        let is_squared = matches!(prior, Prior::Relevance { norm: Norm::L2, .. });
        Self { divergence, is_squared }
    }

    /// Whether the kernel for counts implements this rule.
    pub(super) fn is_kl_l1(self) -> bool {
        self == Self { divergence: Divergence::Kl, is_squared: false }
    }

    /// entry · (numerator / (denominator + penalty))^p, an update that never raises the objective.
    /// p is 1/(2 − β) for β < 1 and 1 for 1 ≤ β ≤ 2; with the half-normal prior it is 1/(3 − β).
    ///
    /// # Source
    /// Tan and Févotte 2013, algorithms 1 and 2.
    #[inline(always)]
    pub(super) fn updated(self, entry: f64, products: [f64; 2], penalty: f64) -> f64 {
        let [numerator, denominator] = products;
        let own = if self.is_squared { entry * penalty } else { penalty };
        let ratio = numerator / (denominator + own).max(LEAST_ENTRY);
        let factor = match (self.divergence, self.is_squared) {
            (Divergence::Kl, false) | (Divergence::Euclidean, _) => ratio,
            (Divergence::ItakuraSaito, false) | (Divergence::Kl, true) => ratio.sqrt(),
            (Divergence::ItakuraSaito, true) => libm::cbrt(ratio),
        };
        (entry * factor).max(LEAST_ENTRY)
    }
}

/// Sums over documents of an iteration, besides the products and the sums of H.
#[derive(Debug)]
pub(super) struct DivergenceSums {
    /// Σ_j h_kj², for the half-normal prior.
    pub squares: Vec<Group>,
    /// H·Hᵀ, for β = 2.
    pub outer: Rows,
    /// Σ_j h_kj/(WH)_ij for each word i, for β = 0.
    pub divisors: Rows,
    /// A document's counts of all words, zeros included.
    counts: Vec<f64>,
    denominators: Vec<Group>,
}

impl DivergenceSums {
    /// Empty sums for K topics.
    pub(super) fn new(topics: usize) -> Self {
        let width = topics.div_ceil(GROUP);
        Self {
            squares: vec![[0.0; GROUP]; width],
            outer: Rows::new(topics),
            divisors: Rows::new(topics),
            counts: Vec::new(),
            denominators: vec![[0.0; GROUP]; width],
        }
    }

    /// Resets the sums before a pass.
    pub(super) fn begin(&mut self, words: usize, topics: usize, rule: UpdateRule) {
        self.squares.fill([0.0; GROUP]);
        match rule.divergence {
            Divergence::Kl => {}
            Divergence::Euclidean => self.outer = Rows::zeros(topics, topics),
            Divergence::ItakuraSaito => {
                self.divisors = Rows::zeros(words, topics);
                self.counts = vec![ABSENT; words];
            }
        }
    }

    /// Updates a document's h and adds its products for W to `products`. Returns its share of the
    /// objective.
    pub(super) fn document(
        &mut self,
        h: &mut [Group],
        (words, counts): (&[u32], &[f64]),
        (new, products): (&mut [Group], &mut Rows),
        fixed: IterationInputs<'_>,
    ) -> f64 {
        let is_dense = fixed.rule.divergence == Divergence::ItakuraSaito;
        if is_dense {
            words.iter().zip(counts).for_each(|(&word, &x)| self.counts[word as usize] = x);
        }
        for _ in 0..fixed.updates {
            new.fill([0.0; GROUP]);
            self.gradient(h, (words, counts), new, fixed);
            let own = h.as_flattened_mut().iter_mut().zip(new.as_flattened());
            let fixed_part =
                self.denominators.as_flattened().iter().zip(fixed.penalty.as_flattened());
            for ((h, &numerator), (&denominator, &penalty)) in own.zip(fixed_part) {
                *h = fixed.rule.updated(*h, [numerator, denominator], penalty);
            }
        }
        let cost = self.add_products(h, (words, counts), products, fixed);
        if is_dense {
            words.iter().for_each(|&word| self.counts[word as usize] = ABSENT);
        }
        for (squares, h) in self.squares.iter_mut().zip(h.iter()) {
            for at in 0..GROUP {
                squares[at] += h[at] * h[at];
            }
        }
        cost
    }

    /// Wᵀ(x ∘ y^(β−2)) into `new` and Wᵀy^(β−1) into the denominators, with y = Wh.
    fn gradient(
        &mut self,
        h: &[Group],
        (words, counts): (&[u32], &[f64]),
        new: &mut [Group],
        fixed: IterationInputs<'_>,
    ) {
        let pairs = words.iter().zip(counts).map(|(&word, &x)| (fixed.w.row(word as usize), x));
        match fixed.rule.divergence {
            Divergence::Kl => {
                pairs.for_each(|(row, x)| add_scaled(new, x / dot(row, h), row));
                self.denominators.copy_from_slice(fixed.divisors);
            }
            Divergence::Euclidean => {
                pairs.for_each(|(row, x)| add_scaled(new, x, row));
                self.denominators.fill([0.0; GROUP]);
                for (topic, &weight) in h.as_flattened().iter().take(fixed.w.columns()).enumerate()
                {
                    add_scaled(&mut self.denominators, weight, fixed.gram.row(topic));
                }
            }
            Divergence::ItakuraSaito => {
                self.denominators.fill([0.0; GROUP]);
                for (word, &x) in self.counts.iter().enumerate() {
                    let row = fixed.w.row(word);
                    let inverse = 1.0 / dot(row, h);
                    add_scaled(new, x * inverse * inverse, row);
                    add_scaled(&mut self.denominators, inverse, row);
                }
            }
        }
    }

    fn add_products(
        &mut self,
        h: &[Group],
        (words, counts): (&[u32], &[f64]),
        products: &mut Rows,
        fixed: IterationInputs<'_>,
    ) -> f64 {
        let mut cost = 0.0;
        match fixed.rule.divergence {
            Divergence::Kl => {
                for (&word, &x) in words.iter().zip(counts) {
                    let ratio = x / dot(fixed.w.row(word as usize), h);
                    cost += x * ratio.ln();
                    add_scaled(products.row_mut(word as usize), ratio, h);
                }
            }
            Divergence::Euclidean => {
                for (&word, &x) in words.iter().zip(counts) {
                    cost += x * (0.5 * x - dot(fixed.w.row(word as usize), h));
                    add_scaled(products.row_mut(word as usize), x, h);
                }
                for (topic, &weight) in h.as_flattened().iter().take(fixed.w.columns()).enumerate()
                {
                    add_scaled(self.outer.row_mut(topic), weight, h);
                }
            }
            Divergence::ItakuraSaito => {
                for (word, &x) in self.counts.iter().enumerate() {
                    let inverse = 1.0 / dot(fixed.w.row(word), h);
                    cost += x * inverse - (x * inverse).ln() - 1.0;
                    add_scaled(products.row_mut(word), x * inverse * inverse, h);
                    add_scaled(self.divisors.row_mut(word), inverse, h);
                }
            }
        }
        cost
    }
}

/// [`DivergenceSums`] of all documents.
#[derive(Debug)]
pub(super) struct DivergenceTotals {
    /// Σ_j h_kj².
    squares: Vec<f64>,
    outer: Rows,
    divisors: Rows,
}

impl DivergenceTotals {
    /// Totals before the first pass, when all h_kj of a topic are about equal. `sums` are the sums
    /// of H's rows.
    pub(super) fn new(sums: &[f64], documents: usize) -> Self {
        let squares = sums.iter().map(|sum| sum * sum / documents as f64).collect();
        Self { squares, outer: Rows::new(sums.len()), divisors: Rows::new(sums.len()) }
    }

    /// Sums over the lanes and the parts of the corpus: of squares, outer products and divisors.
    ///
    /// # Errors
    /// `StreamError::Exchange` when another part cannot be reached.
    pub(super) fn sum(
        lanes: &[Vec<&[f64]>; 3],
        (topics, rule): (usize, UpdateRule),
        documents: &Documents<'_>,
    ) -> Result<Self, StreamError> {
        let mut all = DivergenceSums::new(topics);
        all.begin(documents.words(), topics, rule);
        let DivergenceSums { mut squares, mut outer, mut divisors, .. } = all;
        let sums = [&mut squares[..], outer.groups_mut(), divisors.groups_mut()];
        for (sums, lanes) in sums.into_iter().zip(lanes) {
            add_in_pairs(sums.as_flattened_mut(), lanes);
            documents.add_up(sums.as_flattened_mut())?;
        }
        let squares = squares.as_flattened()[..topics].to_vec();
        Ok(Self { squares, outer, divisors })
    }

    /// (‖w_k‖² + ‖h_k‖²)/2.
    pub(super) fn norms(&self, w: &Rows) -> Vec<f64> {
        let mut norms = self.squares.clone();
        for word in 0..w.len() {
            let entries = norms.iter_mut().zip(w.row(word).as_flattened());
            entries.for_each(|(norm, entry)| *norm += entry * entry);
        }
        norms.iter_mut().for_each(|norm| *norm /= 2.0);
        norms
    }

    /// The term Σ (WH)²/2 of the objective for β = 2, with WᵀW = `gram`; 0 for other divergences.
    pub(super) fn squared_fit(&self, gram: &Rows) -> f64 {
        let pairs = gram.groups().as_flattened().iter().zip(self.outer.groups().as_flattened());
        pairs.map(|(a, b)| a * b).sum::<f64>() / 2.0
    }

    /// Updates W. `sums` are the sums of H's rows, `penalty` is 1/λ.
    pub(super) fn renew(
        &self,
        (w, products): (&mut Rows, &Rows),
        sums: &[f64],
        penalty: &[f64],
        rule: UpdateRule,
    ) {
        let mut denominators = vec![[0.0; GROUP]; w.width()];
        for word in 0..w.len() {
            match rule.divergence {
                Divergence::Kl => {
                    denominators.as_flattened_mut()[..sums.len()].copy_from_slice(sums)
                }
                Divergence::Euclidean => {
                    denominators.fill([0.0; GROUP]);
                    for (topic, &weight) in
                        w.row(word).as_flattened().iter().take(sums.len()).enumerate()
                    {
                        add_scaled(&mut denominators, weight, self.outer.row(topic));
                    }
                }
                Divergence::ItakuraSaito => denominators.copy_from_slice(self.divisors.row(word)),
            }
            let products =
                products.row(word).as_flattened().iter().zip(denominators.as_flattened());
            let entries = w.row_mut(word).as_flattened_mut().iter_mut().zip(products).zip(penalty);
            for ((entry, (&numerator, &denominator)), &penalty) in entries {
                *entry = rule.updated(*entry, [numerator, denominator], penalty);
            }
        }
    }
}

/// WᵀW, K × K, for β = 2; without rows otherwise.
pub(super) fn gram(w: &Rows, rule: UpdateRule) -> Rows {
    if rule.divergence != Divergence::Euclidean {
        return Rows::new(w.columns());
    }
    let mut gram = Rows::zeros(w.columns(), w.columns());
    for word in 0..w.len() {
        for (topic, &weight) in w.row(word).as_flattened().iter().take(w.columns()).enumerate() {
            add_scaled(gram.row_mut(topic), weight, w.row(word));
        }
    }
    gram
}
