//! The updates for other divergences and for the half-normal prior, document by document.
//!
//! The β-divergence of x from y is Itakura–Saito's for β = 0 (x/y − ln(x/y) − 1), Kullback–Leibler's for β = 1 and
//! half the squared difference for β = 2.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::Prior;
use super::kernel::{Fixed, LEAST};
use super::rows::{GROUP, Group, Rows, add, add_scaled, dot};
use crate::model::setting::Choices;
use crate::stream::StreamError;
use crate::stream::documents::Documents;

/// The divergence that a factorisation lowers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Divergence {
    /// β = 1: the noise is that of counts.
    #[default]
    Kl,
    /// β = 2: the noise is the same everywhere.
    Euclidean,
    /// β = 0: the noise goes with what is measured. It is infinite for a count of 0, which is read as 0.1.
    ItakuraSaito,
}

impl Choices for Divergence {}

/// The count of a word that a document does not have, for a divergence that has none of 0.
pub(super) const ABSENT: f64 = 0.1;

/// Which prior the entries of both factors have, given their topic's λ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Norm {
    /// Exponential with mean λ, which many entries of 0 suit.
    #[default]
    L1,
    /// Half-normal with variance λ.
    L2,
}

impl Choices for Norm {}

/// What an update takes of the divergence and of the prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rule {
    /// What is made small.
    pub divergence: Divergence,
    /// Whether the penalty of an entry goes with the entry.
    pub is_squared: bool,
}

impl Rule {
    /// The rule for a factorisation with this divergence and prior.
    pub(super) fn new(divergence: Divergence, prior: Prior) -> Self {
        let is_squared = matches!(prior, Prior::Relevance { norm: Norm::L2, .. });
        Self { divergence, is_squared }
    }

    /// Whether the kernel for counts does it.
    pub(super) fn is_usual(self) -> bool {
        self == Self { divergence: Divergence::Kl, is_squared: false }
    }

    /// entry · (numerator / (denominator + penalty))^p, which never raises the objective. p is 1/(2 − β) for β < 1
    /// and 1 up to 2; 1/(3 − β) with the half-normal prior.
    ///
    /// # Source
    /// Tan and Févotte 2013, algorithms 1 and 2.
    #[inline(always)]
    pub(super) fn updated(self, entry: f64, products: [f64; 2], penalty: f64) -> f64 {
        let [numerator, denominator] = products;
        let own = if self.is_squared { entry * penalty } else { penalty };
        let ratio = numerator / (denominator + own).max(LEAST);
        let factor = match (self.divergence, self.is_squared) {
            (Divergence::Kl, false) | (Divergence::Euclidean, _) => ratio,
            (Divergence::ItakuraSaito, false) | (Divergence::Kl, true) => ratio.sqrt(),
            (Divergence::ItakuraSaito, true) => libm::cbrt(ratio),
        };
        (entry * factor).max(LEAST)
    }
}

/// What an iteration adds up over documents beside the products and the sums of H.
#[derive(Debug)]
pub(super) struct Sums {
    /// Σ_j h_kj², for the half-normal prior.
    pub squares: Vec<Group>,
    /// H·Hᵀ, for β = 2.
    pub outer: Rows,
    /// Σ_j h_kj/(WH)_ij for each word i, for β = 0.
    pub divisors: Rows,
    /// A document's counts, all words side by side.
    counts: Vec<f64>,
    denominators: Vec<Group>,
}

impl Sums {
    /// Nothing, for K topics.
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

    /// Before a pass.
    pub(super) fn begin(&mut self, words: usize, topics: usize, rule: Rule) {
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

    /// Updates a document's h, adds its share of the products for W to `products`, and returns its share of the
    /// objective.
    pub(super) fn document(
        &mut self,
        h: &mut [Group],
        (words, counts): (&[u32], &[f64]),
        (new, products): (&mut [Group], &mut Rows),
        fixed: Fixed<'_>,
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

    /// Wᵀ(x ∘ y^(β−2)) in `new` and Wᵀy^(β−1) in the denominators, y = Wh.
    fn gradient(
        &mut self,
        h: &[Group],
        (words, counts): (&[u32], &[f64]),
        new: &mut [Group],
        fixed: Fixed<'_>,
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
        fixed: Fixed<'_>,
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

/// The [`Sums`] of all documents.
#[derive(Debug)]
pub(super) struct Totals {
    /// Σ_j h_kj².
    squares: Vec<f64>,
    outer: Rows,
    divisors: Rows,
}

impl Totals {
    /// Before the first pass, when all h_kj of a topic are much the same: `sums` are those of H's rows.
    pub(super) fn at_start(sums: &[f64], documents: usize) -> Self {
        let squares = sums.iter().map(|sum| sum * sum / documents as f64).collect();
        Self { squares, outer: Rows::new(sums.len()), divisors: Rows::new(sums.len()) }
    }

    /// Adds up what the lanes and the parts of the corpus have.
    ///
    /// # Errors
    /// When another part failed.
    pub(super) fn of<'a>(
        lanes: impl Iterator<Item = &'a Sums>,
        (topics, rule): (usize, Rule),
        documents: &Documents<'_>,
    ) -> Result<Self, StreamError> {
        let mut all = Sums::new(topics);
        all.begin(documents.words(), topics, rule);
        let Sums { mut squares, mut outer, mut divisors, .. } = all;
        for lane in lanes {
            add(&mut squares, &lane.squares);
            add(outer.groups_mut(), lane.outer.groups());
            add(divisors.groups_mut(), lane.divisors.groups());
        }
        for sums in [&mut squares[..], outer.groups_mut(), divisors.groups_mut()] {
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

    /// What the fit Σ (WH)²/2 adds to the objective for β = 2, WᵀW being `gram`; 0 in another divergence.
    pub(super) fn fitted(&self, gram: &Rows) -> f64 {
        let pairs = gram.groups().as_flattened().iter().zip(self.outer.groups().as_flattened());
        pairs.map(|(a, b)| a * b).sum::<f64>() / 2.0
    }

    /// W's update: `sums` are those of H's rows, `penalty` is 1/λ.
    pub(super) fn renew(
        &self,
        (w, products): (&mut Rows, &Rows),
        sums: &[f64],
        penalty: &[f64],
        rule: Rule,
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

/// WᵀW, K × K, for β = 2; no rows otherwise.
pub(super) fn gram(w: &Rows, rule: Rule) -> Rows {
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
