//! A pass over a corpus that multiplies a block of columns, whatever a document adds to it.

use std::ops::Range;

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::documents::{Batch, Documents};
use super::error::Result;
use super::panel::{Panel, STRIPE, concatenate};

/// From so many words on stripes are half as wide: those of V and of the product together should
/// stay within a cache of two megabytes. No column depends on its neighbours, so this decides
/// speed alone.
const WIDE: usize = 8192;
/// From so many words on nothing would stay in such a cache: then stripes are wide, so that every
/// word that is fetched from memory brings more columns.
const BEYOND_CACHE: usize = 1 << 16;

/// What the documents of a batch add to a product with V.
pub(super) trait ProductRule: Sync {
    /// Arrays that are reused from batch to batch.
    type Scratch: Default;

    /// Adds the batch's share of the product.
    fn add<const S: usize>(
        &self,
        batch: &Batch,
        scratch: &mut Self::Scratch,
        stripes: Stripes<'_, S>,
    );
}

/// Which part of a product is to be added to.
pub(super) struct Stripes<'a, const S: usize> {
    /// All of V.
    pub input: &'a Panel<S>,
    /// The part's columns of the product.
    pub output: &'a mut Panel<S>,
    /// The stripe of V with which the part begins.
    pub first: usize,
}

/// The product of a W × W sum over documents with V (W × b), in one pass.
///
/// Memory: W × b blocks, one for each lane and two more. The result does not depend on the number
/// of threads, nor does any column on the others.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub(super) fn streamed_product<R: ProductRule>(
    rule: &R,
    documents: &Documents<'_>,
    lanes: &[Range<usize>],
    v: ArrayView2<'_, f64>,
) -> Result<Array2<f64>> {
    let pass = Pass { rule, documents, lanes };
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
    lanes: &'a [Range<usize>],
}

impl<R: ProductRule> Pass<'_, R> {
    fn product<const S: usize>(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let input = Panel::<S>::pack(v);
        let stripes = input.stripes();
        // With more threads than lanes, the threads of a lane share its columns.
        let sharers = rayon::current_num_threads().div_ceil(self.lanes.len().max(1));
        let share = stripes.div_ceil(sharers.clamp(1, stripes.max(1))).max(1);
        let shares: Vec<usize> = (0..stripes).step_by(share).collect();
        let tasks: Vec<(usize, usize)> = (0..self.lanes.len())
            .flat_map(|lane| shares.iter().map(move |&first| (lane, first)))
            .collect();
        let shares_of_lanes: Result<Vec<Panel<S>>> = tasks
            .par_iter()
            .map(|&(lane, first)| self.lane(lane, &input, first..(first + share).min(stripes)))
            .collect();
        let mut by_lane = self.documents.agree(shares_of_lanes)?.into_iter();
        let mut sum = Panel::<S>::zeros(v.nrows(), v.ncols());
        for _ in 0..self.lanes.len() {
            sum.add(&concatenate(by_lane.by_ref().take(shares.len()).collect()));
        }
        self.documents.add_up(sum.numbers_mut())?;
        Ok(sum.unpack(v.ncols()))
    }

    fn lane<const S: usize>(
        &self,
        lane: usize,
        input: &Panel<S>,
        stripes: Range<usize>,
    ) -> Result<Panel<S>> {
        let mut output = Panel::<S>::zeros(self.documents.words(), stripes.len() * S);
        let mut scratch = R::Scratch::default();
        self.documents.visit(self.lanes[lane].clone(), |batch| {
            let stripes = Stripes { input, output: &mut output, first: stripes.start };
            self.rule.add(batch, &mut scratch, stripes);
        })?;
        Ok(output)
    }
}
