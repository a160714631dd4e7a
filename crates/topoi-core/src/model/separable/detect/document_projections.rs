//! RP in document space: words at either end of random directions.

use ndarray::Array2;

use crate::model::separable::detect::Candidates;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::split::SplitCoOccurrence;
use crate::stream::split::document_directions::project_on_documents;

/// Directions that are projected on in one pass over the corpus.
const BLOCK: usize = 256;

/// The words that have the largest or the smallest projection along some of `projections` random
/// directions, by the share of the ends they hold. Stage "project".
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 2; line 6 prints arg max twice, the second is arg min (§4.1: "the
/// maximum and minimum").
pub(in crate::model::separable) fn novel_words(
    split: &SplitCoOccurrence<'_>,
    projections: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Candidates, StreamError> {
    progress.begin("project", projections as u64, "");
    let mut ends = vec![0.0; split.words()];
    for (block, first) in (0..projections).step_by(BLOCK).enumerate() {
        let columns = BLOCK.min(projections - first);
        let projected = project_on_documents(split, columns, block, seed)?;
        count_ends(&projected, |word| split.sums()[word] > 0.0, &mut ends);
        progress.step((first + columns) as u64, None);
    }
    let count = (2 * projections).max(1) as f64;
    ends.iter_mut().for_each(|ends| *ends /= count);
    Ok(Candidates::of_scores(&ends))
}

/// Adds one for the first largest and the first smallest entry of every column.
fn count_ends(projected: &Array2<f64>, occurs: impl Fn(usize) -> bool, ends: &mut [f64]) {
    let columns = projected.ncols();
    let mut most = vec![(f64::NEG_INFINITY, 0); columns];
    let mut least = vec![(f64::INFINITY, 0); columns];
    for (word, row) in projected.rows().into_iter().enumerate().filter(|(word, _)| occurs(*word)) {
        for (column, &value) in row.iter().enumerate() {
            if value > most[column].0 {
                most[column] = (value, word);
            }
            if value < least[column].0 {
                least[column] = (value, word);
            }
        }
    }
    most.iter().chain(&least).for_each(|&(_, word)| ends[word] += 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn both_ends_count() {
        let mut ends = vec![0.0; 3];
        count_ends(&array![[1.0, -5.0], [7.0, 0.0], [9.0, 9.0]], |word| word != 2, &mut ends);
        assert_eq!(ends, [2.0, 2.0, 0.0]);
    }
}
