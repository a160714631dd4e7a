//! A pass over a corpus that multiplies a block of columns; a rule says what each document adds.

use std::ops::Range;

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::documents::{Batch, Documents};
use super::error::Result;
use super::panel::{Panel, STRIPE, concatenate};

/// Vocabulary size above which stripes are half as wide, so that those of V and of the product fit
/// into a cache of two megabytes. Columns do not depend on their neighbours, so this decides speed
/// alone.
const WIDE: usize = 8192;
/// Vocabulary size above which no stripe fits such a cache. Stripes are then wide, so that every
/// word fetched from memory brings more columns.
const BEYOND_CACHE: usize = 1 << 16;

/// The product that the documents of a batch add to.
pub(super) trait ProductRule: Sync {
    /// Arrays that are reused from batch to batch.
    type Scratch: Default + Send;

    /// Adds the batch's share of the product.
    fn add<const S: usize>(
        &self,
        batch: &Batch,
        scratch: &mut Self::Scratch,
        stripes: Stripes<'_, S>,
    );
}

/// The stripes of a product that one thread adds to.
pub(super) struct Stripes<'a, const S: usize> {
    /// All of V.
    pub input: &'a Panel<S>,
    /// The stripes of the product to add to.
    pub output: &'a mut Panel<S>,
    /// The number of the first stripe of `output`.
    pub first: usize,
}

/// The product of a W × W sum over documents with V (W × b), in one pass.
///
/// Memory is four W × b blocks for each thread, at most one for each lane, and two more. A column of the result depends
/// neither on the number of threads nor on the other columns.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub(super) fn streamed_product<R: ProductRule>(
    rule: &R,
    documents: &Documents<'_>,
    v: ArrayView2<'_, f64>,
) -> Result<Array2<f64>> {
    let pass = Pass { rule, documents };
    match v.ncols() {
        0 | 1 => pass.product::<1>(v),
        2 => pass.product::<2>(v),
        3 | 4 => pass.product::<4>(v),
        5..=8 => pass.product::<8>(v),
        9.. if v.nrows() > BEYOND_CACHE => pass.product::<32>(v),
        _ if v.nrows() > WIDE => pass.product::<8>(v),
        _ => pass.product::<STRIPE>(v),
    }
}

struct Pass<'a, R> {
    rule: &'a R,
    documents: &'a Documents<'a>,
}

impl<R: ProductRule> Pass<'_, R> {
    fn product<const S: usize>(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let input = Panel::<S>::pack(v);
        let stripes = input.stripes();
        // With more threads than lanes, the threads of a lane share its columns.
        let lanes = self.documents.lanes().into_iter().filter(|lane| !lane.is_empty()).count();
        let sharers = rayon::current_num_threads().div_ceil(lanes.max(1));
        let share = stripes.div_ceil(sharers.clamp(1, stripes.max(1))).max(1);
        let of_lane = |lane| self.lane(lane, &input, share).map(concatenate);
        let mut sum = self.documents.sum_by_lane(of_lane, |sum, more| sum.add(&more))?;
        self.documents.add_up(sum.numbers_mut())?;
        Ok(sum.unpack(v.ncols()))
    }

    /// A lane's product, in pieces of `share` stripes. Blocks are read and decoded once, whatever
    /// the number of threads.
    fn lane<const S: usize>(
        &self,
        lane: Range<usize>,
        input: &Panel<S>,
        share: usize,
    ) -> Result<Vec<Panel<S>>> {
        let (words, stripes) = (self.documents.words(), input.stripes());
        let begin = |first: usize| {
            let columns = share.min(stripes - first) * S;
            (first, Panel::<S>::zeros(words, columns), R::Scratch::default())
        };
        let mut shares: Vec<_> = (0..stripes).step_by(share).map(begin).collect();
        let add = |batch: &Batch, share: &mut (usize, Panel<S>, R::Scratch)| {
            let (first, output, scratch) = share;
            self.rule.add(batch, scratch, Stripes { input, output, first: *first });
        };
        self.documents.visit(lane, |batch| match &mut shares[..] {
            [whole] => add(batch, whole),
            shares => shares.par_iter_mut().for_each(|share| add(batch, share)),
        })?;
        Ok(shares.into_iter().map(|(_, output, _)| output).collect())
    }
}

#[cfg(test)]
mod tests {
    use sprs::TriMat;

    use super::*;
    use crate::progress::Silent;
    use crate::stream::cooccurrence::CoOccurrence;
    use crate::stream::memory::{CountingSource, MatrixSource};

    #[test]
    fn blocks_are_read_once_a_product_however_many_threads_share_the_columns() {
        let mut counts = TriMat::new((90, 40));
        for document in 0..90 {
            for word in 0..7 {
                let count = (document * word) % 5 + 1;
                counts.add_triplet(document, (document * 3 + word * word) % 40, count as u32);
            }
        }
        let source = CountingSource::new(MatrixSource::new(counts.to_csr(), 6));
        let positions: Vec<u32> = (0..40).collect();
        let v = Array2::from_shape_fn((40, 100), |(i, j)| ((i * 7 + j) % 11) as f64 / 3.0 - 1.0);
        let product = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            pool.install(|| {
                let documents = Documents::new(&source, &positions, 2, &Silent);
                let c = CoOccurrence::new(&documents).expect("in memory");
                let before = source.read();
                let product = c.apply(v.view()).expect("in memory");
                (product.mapv(f64::to_bits), source.read() - before)
            })
        };
        let (one, read) = product(1);
        assert_eq!(read, 15);
        for threads in [3, 16] {
            assert_eq!(product(threads), (one.clone(), 15), "{threads} threads");
        }
    }
}
