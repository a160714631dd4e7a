//! Documents in random bins, each bin projected along random directions of its own.

use std::ops::Range;

use ndarray::Array2;

use super::halves::{Halves, Splitter};
use crate::random::{ShortStream, key};
use crate::stream::documents::Batch;
use crate::stream::error::Result;
use crate::stream::split::SplitCoOccurrence;

/// For each bin in `wanted`, of `bins` in all, X̄⁽ʲ⁾_i·d⁽ʲ⁾ of each word: the word's row over the
/// bin's documents, normalised there, along a random direction. The result is W × |wanted|, with −∞
/// where the bin does not contain the word. Bins are drawn for each document, so they have about
/// the same size. One pass; memory for ten blocks of W × |wanted|.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 3, lines 3 to 6.
pub fn project_bins(
    split: &SplitCoOccurrence<'_>,
    wanted: Range<usize>,
    bins: usize,
    seed: u64,
) -> Result<Array2<f64>> {
    let rule =
        Bins { splitter: split.splitter(), key: key(seed, "bins of documents"), bins, wanted };
    let shape = (split.words(), rule.wanted.len());
    let lanes: Vec<[Array2<f64>; 2]> = split.documents().by_lane(|lane| {
        let mut sums = [Array2::zeros(shape), Array2::zeros(shape)];
        let mut halves = Halves::default();
        split.documents().visit(lane, |batch| rule.add(batch, &mut halves, &mut sums))?;
        Ok(sums)
    })?;
    let [mut projections, mut rows] = [Array2::zeros(shape), Array2::zeros(shape)];
    for [lane_projections, lane_rows] in lanes {
        projections += &lane_projections;
        rows += &lane_rows;
    }
    for sums in [&mut projections, &mut rows] {
        split.documents().add_up(sums.as_slice_mut().expect("contiguous"))?;
    }
    projections.zip_mut_with(&rows, |projection, &sum| {
        *projection = if sum > 0.0 { *projection / sum } else { f64::NEG_INFINITY };
    });
    Ok(projections)
}

struct Bins {
    splitter: Splitter,
    key: u64,
    bins: usize,
    wanted: Range<usize>,
}

impl Bins {
    /// Adds X·d and X·e of the documents that fall into the wanted bins.
    fn add(&self, batch: &Batch, halves: &mut Halves, sums: &mut [Array2<f64>; 2]) {
        self.splitter.split(batch, halves);
        let [projections, rows] = sums;
        for (side, &id) in halves.first.documents().zip(&batch.ids) {
            let mut random = ShortStream::new(self.key, id as u64);
            let bin = random.below(self.bins as u64) as usize;
            if !self.wanted.contains(&bin) {
                continue;
            }
            let direction = random.standard_normal();
            for (&word, &share) in side.words.iter().zip(side.values) {
                let at = (word as usize, bin - self.wanted.start);
                projections[at] += share * direction;
                rows[at] += share;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_halves::{corpus, split};
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    #[test]
    fn bins_share_out_the_documents_and_can_be_asked_for_in_parts() {
        let (source, positions) = corpus(200, 12);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let split = split(&documents, 2);
        let all = project_bins(&split, 0..8, 8, 3).expect("in memory");
        let part = project_bins(&split, 5..8, 8, 3).expect("in memory");
        assert_eq!(all.slice(ndarray::s![.., 5..]), part);
        // A row's shares in a bin sum to 1, so its projection is a mean of normal numbers: 96 of
        // them, none beyond five deviations.
        assert!(all.iter().all(|value| value.abs() < 5.0));
        // One bin holds every document: the same word's projection is not that of eight.
        let one = project_bins(&split, 0..1, 1, 3).expect("in memory");
        assert!(one.iter().all(|value| value.is_finite() && value.abs() < 1.0));
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let again = pool.expect("threads").install(|| project_bins(&split, 0..8, 8, 3));
            assert_eq!(again.expect("in memory"), all);
        }
    }
}
