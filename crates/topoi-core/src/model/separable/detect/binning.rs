//! Binning: one random direction for each of √M groups of documents.

use crate::model::separable::detect::Candidates;
use crate::progress::Progress;
use crate::stream::StreamError;
use crate::stream::split::SplitCoOccurrence;
use crate::stream::split::bins::project_bins;

/// Bins that are projected in one pass over the corpus.
const BLOCK: usize = 64;

/// The words that have the largest projection in some bin, by the share of bins they win. Stage
/// "project".
///
/// # Errors
/// When the corpus cannot be read, or on cancel.
///
/// # Source
/// Ding et al. 2013, algorithm 3, lines 3 to 11.
pub(in crate::model::separable) fn novel_words(
    split: &SplitCoOccurrence<'_>,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Candidates, StreamError> {
    let bins = split.kept().sqrt().ceil().max(1.0) as usize;
    progress.begin("project", bins as u64, "");
    let mut wins = vec![0.0; split.words()];
    for first in (0..bins).step_by(BLOCK) {
        let last = (first + BLOCK).min(bins);
        let projected = project_bins(split, first..last, bins, seed)?;
        for column in projected.columns() {
            let values = column.iter().enumerate().filter(|(_, value)| value.is_finite());
            let winner = values.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            winner.into_iter().for_each(|(word, _)| wins[word] += 1.0 / bins as f64);
        }
        progress.step(last as u64, None);
    }
    Ok(Candidates::of_scores(&wins))
}
