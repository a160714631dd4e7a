//! Rows of C formed a panel at a time, upper triangle only.

use std::ops::Range;

use crate::stream::cooccurrence::{CoOccurrence, pair_weight};
use crate::stream::documents::Batch;
use crate::stream::error::Result;

/// Least and most entries of C that a thread holds at a time: 16 and 64 MB of f64.
const PANEL_ENTRIES: [usize; 2] = [1 << 21, 1 << 23];
/// Number of panels that keeps threads busy and their memory small. More would only cost passes.
const MAX_PANELS: usize = 48;

/// Nonzeros that are added to a panel together (12 MB). With more, a row of C is in the cache more
/// often.
const NONZEROS_ADDED_TOGETHER: usize = 1 << 20;

/// Largest number of nonzeros held at once (48 MB).
const MAX_NONZEROS_HELD: usize = 4 * NONZEROS_ADDED_TOGETHER;

/// The rows of C cut into panels of at least one row: 48 of them where that makes panels of 2²¹ to
/// 2²³ entries.
pub(super) fn panels(c: &CoOccurrence<'_>) -> Vec<Range<usize>> {
    let words = c.words();
    let [least, most] = PANEL_ENTRIES;
    let entries = (words * words / MAX_PANELS).clamp(least, most);
    let rows = (entries / words.max(1)).clamp(1, words.max(1));
    (0..words).step_by(rows).map(|first| first..(first + rows).min(words)).collect()
}

/// All documents, where they have few enough nonzeros to be held at once; `None` otherwise. Takes
/// about the memory of the panels of two threads.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub(super) fn load_all(c: &CoOccurrence<'_>) -> Result<Option<Batch>> {
    if c.totals().nonzeros as usize > MAX_NONZEROS_HELD {
        return Ok(None);
    }
    let mut all = Batch::default();
    let blocks = c.documents().block_sizes().len();
    c.documents().visit(0..blocks, |batch| all.append(batch))?;
    Ok(Some(all))
}

/// Calls `visit` with the number and the entries of every row of `panel`, in order. Entries are
/// those of [`upper_rows`] with d subtracted on the diagonal; entries before the diagonal are 0.
pub(super) fn each_upper_row(
    c: &CoOccurrence<'_>,
    all: &Batch,
    panel: &Range<usize>,
    mut visit: impl FnMut(usize, &[f64]),
) {
    let (ends, places) = entries_by_row(all, panel, c.totals().with_pairs as f64);
    let mut row = vec![0.0; c.words()];
    let mut start = 0;
    for (i, &end) in panel.clone().zip(&ends) {
        add_entries(all, &places[start..end], &mut row);
        row[i] -= c.diagonal()[i];
        visit(i, &row);
        row[i..].fill(0.0);
        start = end;
    }
}

/// Rows `panel` of Ĥ Ĥᵀ in row order, |panel| × W, summed over the documents of this part. Only the
/// entries (i, j ≥ i) are set. One pass; an entry is summed in document order.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
pub(super) fn upper_rows(c: &CoOccurrence<'_>, panel: Range<usize>) -> Result<Vec<f64>> {
    let words = c.words();
    let mut entries = vec![0.0; panel.len() * words];
    let blocks = c.documents().block_sizes().len();
    let kept = c.totals().with_pairs as f64;
    let mut gathered = Batch::default();
    c.documents().visit(0..blocks, |batch| {
        gathered.append(batch);
        if gathered.words.len() >= NONZEROS_ADDED_TOGETHER {
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

/// A nonzero whose word is a row of the panel: its position in the batch, its document's end, and
/// the weight x_im / (n_m (n_m − 1) M).
#[derive(Clone, Copy, Default)]
struct PanelEntry {
    at: usize,
    end: usize,
    weight: f64,
}

/// Adds documents to a panel row by row, not document by document. A row of C stays in the fastest
/// cache while its documents are added, in their order.
fn add_upper_rows(
    batch: &Batch,
    panel: &Range<usize>,
    kept: f64,
    words_in_all: usize,
    entries: &mut [f64],
) {
    let (ends, places) = entries_by_row(batch, panel, kept);
    let mut start = 0;
    for (row, &end) in entries.chunks_exact_mut(words_in_all).zip(&ends) {
        add_entries(batch, &places[start..end], row);
        start = end;
    }
}

/// Adds the documents that contain the row's word to the row.
fn add_entries(batch: &Batch, places: &[PanelEntry], row: &mut [f64]) {
    for place in places {
        let words = &batch.words[place.at..place.end];
        for (&word, &count) in words.iter().zip(&batch.counts[place.at..place.end]) {
            row[word as usize] += place.weight * count;
        }
    }
}

/// The batch's nonzeros in the panel, sorted by row with a stable counting sort.
fn entries_by_row(batch: &Batch, panel: &Range<usize>, kept: f64) -> (Vec<usize>, Vec<PanelEntry>) {
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
    let mut places = vec![PanelEntry::default(); next[panel.len()]];
    let mut start = 0;
    for ((words, counts, length), &end) in batch.documents().zip(&batch.ends) {
        let first = words.partition_point(|&word| (word as usize) < panel.start);
        let last = words.partition_point(|&word| (word as usize) < panel.end);
        let scale = pair_weight(length, kept);
        for at in first..last {
            let row = row_of(words[at]);
            let weight = counts[at] * scale;
            places[next[row]] = PanelEntry { at: start + at, end: end as usize, weight };
            next[row] += 1;
        }
        start = end as usize;
    }
    (ends, places)
}
