//! The co-occurrence of two independent halves of every document, as an operator.

pub mod between;
pub mod bins;
pub mod document_directions;
pub mod halves;
#[cfg(test)]
pub(crate) mod test_halves;

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, Axis};

use self::halves::{Halves, Splitter};
use super::documents::{Batch, Documents};
use super::error::{Result, StreamError};
use super::panel::RankOne;
use super::product::{ProductRule, Stripes, streamed_product};

/// Ê = M·X̄′X̄ᵀ, W × W, never formed. Entry (i, j) estimates p(i, j) / (p(i)·p(j)): how much more
/// often words i and j occur together than by chance.
///
/// X and X′ contain the shares of words in a random half of each document's tokens and in the rest.
/// The noise of one half is independent of the other's, so the diagonal is unbiased too. Rows of
/// both are divided by the same sum ρ_i, the mean of their two sums; the papers divide each by its
/// own. The limit is the same, and a word that is missing from one half still has a row.
///
/// # Source
/// Ding et al. 2013, algorithm 1 line 3; Ding et al. 2015, equation 1 and lemma 5.
pub struct SplitCoOccurrence<'a> {
    documents: &'a Documents<'a>,
    splitter: Splitter,
    totals: SplitSums,
}

/// The sums over all documents that a split co-occurrence needs.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitSums {
    /// M, the number of kept documents.
    pub kept: f64,
    /// ρ, W numbers.
    pub sums: Array1<f64>,
}

impl SplitSums {
    /// p, W numbers: each word's share of the tokens, with equal weight for all documents.
    pub fn shares(&self) -> Array1<f64> {
        &self.sums / self.kept
    }

    /// `v` with its rows divided by ρ. Rows of words that do not occur become zeros.
    pub fn divided(&self, v: ArrayView2<'_, f64>) -> Array2<f64> {
        let inverse = self.sums.mapv(|sum| if sum > 0.0 { 1.0 / sum } else { 0.0 });
        &v * &inverse.insert_axis(Axis(1))
    }
}

/// Counts documents and sums rows, in one pass. Adds the sums of `earlier` documents, if there are
/// any.
///
/// # Errors
/// `StreamError::TooFewDocuments` when fewer than two documents are kept; `Source` when a block
/// cannot be read; `Cancelled`.
pub fn split_sums(
    documents: &Documents<'_>,
    seed: u64,
    earlier: Option<&SplitSums>,
) -> Result<SplitSums> {
    let splitter = Splitter::new(seed);
    let of_lane = |lane| sum_lane(documents, splitter, lane);
    let (mut kept, mut sums) = documents.sum_by_lane(of_lane, |(kept, sums), more| {
        *kept += more.0;
        *sums += &more.1;
    })?;
    documents.add_up(sums.as_slice_mut().expect("contiguous"))?;
    documents.add_up_counts(std::slice::from_mut(&mut kept))?;
    if let Some(earlier) = earlier {
        kept += earlier.kept as u64;
        sums += &earlier.sums;
    }
    if kept < 2 {
        return Err(StreamError::TooFewDocuments {
            kept,
            min_tokens: documents.min_tokens(),
            terms: documents.words(),
        });
    }
    Ok(SplitSums { kept: kept as f64, sums })
}

impl<'a> SplitCoOccurrence<'a> {
    /// The operator, with the result of [`split_sums`] for the same documents and seed.
    pub fn new(documents: &'a Documents<'a>, seed: u64, totals: SplitSums) -> Self {
        Self { documents, splitter: Splitter::new(seed), totals }
    }

    /// W, the number of words.
    pub fn words(&self) -> usize {
        self.documents.words()
    }

    /// M, the number of kept documents.
    pub fn kept(&self) -> f64 {
        self.totals.kept
    }

    /// M and ρ, the sums over all documents.
    pub fn split_sums(&self) -> &SplitSums {
        &self.totals
    }

