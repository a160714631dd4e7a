//! K̂: the number of topics by solid angles, for a range of thresholds ζ.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::detect::Candidates;
use super::detect::leaders::Leaders;
use super::distances::{Distances, Noise};
use super::group::ranked::distinct;

/// Steps of ζ, evenly spaced in the logarithm.
const STEPS: usize = 61;
/// The smallest ζ that is tried, as a share of the largest.
const SMALLEST: f64 = 1e-3;

/// Beyond the noise, words count whose solid angle is above this share of the largest: a word that is nearly
/// novel wins a direction or two by the noise of the projections, which the bound on distances does not cover.
const SLIGHT: f64 = 0.02;

/// The number of topics at a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicEstimate {
    /// ζ.
    pub distance: f64,
    /// K̂: words by rank that are at D ≥ ζ/2 from each other, beyond its noise, until the solid
    /// angle is no more than τ.
    pub topics: usize,
}

/// Counts topics by solid angles.
///
/// # Source
/// Ding et al. 2015, §VI-A: algorithm 2 with line 16′ (τ = 0: "if q̂_i = 0, break"). The paper stops at K, which it
/// calls an upper bound of K̂; here all words with a positive angle are gone through.
pub(super) struct Count<'a> {
    words: Vec<usize>,
    leaders: Cow<'a, Leaders>,
    distances: Cow<'a, Distances>,
    noise: Option<Noise>,
}

impl<'a> Count<'a> {
    /// As printed: all candidates, and D as it is.
    pub(super) fn as_printed(
        candidates: &Candidates,
        leaders: &'a Leaders,
        distances: &'a Distances,
    ) -> Self {
        let (leaders, distances) = (Cow::Borrowed(leaders), Cow::Borrowed(distances));
        Self { words: candidates.words.clone(), leaders, distances, noise: None }
    }

    /// Only candidates with tokens enough, which are distinct only where D exceeds ζ/2 by the bound on its
    /// noise: without that, K̂ includes the rare words whose rows are off by chance
    /// for every ζ below the noise. Words left out neither win directions nor keep others from winning.
    /// `shares` are the candidates' shares of tokens.
    pub(super) fn beyond_noise(
        candidates: &Candidates,
        leaders: &Leaders,
        distances: &Distances,
        shares: &[f64],
    ) -> Self {
        let winners = candidates.scores.partition_point(|&score| score > 0.0);
        let noise = Noise::from_distances(distances, shares, winners);
        let clear = noise.clear_words(distances, winners);
        let words: Vec<usize> = clear.iter().map(|&at| candidates.words[at]).collect();
        let left_out: BTreeSet<usize> =
            candidates.words.iter().copied().filter(|word| !words.contains(word)).collect();
        Self {
            leaders: Cow::Owned(leaders.among(|word| !left_out.contains(&word))),
            distances: Cow::Owned(distances.select(&clear)),
            noise: Some(noise.select(&clear)),
            words,
        }
    }

    /// K̂ for ζ from a thousandth of to twice the largest D.
    pub(super) fn estimates(&self, least_angle: f64) -> Vec<TopicEstimate> {
        let Some(&farthest) = self.distances.positive().last() else { return Vec::new() };
        let largest = 2.0 * farthest;
        let step = |at: usize| largest * SMALLEST.powf(1.0 - at as f64 / (STEPS - 1) as f64);
        let of = |distance| TopicEstimate { distance, topics: self.topics(distance, least_angle) };
        (0..STEPS).map(step).map(of).collect()
    }

    /// K̂ for this ζ.
    pub(super) fn topics(&self, distance: f64, least_angle: f64) -> usize {
        let noise = |i, j| self.noise.as_ref().map_or(0.0, |noise| noise.bound(i, j));
        let is_near = |i, j| self.distances.between(i, j) - noise(i, j) < distance / 2.0;
        let angles = self.leaders.solid_angles(&self.words, is_near);
        let largest = angles.iter().fold(0.0, |most: f64, &angle| most.max(angle));
        let slight = if self.noise.is_some() { SLIGHT * largest } else { 0.0 };
        distinct(&by_angle(&angles, least_angle.max(slight)), is_near, usize::MAX).len()
    }
}

