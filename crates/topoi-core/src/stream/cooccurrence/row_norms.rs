//! Exact norms of the rows of C, formed one panel of rows at a time.

use std::ops::Range;

use ndarray::Array1;
use rayon::prelude::*;

use super::row_panels::{each_upper_row, load_all, panels, subtract_diagonal, upper_rows};
use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Batch;
use crate::stream::error::Result;

/// Panels that every part of a divided corpus forms at a time. Fixed, because all parts must agree,
/// whatever their numbers of threads.
const PANELS_OF_PARTS: usize = 4;

/// Approximate number of additions of [`squared_row_norms`]: pairs of words within documents
/// (estimated from tokens), passes, and rows.
pub fn exact_norms_cost(c: &CoOccurrence<'_>) -> f64 {
    let (totals, words) = (c.totals(), c.words() as f64);
    let passes = 2.0 * panels(c).len() as f64 * totals.nonzeros as f64;
    0.2 * totals.squared_lengths as f64 + passes + words * words
}

/// ‖C_i‖² for every row i of C.
///
/// C is formed and dropped row by row, upper triangle only: half of Σ_m (words of m)² additions. A
/// corpus of at most four million nonzeros is read once and kept in memory (48 MB). Larger ones are
/// read once for every panel of rows: W²/2²¹ panels up to W = 10,000, 48 up to W = 20,000, then
/// W²/2²³, with 16 to 64 MB a thread. An entry is summed in document order, so the result is the
/// same to the bit either way and for any number of threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub fn squared_row_norms(c: &CoOccurrence<'_>) -> Result<Array1<f64>> {
    match c.documents().parts().count() {
        1 => load_all(c)?.map_or_else(|| in_panels(c), |all| Ok(row_by_row(c, &all))),
        _ => in_panels(c),
    }
}

/// Norms from all documents, held in memory.
fn row_by_row(c: &CoOccurrence<'_>, all: &Batch) -> Array1<f64> {
    let of_panel = |panel: &Range<usize>| {
        let mut share = Array1::zeros(c.words());
        each_upper_row(c, all, panel, |i, row| add_row_norms(i, row, &mut share));
        share
    };
    let shares: Vec<Array1<f64>> = panels(c).par_iter().map(of_panel).collect();
    shares.iter().fold(Array1::zeros(c.words()), |norms, share| norms + share)
}

/// Norms from documents that are read again for every panel.
fn in_panels(c: &CoOccurrence<'_>) -> Result<Array1<f64>> {
    let mut norms = Array1::zeros(c.words());
    for together in panels(c).chunks(panels_at_once(c)) {
        let formed: Result<Vec<Vec<f64>>> =
            together.par_iter().map(|panel| upper_rows(c, panel.clone())).collect();
        for (panel, mut entries) in together.iter().zip(c.documents().agree(formed)?) {
            add_up_upper(c, panel.clone(), &mut entries)?;
            subtract_diagonal(c, panel.clone(), &mut entries);
            add_panel_norms(panel.clone(), &entries, &mut norms);
        }
    }
    Ok(norms)
}

/// Panels formed at a time: one for each thread, or a fixed number on corpora in parts.
fn panels_at_once(c: &CoOccurrence<'_>) -> usize {
    match c.documents().parts().count() {
        1 => rayon::current_num_threads(),
        _ => PANELS_OF_PARTS,
    }
}

/// Replaces rows `panel` by their sums over the parts. Only the upper triangle is sent.
fn add_up_upper(c: &CoOccurrence<'_>, panel: Range<usize>, entries: &mut [f64]) -> Result<()> {
    if c.documents().parts().count() == 1 {
        return Ok(());
    }
    let rows = || entries.chunks_exact(c.words()).zip(panel.clone());
    let mut upper: Vec<f64> = rows().flat_map(|(row, i)| &row[i..]).copied().collect();
    c.documents().add_up(&mut upper)?;
    let mut rest = &upper[..];
    for (row, i) in entries.chunks_exact_mut(c.words()).zip(panel) {
        let (sums, after) = rest.split_at(row.len() - i);
        row[i..].copy_from_slice(sums);
        rest = after;
    }
    Ok(())
}

/// Adds the squares of rows `panel` of the upper triangle to the squared norms.
fn add_panel_norms(panel: Range<usize>, entries: &[f64], norms: &mut Array1<f64>) {
    let mut share = Array1::<f64>::zeros(norms.len());
    for (row, i) in entries.chunks_exact(norms.len()).zip(panel) {
        add_row_norms(i, row, &mut share);
    }
    *norms += &share;
}

/// Adds the squares of row i of the upper triangle. Entry (i, j) counts for row i and, by symmetry,
/// for row j.
fn add_row_norms(i: usize, row: &[f64], norms: &mut Array1<f64>) {
    let own: f64 = row[i..].iter().map(|x| x * x).sum();
    norms[i] += own;
    for (norm, x) in norms.iter_mut().skip(i + 1).zip(&row[i + 1..]) {
        *norm += x * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::random::stream;
    use crate::stream::documents::Documents;
    use crate::stream::memory::MatrixSource;
    use ndarray::Array2;
    use rand::RngExt;
    use sprs::TriMat;

    #[test]
    fn row_by_row_and_in_panels_the_norms_are_those_of_the_definition_with_the_same_bits() {
        // Words of three panels, some in no document.
        const WORDS: usize = 2100;
        let mut rng = stream(5, "row norms");
        let mut counts = TriMat::new((300, WORDS));
        for document in 0..300 {
            for _ in 0..rng.random_range(2..60) {
                counts.add_triplet(document, rng.random_range(0..WORDS), rng.random_range(1..4u32));
            }
        }
        let counts = counts.to_csr::<usize>();
        let mut c = Array2::<f64>::zeros((WORDS, WORDS));
        for row in counts.outer_iterator() {
            let entries: Vec<(usize, f64)> =
                row.iter().map(|(word, &count)| (word, f64::from(count))).collect();
            let n: f64 = entries.iter().map(|entry| entry.1).sum();
            for &(i, x) in &entries {
                for &(j, y) in &entries {
                    let pairs = if i == j { x * (x - 1.0) } else { x * y };
                    c[(i, j)] += pairs / (n * (n - 1.0) * 300.0);
                }
            }
        }
        let source = MatrixSource::new(counts, 40);
        let positions: Vec<u32> = (0..WORDS as u32).collect();
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let of_source = CoOccurrence::new(&documents).expect("in memory");
        assert_eq!(panels(&of_source).len(), 3);
        let all = load_all(&of_source).expect("in memory").expect("few");
        let found = row_by_row(&of_source, &all);
        assert_eq!(found, in_panels(&of_source).expect("in memory"));
        let most = found.iter().fold(0.0, |most: f64, &norm| most.max(norm));
        for (row, norm) in c.rows().into_iter().zip(&found) {
            assert!((row.dot(&row) - norm).abs() < 1e-13 * most);
        }
    }
}
