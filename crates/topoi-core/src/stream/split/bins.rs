//! Documents divided into random bins, each bin projected along random directions of its own.

use std::ops::Range;

use ndarray::Array2;

use super::halves::{Halves, Splitter};
use crate::random::{ShortStream, key};
use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;
use crate::stream::split::SplitCoOccurrence;

/// A division of the documents into bins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinDivision {
    bins: usize,
    /// For bins of equal size, the last draw of each bin but the last, ascending.
    ends: Option<Vec<u64>>,
}

impl BinDivision {
    /// A bin is drawn for each document, so bins have about the same size.
    pub fn drawn(bins: usize) -> Self {
        Self { bins, ends: None }
    }

    /// Documents are divided at random into bins whose sizes differ by at most one. One pass, and memory for a number
    /// a document.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub fn equal(documents: &Documents<'_>, bins: usize, seed: u64) -> Result<Self> {
        let key = bins_key(seed);
        let draws: Vec<Vec<u64>> = documents.by_lane(|lane| {
            let mut draws = Vec::new();
            documents.visit(lane, |batch| {
                let long =
                    batch.numbers.iter().zip(&batch.lengths).filter(|(_, length)| **length > 1.0);
                draws.extend(long.map(|(&number, _)| draw(&mut ShortStream::new(key, number))));
            })?;
            Ok(draws)
        })?;
        let own: Vec<u8> = draws.iter().flatten().flat_map(|draw| draw.to_le_bytes()).collect();
        let mut all: Vec<u64> = Vec::new();
        for part in documents.parts().share(own)? {
            all.extend(part.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        }
        all.sort_unstable();
        let end = |bin: usize| all.get((bin * all.len() / bins).checked_sub(1)?).copied();
        Ok(Self { bins, ends: Some((1..bins).map(|bin| end(bin).unwrap_or(0)).collect()) })
    }

    /// Number of bins.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// The bin of the document whose stream this is. Takes one number of it.
    fn bin(&self, random: &mut ShortStream) -> usize {
        match &self.ends {
            None => random.below(self.bins as u64) as usize,
            Some(ends) => {
                let draw = draw(random);
                ends.partition_point(|&end| end < draw)
            }
        }
    }
}

fn bins_key(seed: u64) -> u64 {
    key(seed, "bins of documents")
}

fn draw(random: &mut ShortStream) -> u64 {
    random.below(u64::MAX)
}

/// For each bin in `wanted` of a division, X̄⁽ʲ⁾_i·d⁽ʲ⁾ of each word: the word's row over the
/// bin's documents, normalised there, along a random direction. The result is W × |wanted|, with −∞
/// where the bin does not contain the word. One pass; memory for ten blocks of W × |wanted|.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 3, lines 3 to 6.
pub fn project_bins(
    split: &SplitCoOccurrence<'_>,
    wanted: Range<usize>,
    division: &BinDivision,
    seed: u64,
) -> Result<Array2<f64>> {
    let rule = Bins { splitter: split.splitter(), key: bins_key(seed), division, wanted };
    let shape = (split.words(), rule.wanted.len());
    let of_lane = |lane| {
        let mut sums = [Array2::zeros(shape), Array2::zeros(shape)];
        let mut halves = Halves::default();
        split.documents().visit(lane, |batch| rule.add(batch, &mut halves, &mut sums))?;
        Ok(sums)
    };
    let add = |sums: &mut [Array2<f64>; 2], more: [Array2<f64>; 2]| {
        sums.iter_mut().zip(&more).for_each(|(sum, more)| *sum += more);
    };
    let [mut projections, mut rows] = split.documents().sum_by_lane(of_lane, add)?;
    for sums in [&mut projections, &mut rows] {
        split.documents().add_up(sums.as_slice_mut().expect("contiguous"))?;
    }
    projections.zip_mut_with(&rows, |projection, &sum| {
        *projection = if sum > 0.0 { *projection / sum } else { f64::NEG_INFINITY };
    });
    Ok(projections)
}

struct Bins<'a> {
    splitter: Splitter,
    key: u64,
    division: &'a BinDivision,
    wanted: Range<usize>,
}

impl Bins<'_> {
    /// Adds X·d and X·e of the documents that fall into the wanted bins.
    fn add(&self, batch: &Batch, halves: &mut Halves, sums: &mut [Array2<f64>; 2]) {
        self.splitter.split(batch, halves);
        let [projections, rows] = sums;
        for (side, &number) in halves.first.documents().zip(&batch.numbers) {
            let mut random = ShortStream::new(self.key, number);
            let bin = self.division.bin(&mut random);
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
        let drawn = BinDivision::drawn(8);
        let all = project_bins(&split, 0..8, &drawn, 3).expect("in memory");
        let part = project_bins(&split, 5..8, &drawn, 3).expect("in memory");
        assert_eq!(all.slice(ndarray::s![.., 5..]), part);
        // A row's shares in a bin sum to 1, so its projection is a mean of normal numbers: 96 of
        // them, none beyond five deviations.
        assert!(all.iter().all(|value| value.abs() < 5.0));
        // One bin holds every document: the same word's projection is not that of eight.
        let one = project_bins(&split, 0..1, &BinDivision::drawn(1), 3).expect("in memory");
        assert!(one.iter().all(|value| value.is_finite() && value.abs() < 1.0));
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let again = pool.expect("threads").install(|| project_bins(&split, 0..8, &drawn, 3));
            assert_eq!(again.expect("in memory"), all);
        }
    }
    #[test]
    fn bins_of_equal_size_differ_by_one_document() {
        let (source, positions) = corpus(200, 12);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        for bins in [1, 7, 15] {
            let division = BinDivision::equal(&documents, bins, 3).expect("in memory");
            let (mut sizes, mut kept) = (vec![0; bins], 0);
            let blocks = 0..documents.block_sizes().len();
            let visited = documents.visit(blocks, |batch| {
                for &number in &batch.numbers {
                    sizes[division.bin(&mut ShortStream::new(bins_key(3), number))] += 1;
                    kept += 1;
                }
            });
            visited.expect("in memory");
            assert!(sizes.iter().all(|&size| size == kept / bins || size == kept / bins + 1));
            assert_eq!(sizes.iter().sum::<usize>(), kept);
        }
    }
}
