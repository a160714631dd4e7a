//! Solid angles: which words lead along random directions in word space.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::projections::Projections;
use super::solid_angles::Directions;
use super::{Candidates, MOST, Search};
use crate::stream::StreamError;

/// Directions that are projected on in one pass over the corpus.
const BLOCK: usize = 256;
/// Words kept of each direction. A word that shares a direction with words of its topic before it
/// counts there as long as it is among these.
pub(in crate::model::separable) const LED: usize = 16;
/// Columns a task ranks at a time.
const COLUMNS: usize = 16;

/// The words with the largest projections along each of P directions.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::model::separable) struct Leaders {
    /// P × at most 16, the largest projection first.
    words: Vec<Vec<u32>>,
}

/// Projects the rows of Ê along `count` random directions, [`BLOCK`] in a pass, in stage
/// "project".
///
/// # Errors
/// When the corpus or kept sums cannot be read, sums cannot be kept, or on cancel.
///
/// # Source
/// Ding et al. 2015, algorithm 2, lines 2 to 5.
pub(super) fn lead(
    search: &Search<'_>,
    count: usize,
    drawn: Directions,
) -> Result<Leaders, StreamError> {
    let Search { split, seed, kept, progress, .. } = *search;
    progress.begin("project", count as u64, "");
    let projections = Projections::new(split, kept, drawn, seed)?;
    let occurs = |word: usize| split.sums()[word] > 0.0;
    let mut words = Vec::with_capacity(count);
    for first in (0..count).step_by(BLOCK) {
        let last = (first + BLOCK).min(count);
        words.extend(largest(&projections.along(first..last)?, occurs));
        progress.step(last as u64, None);
    }
    Ok(Leaders { words })
}

/// The [`LED`] largest of each column among the words that occur, largest first; ties by word.
fn largest(projections: &Array2<f64>, occurs: impl Fn(usize) -> bool + Sync) -> Vec<Vec<u32>> {
    let chunks: Vec<Vec<Vec<u32>>> = projections
        .axis_chunks_iter(Axis(1), COLUMNS)
        .into_par_iter()
        .map(|chunk| {
            let mut best: Vec<Vec<(f64, u32)>> = vec![Vec::with_capacity(LED + 1); chunk.ncols()];
            for (word, row) in
                chunk.rows().into_iter().enumerate().filter(|(word, _)| occurs(*word))
            {
                for (best, &value) in best.iter_mut().zip(row) {
                    insert(best, value, word as u32);
                }
            }
            best.into_iter().map(|best| best.into_iter().map(|(_, word)| word).collect()).collect()
        })
        .collect();
    chunks.into_iter().flatten().collect()
}

fn insert(best: &mut Vec<(f64, u32)>, value: f64, word: u32) {
    if best.len() == LED && best.last().is_some_and(|&(least, _)| value <= least) {
        return;
    }
    let at = best.partition_point(|&(other, _)| other >= value);
    best.insert(at, (value, word));
    best.truncate(LED);
}

impl Leaders {
    /// The words that lead some direction, by the share of directions they win; then, while there are fewer than
    /// [`MOST`], words that come next along some direction, by how often they do.
    pub(in crate::model::separable) fn candidates(self, words: usize) -> Candidates {
        let mut wins = vec![0.0; words];
        let mut ranked = vec![0.0f64; words];
        for led in &self.words {
            led.first().into_iter().for_each(|&word| wins[word as usize] += 1.0);
            led.iter().for_each(|&word| ranked[word as usize] += 1.0);
        }
        let count = self.words.len().max(1) as f64;
        wins.iter_mut().for_each(|wins| *wins /= count);
        let mut candidates = Candidates::from_scores(&wins);
        let mut next: Vec<usize> =
            (0..words).filter(|&word| wins[word] == 0.0 && ranked[word] > 0.0).collect();
        next.sort_by(|&a, &b| ranked[b].total_cmp(&ranked[a]).then(a.cmp(&b)));
        next.truncate(MOST.saturating_sub(candidates.words.len()));
        candidates.scores.extend(next.iter().map(|_| 0.0));
        candidates.words.extend(next);
        Candidates { leaders: Some(self), ..candidates }
    }

