//! Selected rows of C, in one pass.

use std::ops::Range;

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use crate::stream::cooccurrence::{CoOccurrence, pair_weight};
use crate::stream::error::Result;

/// Marks a word whose row is not requested.
const NOT_REQUESTED: u32 = u32::MAX;
/// Words whose entries a thread copies at a time.
const WORDS_AT_ONCE: usize = 256;

/// The rows of C of the words `requested`, as the columns of a W × |requested| matrix.
///
/// Takes one pass. A document costs its words for each requested word that it contains, so rows of
/// rare words are cheap. Memory is five to nine times W·|requested| numbers. The entries are those of C times
/// unit vectors, to the bit, for any number of threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Panics
/// When a word is not below W.
pub fn rows_of_words(c: &CoOccurrence<'_>, requested: &[usize]) -> Result<Array2<f64>> {
    let mut words = requested.to_vec();
    words.sort_unstable();
    words.dedup();
    let mut place_of = vec![NOT_REQUESTED; c.words()];
    words.iter().zip(0..).for_each(|(&word, place)| place_of[word] = place);
    let of_lane = |lane| sum_lane(c, lane, &place_of, words.len());
    let sums = c.documents().sum_by_lane(of_lane, |sums, more| *sums += &more)?;
    let mut rows = Array2::zeros((c.words(), requested.len()));
    let chunks = rows.axis_chunks_iter_mut(Axis(0), WORDS_AT_ONCE).into_par_iter().enumerate();
    chunks.for_each(|(chunk, mut rows)| {
        for (mut row, other) in rows.rows_mut().into_iter().zip(chunk * WORDS_AT_ONCE..) {
            for (entry, &word) in row.iter_mut().zip(requested) {
                *entry = sums[(place_of[word] as usize, other)];
            }
        }
    });
    c.documents().add_up(rows.as_slice_mut().expect("contiguous"))?;
    for (at, &word) in requested.iter().enumerate() {
        rows[(word, at)] -= c.diagonal()[word];
    }
    Ok(rows)
}

fn sum_lane(
    c: &CoOccurrence<'_>,
    lane: Range<usize>,
    place_of: &[u32],
    count: usize,
) -> Result<Array2<f64>> {
    let kept = c.totals().with_pairs as f64;
    let mut sums = vec![0.0; count * c.words()];
    c.documents().visit(lane, |batch| {
        for (words, counts, length) in batch.documents() {
            let scale = pair_weight(length, kept);
            for (&word, &count) in words.iter().zip(counts) {
                let place = place_of[word as usize];
                if place == NOT_REQUESTED {
                    continue;
                }
                let weight = count * scale;
                let row = &mut sums[place as usize * c.words()..][..c.words()];
                for (&other, &count) in words.iter().zip(counts) {
                    row[other as usize] += count * weight;
                }
            }
        }
    })?;
    Ok(Array2::from_shape_vec((count, c.words()), sums).expect("a row for each"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use sprs::TriMat;

    #[test]
    fn rows_are_those_that_unit_vectors_show_to_the_bit() {
        let mut counts = TriMat::new((70, 30));
        for document in 0..70 {
            for word in 0..6 {
                let count = 1 + (document * word) % 4;
                counts.add_triplet(document, (document * 5 + word * word) % 30, count as u32);
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 9);
        let positions: Vec<u32> = (0..30).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let requested = [17, 3, 29, 3];
        let units = Array2::from_shape_fn((30, 4), |(word, at)| f64::from(word == requested[at]));
        let shown = c.apply(units.view()).expect("in memory");
        let found = rows_of_words(&c, &requested).expect("in memory");
        assert_eq!(found.mapv(f64::to_bits), shown.mapv(f64::to_bits));
    }
}
