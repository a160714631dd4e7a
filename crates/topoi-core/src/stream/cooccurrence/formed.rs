//! C as a dense matrix in memory, for models that are defined on it.

use ndarray::Array2;
use rayon::prelude::*;

use super::row_panels::{panels, subtract_diagonal, upper_rows};
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::error::Result;

/// Rows of the lower triangle that are mirrored at a time. A tile of both triangles fits into the
/// cache.
const TILE: usize = 64;

/// C as a dense matrix, W × W, symmetric, with entries that sum to 1. Takes 8·W² bytes and 16 MB a
/// thread.
///
/// Costs half of Σ_m (words of m)² additions and a pass over the corpus for every panel of rows.
/// The result is the same to the bit for any number of threads.
///
/// # Errors
/// `StreamError::NeedsWhole` when the corpus is in parts; `Source` when a block cannot be read;
/// `Cancelled`.
///
/// # Source
/// Lee et al. 2021, equation 1.
pub fn formed_cooccurrence(c: &CoOccurrence<'_>) -> Result<Array2<f64>> {
    c.documents().require_whole()?;
    let words = c.words();
    let mut formed = Array2::zeros((words, words));
    let panels = panels(c);
    let rows = panels.first().map_or(1, ExactSizeIterator::len);
    formed
        .as_slice_mut()
        .expect("in row order")
        .par_chunks_mut((rows * words).max(1))
        .zip(panels)
        .try_for_each(|(out, panel)| {
            out.copy_from_slice(&upper_rows(c, panel.clone())?);
            subtract_diagonal(c, panel, out);
            Ok::<(), crate::stream::error::StreamError>(())
        })?;
    mirror(&mut formed);
    Ok(formed)
}

/// Copies the upper triangle into the lower one, tile by tile.
fn mirror(c: &mut Array2<f64>) {
    let words = c.nrows();
    for first in (0..words).step_by(TILE) {
        let last = (first + TILE).min(words);
        for start in (0..last).step_by(TILE) {
            for i in first..last {
                for j in start..(start + TILE).min(i) {
                    c[(i, j)] = c[(j, i)];
                }
            }
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
    fn the_formed_matrix_is_what_the_operator_makes_of_the_identity() {
        let mut rng = stream(3, "formed");
        let mut counts = TriMat::new((80, 150));
        for document in 0..80 {
            for word in 0..150 {
                if rng.random::<f64>() < 0.2 {
                    counts.add_triplet(document, word, rng.random_range(1..5u32));
                }
            }
        }
        let source = MatrixSource::new(counts.to_csr(), 9);
        let positions: Vec<u32> = (0..150).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let c = CoOccurrence::new(&documents).expect("in memory");
        let expected = c.apply(Array2::eye(150).view()).expect("in memory");
        let formed = formed_cooccurrence(&c).expect("in memory");
        for (a, b) in formed.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-17, "{a} {b}");
        }
        assert_eq!(formed, formed.t());
    }

    #[test]
    fn a_document_of_one_token_changes_nothing_but_the_numbers_of_documents() {
        let mut rng = stream(4, "formed with single tokens");
        let (mut long, mut all) = (TriMat::new((60, 40)), TriMat::new((90, 40)));
        for document in 0..90 {
            if document % 3 == 2 {
                all.add_triplet(document, rng.random_range(0..40), 1);
                continue;
            }
            for word in 0..40 {
                // Every document has its first word twice.
                let count = if word == document % 40 { 2 } else { rng.random_range(0..3u32) };
                if count > 0 {
                    all.add_triplet(document, word, count);
                    long.add_triplet(document / 3 * 2 + document % 3, word, count);
                }
            }
        }
        let positions: Vec<u32> = (0..40).collect();
        let of = |counts: &TriMat<u32>, least: u64| {
            let source = MatrixSource::new(counts.to_csr(), 9);
            let documents = Documents::new(&source, &positions, least, &Silent);
            let c = CoOccurrence::new(&documents).expect("in memory");
            let rows =
                crate::stream::cooccurrence::rows::rows_of_words(&c, &[3, 7]).expect("in memory");
            (c.totals(), formed_cooccurrence(&c).expect("in memory"), rows)
        };
        let (with, without) = (of(&all, 1), of(&long, 2));
        assert_eq!((with.0.documents, with.0.with_pairs), (90, 60));
        assert_eq!((without.0.documents, without.0.with_pairs), (60, 60));
        for (one, other) in with.1.iter().zip(&without.1).chain(with.2.iter().zip(&without.2)) {
            assert!((one - other).abs() < 1e-15, "{one} {other}");
        }
        // Left out, they are not even counted.
        assert_eq!(of(&all, 2).0.documents, 60);
    }
}