    /// The documents that are split.
    pub fn documents(&self) -> &Documents<'a> {
        self.documents
    }

    /// The splitter of documents into halves.
    pub fn splitter(&self) -> Splitter {
        self.splitter
    }

    /// ρ: for every word, the sum over documents of its share of their tokens, as the mean of both
    /// halves. The W numbers sum to M; words in no kept document have 0.
    pub fn sums(&self) -> &Array1<f64> {
        &self.totals.sums
    }

    /// Ê·V for V of W × b. `sums` is the result of [`half_products`] over all documents with U = V
    /// divided by ρ.
    pub fn projected(&self, sums: ArrayView2<'_, f64>) -> Array2<f64> {
        self.totals.divided(sums) * self.kept()
    }

    /// ½(Ê + Êᵀ)·V for V of W × b, in one pass: 8·b·(nonzeros of a half) flops.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn project_both_ways(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let rule = SymmetricRule { splitter: self.splitter };
        let input = self.totals.divided(v);
        let product = streamed_product(&rule, self.documents, input.view())?;
        Ok(self.totals.divided(product.view()) * (self.kept() / 2.0))
    }
}

/// X′ Xᵀ·U over `documents` for U of W × b, in one pass: 4·b·(nonzeros of a half) flops. Sums over
/// disjoint sets of documents can be added.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn half_products(
    documents: &Documents<'_>,
    splitter: Splitter,
    u: ArrayView2<'_, f64>,
) -> Result<Array2<f64>> {
    streamed_product(&HalfProductRule { splitter }, documents, u)
}

/// The rule of X′ Xᵀ.
struct HalfProductRule {
    splitter: Splitter,
}

impl ProductRule for HalfProductRule {
    type Scratch = Halves;

    fn add<const S: usize>(&self, batch: &Batch, halves: &mut Halves, stripes: Stripes<'_, S>) {
        self.splitter.split(batch, halves);
        let pairs = halves.first.documents().zip(halves.second.documents());
        let terms = pairs.map(|(from, to)| RankOne { from, to, scale: 1.0 });
        stripes.output.add_products(terms, stripes.input, stripes.first);
    }
}

/// The rule of X′ Xᵀ + X X′ᵀ.
struct SymmetricRule {
    splitter: Splitter,
}

impl ProductRule for SymmetricRule {
    type Scratch = Halves;

    fn add<const S: usize>(&self, batch: &Batch, halves: &mut Halves, stripes: Stripes<'_, S>) {
        self.splitter.split(batch, halves);
        let pairs = halves.first.documents().zip(halves.second.documents());
        let terms = pairs.flat_map(|(x, y)| {
            [RankOne { from: x, to: y, scale: 1.0 }, RankOne { from: y, to: x, scale: 1.0 }]
        });
        stripes.output.add_products(terms, stripes.input, stripes.first);
    }
}

fn sum_lane(
    documents: &Documents<'_>,
    splitter: Splitter,
    lane: Range<usize>,
) -> Result<(u64, Array1<f64>)> {
    let mut kept = 0;
    let mut sums = Array1::zeros(documents.words());
    let mut halves = Halves::default();
    documents.visit(lane, |batch| {
        kept += batch.lengths.iter().filter(|&&length| length > 1.0).count() as u64;
        splitter.split(batch, &mut halves);
        for side in halves.first.documents().chain(halves.second.documents()) {
            for (&word, &share) in side.words.iter().zip(side.values) {
                sums[word as usize] += share / 2.0;
            }
        }
    })?;
    Ok((kept, sums))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::split::test_halves::{Dense, corpus, split};

    #[test]
    fn products_are_those_of_the_formed_matrix_with_any_number_of_threads() {
        let (source, positions) = corpus(60, 23);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let split = split(&documents, 7);
        let dense = Dense::new(&documents, 7);
        let project = |v: ArrayView2<'_, f64>| {
            let u = split.split_sums().divided(v);
            half_products(&documents, split.splitter(), u.view())
                .map(|sums| split.projected(sums.view()))
        };
        assert!((split.sums().sum() - split.kept()).abs() < 1e-9);
        for columns in [1, 5, 19] {
            let v = Array2::from_shape_fn((23, columns), |(i, j)| ((i * 5 + j * 3) as f64).sin());
            let (one, both) = (
                project(v.view()).expect("in memory"),
                split.project_both_ways(v.view()).expect("in memory"),
            );
            let symmetric = (&dense.e + &dense.e.t()) / 2.0;
            assert!((&one - &dense.e.dot(&v)).iter().all(|miss| miss.abs() < 1e-9));
            assert!((&both - &symmetric.dot(&v)).iter().all(|miss| miss.abs() < 1e-9));
            for threads in [1, 2, 5, 9] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let again = pool.expect("threads").install(|| project(v.view()));
                assert_eq!(again.expect("in memory"), one);
            }
        }
    }
}
