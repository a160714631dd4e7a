//! Rows of Ê projected along random directions, from sums over documents that can be kept and added to.

use std::ops::Range;

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::kept_sums::{EarlierSums, KeptSums};
use super::solid_angles::Directions;
use crate::random::{standard_normal, stream};
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::split::{SplitCoOccurrence, SplitSums, half_products};

/// Projections of the rows of Ê along random directions.
///
/// Ê·V = M·D⁻¹·(X′ Xᵀ·U) with D = diag(ρ) and U = D⁻¹·V. The sums X′ Xᵀ·U add up over documents as
/// long as U stays as it is, so that sums of an earlier run need the documents only that came after
/// it. U is then D₀⁻¹·V₀ with the earlier run's ρ and directions, and V = D·U.
///
/// A direction's component for word j is normal: G_j as printed, or by default G_j·√p_j, isotropic for the rows of Ê·diag(√p). The
/// map between the two is linear and invertible, so the extreme points are the same (lemma 6), but the
/// noise of Ê_ij, which goes with one over p_i·p_j, is then the same in every column, where the
/// columns of rare words would drown the others. With earlier sums it is G_j·p_j/√p⁰_j, up to a
/// common factor: p⁰ are the shares that words had then. Nothing else is approximate; a word that had
/// no share then has no component in the directions.
///
/// # Source
/// Ding et al. 2015, algorithm 2, lines 2 to 4; §IV-C for documents that come later.
pub(in crate::model::separable) struct Projections<'a> {
    split: &'a SplitCoOccurrence<'a>,
    added: Documents<'a>,
    kept: &'a dyn KeptSums,
    scale: &'a SplitSums,
    drawn: Directions,
    seed: u64,
}

impl<'a> Projections<'a> {
    /// Projections of `split`, which is over all documents.
    ///
    /// # Errors
    /// When sums cannot be kept.
    pub(in crate::model::separable) fn new(
        split: &'a SplitCoOccurrence<'a>,
        kept: &'a dyn KeptSums,
        drawn: Directions,
        seed: u64,
    ) -> Result<Self, StreamError> {
        let earlier = kept.earlier();
        let scale = earlier.map_or(split.split_sums(), |earlier| &earlier.scale);
        kept.begin(split.split_sums(), scale)?;
        Ok(Self { split, added: added(split.documents(), earlier), kept, scale, drawn, seed })
    }

    /// Ê·V for the directions numbered `which`, W × their number: one pass over the documents that the
    /// earlier sums do not have. 4·b·(nonzeros of a half) flops for b directions.
    ///
    /// # Errors
    /// When the corpus or the earlier sums cannot be read, sums cannot be kept, or on cancel.
    pub(in crate::model::separable) fn along(
        &self,
        which: Range<usize>,
    ) -> Result<Array2<f64>, StreamError> {
        let isotropic = isotropic(self.split.words(), which.clone(), self.seed);
        let directions = match self.drawn {
            Directions::Isotropic => isotropic,
            Directions::Scaled => {
                isotropic * &self.scale.shares().mapv(f64::sqrt).insert_axis(Axis(1))
            }
        };
        let u = self.scale.divided(directions.view());
        let mut sums = half_products(&self.added, self.split.splitter(), u.view())?;
        let first = which.start;
        if self.kept.earlier().is_some() {
            sums += &self.kept.load(which)?;
        }
        self.kept.save(first, sums.view())?;
        Ok(self.split.projected(sums.view()))
    }
}

/// The documents that `earlier` sums do not have.
pub(in crate::model::separable) fn added<'a>(
    documents: &Documents<'a>,
    earlier: Option<&EarlierSums>,
) -> Documents<'a> {
    documents.after(earlier.map_or(i64::MIN, |earlier| earlier.last_document))
}

/// Standard normal directions (W × b), each from a stream of its own.
fn isotropic(words: usize, which: Range<usize>, seed: u64) -> Array2<f64> {
    let columns: Vec<Vec<f64>> = which
        .into_par_iter()
        .map(|direction| {
            let mut rng = stream(seed, &format!("direction {direction}"));
            (0..words).map(|_| standard_normal(&mut rng)).collect()
        })
        .collect();
    Array2::from_shape_fn((words, columns.len()), |(word, column)| columns[column][word])
}
