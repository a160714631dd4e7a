//! Exact norms of the rows of C, a panel of rows at a time.

use std::ops::Range;

use ndarray::Array1;
use rayon::prelude::*;

use super::cooccurrence::CoOccurrence;
use super::documents::Batch;
use super::error::Result;

/// Entries of C a thread holds at a time: 16 MB of f64.
const PANEL_ENTRIES: usize = 1 << 21;

/// ‖C_i‖² for every row i of C.
///
/// C is formed and forgotten in panels of rows, upper triangle only: half of Σ_m (words of m)²
/// additions, a pass over the corpus for every 2²¹/W rows, 16 MB a thread. The sums of an entry
/// are made in document order, so the result is the same to the bit for any number of threads.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub fn squared_row_norms(c: &CoOccurrence<'_>) -> Result<Array1<f64>> {
    let words = c.words();
    let rows = (PANEL_ENTRIES / words.max(1)).clamp(1, words.max(1));
    let panels: Vec<Range<usize>> =
        (0..words).step_by(rows).map(|first| first..(first + rows).min(words)).collect();
    let shares: Vec<Vec<f64>> =
        panels.into_par_iter().map(|panel| panel_norms(c, panel)).collect::<Result<_>>()?;
    let mut norms = Array1::zeros(words);
    for share in shares {
        norms += &Array1::from(share);
    }
    Ok(norms)
}

/// What rows `panel` of the upper triangle add to the squared norm of every row: entry (i, j)
/// counts for row i and, by symmetry, for row j.
fn panel_norms(c: &CoOccurrence<'_>, panel: Range<usize>) -> Result<Vec<f64>> {
    let words = c.words();
    let mut entries = vec![0.0; panel.len() * words];
    let blocks = c.documents().block_sizes().len();
    let kept = c.totals().documents as f64;
    c.documents()
        .visit(0..blocks, |batch| add_upper_rows(batch, &panel, kept, words, &mut entries))?;
    let mut norms = vec![0.0; words];
    for (row, i) in entries.chunks_exact_mut(words).zip(panel) {
        row[i] -= c.diagonal()[i];
        let own: f64 = row[i..].iter().map(|x| x * x).sum();
        norms[i] += own;
        for (norm, x) in norms[i + 1..].iter_mut().zip(&row[i + 1..]) {
            *norm += x * x;
        }
    }
    Ok(norms)
}

/// An entry of a document that falls into a panel: where it stands, its document's end, and the
/// weight x_im / (n_m (n_m − 1) M).
#[derive(Clone, Copy, Default)]
struct Place {
    at: usize,
    end: usize,
    weight: f64,
}

/// Adds a batch to a panel row by row, not document by document: a row of C stays in the
/// fastest cache while the documents that touch it come by, in their order.
fn add_upper_rows(
    batch: &Batch,
    panel: &Range<usize>,
    kept: f64,
    words_in_all: usize,
    entries: &mut [f64],
) {
    let (ends, places) = places_by_row(batch, panel, kept);
    let mut start = 0;
    for (row, &end) in entries.chunks_exact_mut(words_in_all).zip(&ends) {
        for place in &places[start..end] {
            let words = &batch.words[place.at..place.end];
            for (&word, &count) in words.iter().zip(&batch.counts[place.at..place.end]) {
                row[word as usize] += place.weight * count;
            }
        }
        start = end;
    }
}

/// The batch's entries in the panel sorted by row, stable: a counting sort.
fn places_by_row(batch: &Batch, panel: &Range<usize>, kept: f64) -> (Vec<usize>, Vec<Place>) {
    let in_panel = |word: u32| panel.contains(&(word as usize));
    let row_of = |word: u32| word as usize - panel.start;
    let mut next = vec![0; panel.len() + 1];
    for &word in batch.words.iter().filter(|&&word| in_panel(word)) {
        next[row_of(word) + 1] += 1;
    }
    for row in 0..panel.len() {
        next[row + 1] += next[row];
    }
    let ends = next[1..].to_vec();
    let mut places = vec![Place::default(); next[panel.len()]];
    let mut start = 0;
    for ((words, counts, length), &end) in batch.documents().zip(&batch.ends) {
        let first = words.partition_point(|&word| (word as usize) < panel.start);
        let last = words.partition_point(|&word| (word as usize) < panel.end);
        let scale = 1.0 / (length * (length - 1.0) * kept);
        for at in first..last {
            let row = row_of(words[at]);
            let weight = counts[at] * scale;
            places[next[row]] = Place { at: start + at, end: end as usize, weight };
            next[row] += 1;
        }
        start = end as usize;
    }
    (ends, places)
}
