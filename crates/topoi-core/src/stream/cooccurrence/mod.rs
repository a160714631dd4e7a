//! The word co-occurrence C as an operator that streams the corpus and is never formed.

pub mod formed;
pub mod groups;
pub mod row_norms;
mod row_panels;
pub mod rows;

use std::ops::Range;
use std::sync::OnceLock;

use ndarray::{Array1, Array2, ArrayView2};

use super::documents::{Batch, Documents};
use super::error::{Result, StreamError};
use super::panel::{RankOne, Side};
use super::product::{ProductRule, Stripes, streamed_product};

/// The joint-stochastic co-occurrence of words, C = Ĥ Ĥᵀ − diag(d). C is W × W and symmetric, and
/// its entries sum to 1:
///
/// `ĥ_m = x_m / √(n_m (n_m − 1) M)`, `d = Σ_m x_m / (n_m (n_m − 1) M)`
///
/// over the M documents of at least two tokens, with counts `x_m` and lengths `n_m`. Entry C_ij
/// estimates the probability that two tokens drawn from one document are i and j. A document of one
/// token has no pair, and is not in C.
///
/// # Source
/// Lee et al. 2021, equation 1.
pub struct CoOccurrence<'a> {
    documents: &'a Documents<'a>,
    totals: Totals,
    diagonal: Array1<f64>,
    row_sums: Array1<f64>,
    document_counts: Array1<f64>,
    kept: OnceLock<(Array1<f64>, Array2<f64>)>,
}

/// Sizes of a corpus once the vocabulary is applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Documents kept.
    pub documents: u64,
    /// Those of at least two tokens, M.
    pub with_pairs: u64,
    /// (document, word) pairs with a nonzero count.
    pub nonzeros: u64,
    /// Tokens of words in the vocabulary.
    pub tokens: u64,
    /// Documents left out because they are too short.
    pub too_short: u64,
    /// Sum of the squared lengths of the kept documents, saturating at 2⁶⁴ − 1.
    pub squared_lengths: u64,
}

impl Totals {
    /// M·Σn²/(Σn)² for documents of n tokens, at least 1: the mean length of a token's document
    /// over the mean length of a document.
    pub fn length_unevenness(&self) -> f64 {
        let tokens = self.tokens as f64;
        self.documents as f64 * self.squared_lengths as f64 / (tokens * tokens)
    }

    /// Counts the documents of a batch.
    pub fn add(&mut self, batch: &Batch) {
        self.documents += batch.lengths.len() as u64;
        self.with_pairs += batch.lengths.iter().filter(|&&length| length > 1.0).count() as u64;
        self.nonzeros += batch.words.len() as u64;
        self.tokens += batch.lengths.iter().map(|&length| length as u64).sum::<u64>();
        self.too_short += batch.too_short.len() as u64;
        for &length in &batch.lengths {
            let square = (length as u64).saturating_mul(length as u64);
            self.squared_lengths = self.squared_lengths.saturating_add(square);
        }
    }

    /// The totals of all parts of a corpus.
    fn over_parts(self, documents: &Documents<'_>) -> Result<Self> {
        let Self { documents: kept, with_pairs, nonzeros, tokens, too_short, squared_lengths } =
            self;
        let mut counts = [kept, with_pairs, nonzeros, tokens, too_short, squared_lengths];
        documents.add_up_counts(&mut counts)?;
        let [documents, with_pairs, nonzeros, tokens, too_short, squared_lengths] = counts;
        Ok(Self { documents, with_pairs, nonzeros, tokens, too_short, squared_lengths })
    }

    fn join(&mut self, other: &Self) {
        self.documents += other.documents;
        self.with_pairs += other.with_pairs;
        self.nonzeros += other.nonzeros;
        self.tokens += other.tokens;
        self.too_short += other.too_short;
        self.squared_lengths = self.squared_lengths.saturating_add(other.squared_lengths);
    }
}

/// Sums of one lane: totals; Σ x/(n(n−1)), Σ x/n and document frequencies of the words.
type LaneSums = (Totals, [Array1<f64>; 3]);

