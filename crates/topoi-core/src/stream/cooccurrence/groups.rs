//! C between the words of small groups, in one pass.

use std::ops::Range;

use ndarray::Array2;

use crate::stream::cooccurrence::{CoOccurrence, pair_weight};
use crate::stream::error::Result;

/// (group, index in the group) of a word.
type Position = (usize, usize);

/// C restricted to each group: a symmetric g × g matrix, in the group's order, for a group of g
/// different words. Groups may share words.
///
/// Takes one pass. A document costs its words, plus the pairs of its words in each group. Memory is
/// five to nine times Σ g² numbers and a list for every word. Sums are made in lanes of documents, so the
/// result is the same to the bit for any number of threads.
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Panics
/// When a word of a group is not below W.
pub fn cooccurrence_of_groups(
    c: &CoOccurrence<'_>,
    groups: &[Vec<usize>],
) -> Result<Vec<Array2<f64>>> {
    let positions = PositionIndex::new(c.words(), groups);
    let add = |sums: &mut Vec<Array2<f64>>, more: Vec<Array2<f64>>| {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += &more);
    };
    let mut sums = c.documents().sum_by_lane(|lane| sum_lane(c, lane, &positions, groups), add)?;
    for sum in &mut sums {
        c.documents().add_up(sum.as_slice_mut().expect("contiguous"))?;
    }
    for (sum, group) in sums.iter_mut().zip(groups) {
        for (at, &word) in group.iter().enumerate() {
            sum[(at, at)] -= c.diagonal()[word];
        }
    }
    Ok(sums)
}

fn empty(groups: &[Vec<usize>]) -> Vec<Array2<f64>> {
    groups.iter().map(|group| Array2::zeros((group.len(), group.len()))).collect()
}

/// The positions of all words, stored one word after another. Most words have none, so that looking
/// one up must be cheap.
struct PositionIndex {
    /// W + 1 offsets into `positions`: where the positions of each word start.
    starts: Vec<u32>,
    positions: Vec<Position>,
}

impl PositionIndex {
    fn new(words: usize, groups: &[Vec<usize>]) -> Self {
        let members = groups.iter().enumerate().flat_map(|(group, members)| {
            members.iter().enumerate().map(move |(at, &word)| (word, (group, at)))
        });
        let mut all: Vec<(usize, Position)> = members.collect();
        all.sort_unstable();
        let mut starts = vec![0; words + 1];
        all.iter().for_each(|&(word, _)| starts[word + 1] += 1);
        (0..words).for_each(|word| starts[word + 1] += starts[word]);
        Self { starts, positions: all.into_iter().map(|(_, place)| place).collect() }
    }

    fn positions_of(&self, word: u32) -> &[Position] {
        let word = word as usize;
        &self.positions[self.starts[word] as usize..self.starts[word + 1] as usize]
    }
}

fn sum_lane(
    c: &CoOccurrence<'_>,
    lane: Range<usize>,
    positions: &PositionIndex,
    groups: &[Vec<usize>],
) -> Result<Vec<Array2<f64>>> {
    let kept = c.totals().with_pairs as f64;
    let mut sums = empty(groups);
    let mut present: Vec<Vec<(usize, f64)>> = vec![Vec::new(); groups.len()];
    let mut touched = Vec::new();
    c.documents().visit(lane, |batch| {
        for (words, counts, length) in batch.documents() {
            for (&word, &count) in words.iter().zip(counts) {
                for &(group, at) in positions.positions_of(word) {
                    if present[group].is_empty() {
                        touched.push(group);
                    }
                    present[group].push((at, count));
                }
            }
            let scale = pair_weight(length, kept);
            for group in touched.drain(..) {
                add_pairs(&mut sums[group], &present[group], scale);
                present[group].clear();
            }
        }
    })?;
    Ok(sums)
}

fn add_pairs(sum: &mut Array2<f64>, present: &[(usize, f64)], scale: f64) {
    for &(row, count) in present {
        for &(column, other) in present {
            sum[(row, column)] += count * other * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use rand::RngExt;
    use sprs::TriMat;

    #[test]
    fn groups_have_the_entries_of_the_formed_matrix_with_any_number_of_threads() {
        let mut rng = stream(5, "groups");
        let mut counts = TriMat::new((90, 14));
        for document in 0..90 {
            for word in 0..14 {
                if rng.random::<f64>() < 0.4 {
                    counts.add_triplet(document, word, rng.random_range(1..4u32));
                }
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 8);
        let positions: Vec<u32> = (0..14).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let formed = c.apply(Array2::eye(14).view()).expect("in memory");
        let groups = vec![vec![3, 1, 13], vec![0, 1, 2, 3, 4, 5, 6], vec![9], vec![]];
        let found = cooccurrence_of_groups(&c, &groups).expect("in memory");
        for (group, part) in groups.iter().zip(&found) {
            for (at, &word) in group.iter().enumerate() {
                for (beside, &other) in group.iter().enumerate() {
                    assert!((part[(at, beside)] - formed[(word, other)]).abs() < 1e-15);
                }
            }
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let again = pool.expect("threads").install(|| cooccurrence_of_groups(&c, &groups));
            assert_eq!(again.expect("in memory"), found);
        }
    }
}