/// q̂ of the candidates for a threshold ζ.
pub(super) fn solid_angles(
    candidates: &Candidates,
    leaders: &Leaders,
    distances: &Distances,
    threshold: f64,
) -> Vec<f64> {
    leaders.solid_angles(&candidates.words, |i, j| distances.between(i, j) < threshold / 2.0)
}

/// Positions with more than `least_angle`, the largest angle first; ties by position.
pub(super) fn by_angle(angles: &[f64], least_angle: f64) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..angles.len()).filter(|&at| angles[at] > least_angle.max(0.0)).collect();
    order.sort_by(|&a, &b| angles[b].total_cmp(&angles[a]).then(a.cmp(&b)));
    order
}

/// The K̂ ≥ 2 that stays the same for the longest run of steps, and its least and largest ζ; `None` when
/// every ζ shows one topic. The run at the smallest ζ, below the noise of D, counts every word that
/// wins for a topic of its own; it is taken only where it covers more than half of the steps.
pub(super) fn most_stable(estimates: &[TopicEstimate]) -> Option<(usize, f64, f64)> {
    let runs = estimates.chunk_by(|a, b| a.topics == b.topics).enumerate();
    let may_count = |(at, run): &(usize, &[TopicEstimate])| {
        run[0].topics >= 2 && (*at > 0 || 2 * run.len() > estimates.len())
    };
    let longest = runs.filter(may_count).max_by_key(|(_, run)| run.len())?.1;
    Some((longest[0].topics, longest[0].distance, longest[longest.len() - 1].distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn a_topic_counts_whose_rare_word_is_ahead_of_its_frequent_ones() {
        // Words 0 and 1 are of topic A, 2 and 3 of B, 4 and 5 of C. Of A the rare word 0 is always first, by its noise.
        let led = [vec![0, 1], vec![0, 1], vec![2, 3], vec![3, 2], vec![4, 5], vec![5, 4]];
        let ranks =
            Array2::from_shape_fn((6, 2), |(direction, rank)| f64::from(led[direction][rank]));
        let candidates = Leaders::from_array(ranks).candidates(6);
        assert_eq!(candidates.words, [0, 2, 3, 4, 5, 1]);
        // Words of different topics are 10 from each other, those of the same one at 0, but for noise below 0.
        let topic = |word: usize| word / 2;
        let c = Array2::from_shape_fn((6, 6), |(i, j)| {
            let (i, j) = (candidates.words[i], candidates.words[j]);
            match topic(i) == topic(j) {
                true if i == j => 5.0,
                true => 5.005,
                false => 0.0,
            }
        });
        let share = |&word: &usize| if word == 0 { 1e-4 } else { 0.2 };
        let shares: Vec<f64> = candidates.words.iter().map(share).collect();
        let leaders = candidates.leaders.as_ref().expect("leaders");
        let distances = Distances { cooccurrence: c };
        let count = Count::beyond_noise(&candidates, leaders, &distances, &shares);
        assert_eq!(count.words, [2, 3, 4, 5, 1]);
        assert_eq!(most_stable(&count.estimates(0.0)).map(|found| found.0), Some(3));
    }

    #[test]
    fn the_widest_plateau_above_one_is_taken() {
        let of = |counts: &[usize]| -> Vec<TopicEstimate> {
            let numbered = counts.iter().enumerate();
            numbered.map(|(at, &topics)| TopicEstimate { distance: at as f64, topics }).collect()
        };
        assert_eq!(most_stable(&of(&[9, 7, 4, 4, 4, 2, 1, 1, 1, 1])), Some((4, 2.0, 4.0)));
        assert_eq!(most_stable(&of(&[9, 9, 9, 9, 4, 4, 2, 1, 1])), Some((4, 4.0, 5.0)));
        assert_eq!(most_stable(&of(&[9, 9, 9, 9, 4, 2, 1])), Some((9, 0.0, 3.0)));
        assert_eq!(most_stable(&of(&[1, 1])), None);
        assert_eq!(by_angle(&[0.1, 0.0, 0.3, 0.1], 0.0), [2, 0, 3]);
    }
}