impl<'a> CoOccurrence<'a> {
    /// Prepares the operator in one pass that counts documents and sums rows.
    ///
    /// # Errors
    /// `StreamError::TooFewDocuments` when fewer than two documents are kept; `Source` when a block
    /// cannot be read; `Cancelled`.
    pub fn new(documents: &'a Documents<'a>) -> Result<Self> {
        let sums = documents.sum_by_lane(
            |lane| sum_lane(documents, lane),
            |sums, more| {
                sums.0.join(&more.0);
                sums.1.iter_mut().zip(&more.1).for_each(|(sum, more)| *sum += more);
            },
        )?;
        let (totals, [mut diagonal, mut row_sums, mut document_counts]) = sums;
        for sums in [&mut diagonal, &mut row_sums, &mut document_counts] {
            documents.add_up(sums.as_slice_mut().expect("contiguous"))?;
        }
        let totals = totals.over_parts(documents)?;
        if totals.with_pairs < 2 {
            return Err(StreamError::TooFewDocuments {
                kept: totals.with_pairs,
                min_tokens: documents.min_tokens(),
                terms: documents.words(),
            });
        }
        let kept = totals.with_pairs as f64;
        diagonal /= kept;
        row_sums /= kept;
        debug_assert!((row_sums.sum() - 1.0).abs() < 1e-9, "the entries of C sum to 1");
        let kept = OnceLock::new();
        Ok(Self { documents, totals, diagonal, row_sums, document_counts, kept })
    }

    /// W, the number of words.
    pub fn words(&self) -> usize {
        self.documents.words()
    }

    /// The documents that C is computed from.
    pub fn documents(&self) -> &Documents<'a> {
        self.documents
    }

    /// Numbers of documents, nonzeros and tokens.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// d, W numbers, subtracted from the diagonal of Ĥ Ĥᵀ.
    pub fn diagonal(&self) -> &Array1<f64> {
        &self.diagonal
    }

    /// C·e: the W word probabilities p(i), which sum to 1.
    pub fn row_sums(&self) -> &Array1<f64> {
        &self.row_sums
    }

    /// For each word, the number of documents that contain it.
    pub fn document_counts(&self) -> &Array1<f64> {
        &self.document_counts
    }

    /// Caches `image` = C·V for a later [`Self::apply_cached`]; later calls are ignored. V is
    /// identified by its first column, which no other block may share.
    pub fn cache_image(&self, v: ArrayView2<'_, f64>, image: &Array2<f64>) {
        self.kept.get_or_init(|| (v.column(0).to_owned(), image.clone()));
    }

    /// [`Self::apply`], answered from the cache where V is cached.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn apply_cached(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        match self.kept.get() {
            Some((first, image)) if image.dim() == v.dim() && first == v.column(0) => {
                Ok(image.clone())
            }
            _ => self.apply(v),
        }
    }

    /// C·V for V of W × b, in one pass: 4·b·nonzeros flops.
    ///
    /// Memory is seven W × b blocks with one thread, at most eleven with more. A column of the result depends neither on the
    /// number of threads nor on the other columns.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    ///
    /// # Panics
    /// When V does not have W rows.
    pub fn apply(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        assert_eq!(v.nrows(), self.words(), "V has a row for every word");
        if v.is_empty() {
            return Ok(v.to_owned());
        }
        let rule = CoOccurrenceRule { kept: self.totals.with_pairs as f64 };
        let mut product = streamed_product(&rule, self.documents, v)?;
        for ((mut row, input), d) in
            product.rows_mut().into_iter().zip(v.rows()).zip(&self.diagonal)
        {
            row.scaled_add(-d, &input);
        }
        Ok(product)
    }
}

/// The weight of a document of n tokens among M: 1/(n (n − 1) M), or 0 where it has no pair of them.
fn pair_weight(length: f64, kept: f64) -> f64 {
    if length > 1.0 { 1.0 / (length * (length - 1.0) * kept) } else { 0.0 }
}

/// The rule of Ĥ Ĥᵀ: a document's counts times themselves, scaled.
struct CoOccurrenceRule {
    kept: f64,
}

impl ProductRule for CoOccurrenceRule {
    type Scratch = ();

    fn add<const S: usize>(&self, batch: &Batch, _: &mut (), stripes: Stripes<'_, S>) {
        let terms = batch.documents().map(|(words, values, length)| {
            let side = Side { words, values };
            RankOne { from: side, to: side, scale: pair_weight(length, self.kept) }
        });
        stripes.output.add_products(terms, stripes.input, stripes.first);
    }
}

fn sum_lane(documents: &Documents<'_>, lane: Range<usize>) -> Result<LaneSums> {
    let mut totals = Totals::default();
    let [mut diagonal, mut row_sums, mut document_counts] =
        std::array::from_fn(|_| Array1::<f64>::zeros(documents.words()));
    documents.visit(lane, |batch: &Batch| {
        totals.add(batch);
        for (words, counts, length) in batch.documents() {
            let has_pairs = length > 1.0;
            for (&word, &count) in words.iter().zip(counts) {
                if has_pairs {
                    diagonal[word as usize] += count / (length * (length - 1.0));
                    row_sums[word as usize] += count / length;
                }
                document_counts[word as usize] += 1.0;
            }
        }
    })?;
    Ok((totals, [diagonal, row_sums, document_counts]))
}
