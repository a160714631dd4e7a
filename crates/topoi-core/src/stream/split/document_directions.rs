//! Words projected along random directions in the space of documents.

use ndarray::{Array2, ArrayView2};

use super::halves::{Halves, Splitter};
use crate::random::{ShortStream, key};
use crate::stream::documents::Batch;
use crate::stream::error::Result;
use crate::stream::product::{ProductRule, Stripes, streamed_product};
use crate::stream::split::SplitCoOccurrence;

/// X̄·D, W × b: every word's row of the first half, projected along b random directions in the
/// space of documents (D is M × b, standard normal). `block` numbers the blocks of b directions of
/// a seed. One pass: 2·b·(nonzeros of a half) flops and M·b normal draws, which are not kept.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 2, lines 5 and 6.
pub fn project_on_documents(
    split: &SplitCoOccurrence<'_>,
    columns: usize,
    block: usize,
    seed: u64,
) -> Result<Array2<f64>> {
    let key = key(seed, &format!("directions over documents, block {block}"));
    let rule = DocumentDirectionsRule { splitter: split.splitter(), key };
    // Only the number of columns of V is used.
    let shape = Array2::zeros((split.words(), columns));
    let mut product = streamed_product(&rule, split.documents(), ArrayView2::from(&shape))?;
    for (mut row, &sum) in product.rows_mut().into_iter().zip(split.sums()) {
        row /= if sum > 0.0 { sum } else { 1.0 };
    }
    Ok(product)
}

struct DocumentDirectionsRule {
    splitter: Splitter,
    key: u64,
}

impl ProductRule for DocumentDirectionsRule {
    type Scratch = Halves;

    fn add<const S: usize>(&self, batch: &Batch, halves: &mut Halves, stripes: Stripes<'_, S>) {
        self.splitter.split(batch, halves);
        stripes.output.add_outer(halves.first.documents(), stripes.first, |place, stripe| {
            // A document's numbers in a stripe depend on the document and the stripe, not on the
            // pass.
            let number = batch.numbers[place];
            let mut random = ShortStream::new(self.key ^ (stripe as u64) << 48, number);
            std::array::from_fn(|_| random.standard_normal())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_halves::{Dense, corpus, split};
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    #[test]
    fn projections_are_products_with_one_matrix_of_normal_numbers() {
        let (source, positions) = corpus(40, 90);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let split = split(&documents, 2);
        let dense = Dense::new(&documents, 2);
        let found = project_on_documents(&split, 20, 0, 3).expect("in memory");
        // Ninety words over forty documents: their rows determine the directions, by least
        // squares, and these the projections of all words.
        let mut x = dense.x.clone();
        for (mut row, &sum) in x.rows_mut().into_iter().zip(&dense.sums) {
            row /= sum;
        }
        let r = crate::linalg::dense::upper_inverse(
            &crate::linalg::dense::cholesky(&x.t().dot(&x)).expect("independent"),
        );
        let directions = r.dot(&r.t()).dot(&x.t().dot(&found));
        assert!((x.dot(&directions) - &found).iter().all(|miss| miss.abs() < 1e-8));
        // 800 numbers of mean 0 ± 0.035 and variance 1 ± 0.05; bounds at five deviations.
        let mean = directions.sum() / 800.0;
        let square = directions.iter().map(|d| d * d).sum::<f64>() / 800.0;
        assert!(mean.abs() < 0.18 && (square - 1.0).abs() < 0.25, "{mean} {square}");
        assert_ne!(found, project_on_documents(&split, 20, 1, 3).expect("in memory"));
        for threads in [1, 9] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let again = pool.expect("threads").install(|| project_on_documents(&split, 20, 0, 3));
            assert_eq!(again.expect("in memory"), found);
        }
    }
}