    /// q̂ of each of `words`: the share of directions along which its projection is larger than
    /// that of every word that is not near it. `is_near` takes positions in `words`.
    ///
    /// # Source
    /// Ding et al. 2015, equation 5. Lines 6 to 12 of algorithm 2 are meant to do the same; as
    /// printed, line 7 goes over the words far from the winner, which cannot win, instead of those
    /// near it.
    pub(in crate::model::separable) fn solid_angles(
        &self,
        words: &[usize],
        is_near: impl Fn(usize, usize) -> bool,
    ) -> Vec<f64> {
        let size = words.iter().max().map_or(0, |&word| word + 1);
        let mut position = vec![usize::MAX; size];
        words.iter().enumerate().for_each(|(at, &word)| position[word] = at);
        let mut wins = vec![0.0; words.len()];
        for led in &self.words {
            let known = led.iter().map_while(|&word| {
                position.get(word as usize).copied().filter(|&at| at != usize::MAX)
            });
            let known: Vec<usize> = known.collect();
            for (rank, &at) in known.iter().enumerate() {
                if known[..rank].iter().all(|&before| is_near(at, before)) {
                    wins[at] += 1.0;
                }
            }
        }
        let count = self.words.len().max(1) as f64;
        wins.into_iter().map(|wins| wins / count).collect()
    }

    /// The same without the words that are not counted: those after them move up.
    pub(in crate::model::separable) fn among(&self, is_counted: impl Fn(usize) -> bool) -> Self {
        let counted = |led: &Vec<u32>| {
            led.iter().copied().filter(|&word| is_counted(word as usize)).collect()
        };
        Self { words: self.words.iter().map(counted).collect() }
    }

    /// P × 16; −1 where a direction has fewer words.
    pub(in crate::model::separable) fn to_array(&self) -> Array2<f64> {
        Array2::from_shape_fn((self.words.len(), LED), |(direction, rank)| {
            self.words[direction].get(rank).map_or(-1.0, |&word| f64::from(word))
        })
    }

    /// Reads what [`Self::to_array`] wrote.
    pub(in crate::model::separable) fn from_array(array: Array2<f64>) -> Self {
        let words = array
            .rows()
            .into_iter()
            .map(|row| row.iter().filter(|&&word| word >= 0.0).map(|&word| word as u32).collect());
        Self { words: words.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn the_largest_of_each_column_come_first() {
        let v = array![[1.0, 9.0], [3.0, 8.0], [9.0, 9.0], [2.0, 0.0]];
        let found = largest(&v, |word| word != 2);
        assert_eq!(found, [vec![1, 3, 0], vec![0, 1, 3]]);
    }

    #[test]
    fn neighbours_share_a_direction_and_others_do_not() {
        let leaders = Leaders { words: vec![vec![4, 5, 6], vec![5, 6, 4], vec![6, 4, 5]] };
        // 4 and 5 are near each other, 6 is far from both.
        let near = |a: usize, b: usize| a != 2 && b != 2;
        let found = leaders.solid_angles(&[4, 5, 6], near);
        assert_eq!(found, [1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0]);
        let alone = leaders.solid_angles(&[4, 5, 6], |_, _| false);
        assert_eq!(alone, [1.0 / 3.0; 3]);
        assert_eq!(Leaders::from_array(leaders.to_array()), leaders);
    }

    #[test]
    fn winners_come_before_those_who_only_follow() {
        let leaders = Leaders { words: vec![vec![2, 0], vec![2, 1], vec![3, 0]] };
        let found = leaders.candidates(5);
        assert_eq!(found.words, [2, 3, 0, 1]);
        assert_eq!(found.scores[2..], [0.0, 0.0]);
    }
}
