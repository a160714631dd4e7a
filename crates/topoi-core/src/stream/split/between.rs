//! The split co-occurrence of selected words, as a dense matrix.

use std::ops::Range;

use ndarray::Array2;
use rayon::prelude::*;

use super::halves::Halves;
use crate::stream::documents::lanes::sum_some_in_pairs;
use crate::stream::error::Result;
use crate::stream::panel::Side;
use crate::stream::split::SplitCoOccurrence;

/// Entries a thread holds at a time: 16 MB of f64.
const PANEL_ENTRIES: usize = 1 << 21;

/// ½(Ê + Êᵀ) between the g different words `among`, g × g in their order. Takes 8·g² bytes, 64 MB a
/// thread, and a pass over the corpus for every 2²¹/g rows. The result is the same to the bit for
/// any number of threads. Rows and columns of words that do not occur are zeros.
///
/// # Errors
/// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
///
/// # Panics
/// When a word is not below W.
pub fn cooccurrence_between(split: &SplitCoOccurrence<'_>, among: &[usize]) -> Result<Array2<f64>> {
    let size = among.len();
    let mut place = vec![u32::MAX; split.words()];
    among.iter().enumerate().for_each(|(at, &word)| place[word] = at as u32);
    let rows = (PANEL_ENTRIES / size.max(1)).clamp(1, size.max(1));
    let panels: Vec<Range<usize>> =
        (0..size).step_by(rows).map(|first| first..(first + rows).min(size)).collect();
    let mut sums = Array2::zeros((size, size));
    let numbers = sums.as_slice_mut().expect("in row order");
    let added = numbers
        .par_chunks_mut((rows * size).max(1))
        .zip(panels)
        .try_for_each(|(out, panel)| sum_rows(split, &place, panel, size, out));
    split.documents().agree(added)?;
    split.documents().add_up(numbers)?;
    let inverse = |at: usize| {
        let sum = split.sums()[among[at]];
        if sum > 0.0 { 1.0 / sum } else { 0.0 }
    };
    let scales: Vec<f64> = (0..size).map(inverse).collect();
    let half = split.kept() / 2.0;
    for i in 0..size {
        for j in 0..=i {
            let entry = (sums[(i, j)] + sums[(j, i)]) * half * scales[i] * scales[j];
            sums[(i, j)] = entry;
            sums[(j, i)] = entry;
        }
    }
    Ok(sums)
}

/// Sets `out` to rows `panel` of X′Xᵀ, summed over the lanes of this part.
fn sum_rows(
    split: &SplitCoOccurrence<'_>,
    place: &[u32],
    panel: Range<usize>,
    size: usize,
    out: &mut [f64],
) -> Result<()> {
    let mut added = Ok(());
    let of_lane = |lane: Range<usize>| {
        let mut sums = vec![0.0; if lane.is_empty() { 0 } else { out.len() }];
        if added.is_ok() {
            added = add_rows(split, (place, lane), panel.clone(), size, &mut sums);
        }
        (!sums.is_empty()).then_some(sums)
    };
    let sums = sum_some_in_pairs(
        split.documents().lanes().into_iter().map(of_lane),
        |sums: &mut Vec<f64>, more| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more),
    );
    added?;
    if let Some(sums) = sums {
        out.copy_from_slice(&sums);
    }
    Ok(())
}

/// Adds rows `panel` of X′Xᵀ over the documents of `lane` to `out`.
fn add_rows(
    split: &SplitCoOccurrence<'_>,
    (place, lane): (&[u32], Range<usize>),
    panel: Range<usize>,
    size: usize,
    out: &mut [f64],
) -> Result<()> {
    let mut halves = Halves::default();
    let mut columns: Vec<(usize, f64)> = Vec::new();
    split.documents().visit(lane, |batch| {
        split.splitter().split(batch, &mut halves);
        for (x, y) in halves.first.documents().zip(halves.second.documents()) {
            columns.clear();
            columns.extend(indexed(x, place));
            for (row, share) in indexed(y, place).filter(|(row, _)| panel.contains(row)) {
                let row = &mut out[(row - panel.start) * size..][..size];
                for &(column, other) in &columns {
                    row[column] += share * other;
                }
            }
        }
    })
}

/// The words of a half document that have an index in `place`, as (index, share).
fn indexed<'a>(side: Side<'a>, place: &'a [u32]) -> impl Iterator<Item = (usize, f64)> + 'a {
    let known =
        side.words.iter().zip(side.values).filter(|(word, _)| place[**word as usize] != u32::MAX);
    known.map(|(&word, &share)| (place[word as usize] as usize, share))
}

#[cfg(test)]
mod tests {
    use super::super::test_halves::{Dense, corpus, split};
    use super::*;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    #[test]
    fn some_words_have_the_entries_of_the_formed_matrix_with_any_number_of_threads() {
        let (source, positions) = corpus(50, 20);
        let documents = Documents::new(&source, &positions, 2, &Silent);
        let split = split(&documents, 2);
        let dense = Dense::new(&documents, 2).e;
        for among in [vec![3, 17, 0, 8], (0..20).collect(), vec![]] {
            let found = cooccurrence_between(&split, &among).expect("in memory");
            for (at, &i) in among.iter().enumerate() {
                for (beside, &j) in among.iter().enumerate() {
                    let expected = (dense[(i, j)] + dense[(j, i)]) / 2.0;
                    assert!((found[(at, beside)] - expected).abs() < 1e-10);
                }
            }
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let again = pool.expect("threads").install(|| cooccurrence_between(&split, &among));
                assert_eq!(again.expect("in memory"), found);
            }
        }
    }
}
