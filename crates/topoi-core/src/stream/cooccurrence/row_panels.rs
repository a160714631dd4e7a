//! Rows of C formed a panel at a time, upper triangle only.

use std::ops::Range;

use crate::stream::cooccurrence::CoOccurrence;
use crate::stream::documents::Batch;
use crate::stream::error::Result;

/// Entries of C a thread holds at a time, least and most: 16 and 64 MB of f64.
const PANEL_ENTRIES: [usize; 2] = [1 << 21, 1 << 23];
/// Enough panels to keep threads busy and their memory small; more would only cost passes.
const ENOUGH_PANELS: usize = 48;

/// Triples that are added to a panel together, 12 MB of them: the more there are, the more often a row of
/// C is still in the cache.
const TOGETHER: usize = 1 << 20;

/// Triples that are held at once, at most: 48 MB of them.
const HELD: usize = 4 * TOGETHER;

/// The rows of C cut into panels, at least a row each: 48 of them where that makes panels of 2²¹ to
/// 2²³ entries.
pub(super) fn panels(c: &CoOccurrence<'_>) -> Vec<Range<usize>> {
    let words = c.words();
    let [least, most] = PANEL_ENTRIES;
    let entries = (words * words / ENOUGH_PANELS).clamp(least, most);
    let rows = (entries / words.max(1)).clamp(1, words.max(1));
    (0..words).step_by(rows).map(|first| first..(first + rows).min(words)).collect()
}

/// All documents where they are few enough to be held at once, in about the memory that panels of two threads take.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub(super) fn held(c: &CoOccurrence<'_>) -> Result<Option<Batch>> {
    if c.totals().nonzeros as usize > HELD {
        return Ok(None);
    }
    let mut all = Batch::default();
    let blocks = c.documents().block_sizes().len();
    c.documents().visit(0..blocks, |batch| all.append(batch))?;
    Ok(Some(all))
}

/// Calls `visit` with the number and the entries of every row of `panel`, one after the other, as [`upper_rows`] has
/// them, but for the diagonal's d; the entries before the diagonal are 0.
pub(super) fn each_upper_row(
    c: &CoOccurrence<'_>,
    all: &Batch,
    panel: &Range<usize>,
    mut visit: impl FnMut(usize, &[f64]),
) {
    let (ends, places) = places_by_row(all, panel, c.totals().documents as f64);
    let mut row = vec![0.0; c.words()];
    let mut start = 0;
    for (i, &end) in panel.clone().zip(&ends) {
        add_places(all, &places[start..end], &mut row);
        row[i] -= c.diagonal()[i];
        visit(i, &row);
        row[i..].fill(0.0);
        start = end;
    }
}

/// Rows `panel` of Ĥ Ĥᵀ in row order, |panel| × W, of which the entries (i, j ≥ i) are set and the
/// others are undefined: sums over the documents of this part. One pass over them; an entry
/// is summed in document order.
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
pub(super) fn upper_rows(c: &CoOccurrence<'_>, panel: Range<usize>) -> Result<Vec<f64>> {
    let words = c.words();
    let mut entries = vec![0.0; panel.len() * words];
    let blocks = c.documents().block_sizes().len();
    let kept = c.totals().documents as f64;
    let mut gathered = Batch::default();
    c.documents().visit(0..blocks, |batch| {
        gathered.append(batch);
        if gathered.words.len() >= TOGETHER {
            add_upper_rows(&gathered, &panel, kept, words, &mut entries);
            gathered.clear();
        }
    })?;
    add_upper_rows(&gathered, &panel, kept, words, &mut entries);
    Ok(entries)
}

/// Subtracts the diagonal d, which turns rows of Ĥ Ĥᵀ into rows of C.
pub(super) fn subtract_diagonal(c: &CoOccurrence<'_>, panel: Range<usize>, entries: &mut [f64]) {
    for (row, i) in entries.chunks_exact_mut(c.words()).zip(panel) {
        row[i] -= c.diagonal()[i];
    }
}

/// An entry of a document that falls into a panel: its position, its document's end, and the
/// weight x_im / (n_m (n_m − 1) M).
#[derive(Clone, Copy, Default)]
struct Place {
    at: usize,
    end: usize,
    weight: f64,
}

/// Adds documents to a panel row by row, not document by document: a row of C stays in the
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
        add_places(batch, &places[start..end], row);
        start = end;
    }
}

/// Adds to a row of the panel the documents that have its word.
fn add_places(batch: &Batch, places: &[Place], row: &mut [f64]) {
    for place in places {
        let words = &batch.words[place.at..place.end];
        for (&word, &count) in words.iter().zip(&batch.counts[place.at..place.end]) {
            row[word as usize] += place.weight * count;
        }
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
