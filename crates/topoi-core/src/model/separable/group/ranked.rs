//! Grouping words by rank: the first K that are far from those before them.

use crate::model::separable::distances::Distances;
use crate::model::separable::group::WordGroups;

/// The words by rank that are not near any taken before, D < ζ/2, at most `most`. `order` holds
/// positions, best first.
///
/// # Source
/// Ding et al. 2015, algorithm 2, lines 14 to 21; Ding et al. 2013, algorithm 3, lines 12 to 20.
pub(in crate::model::separable) fn distinct(
    order: &[usize],
    is_near: impl Fn(usize, usize) -> bool,
    most: usize,
) -> Vec<usize> {
    let mut taken: Vec<usize> = Vec::new();
    for &word in order {
        if taken.len() == most {
            break;
        }
        if !taken.iter().any(|&other| is_near(word, other)) {
            taken.push(word);
        }
    }
    taken
}

/// Each of [`distinct`]'s words with the words that are near it, and nearer to it than to the
/// others taken.
pub(in crate::model::separable) fn ranked(
    order: &[usize],
    distances: &Distances,
    threshold: f64,
    topics: usize,
) -> WordGroups {
    let is_near = |i, j| distances.between(i, j) < threshold / 2.0;
    let taken = distinct(order, is_near, topics);
    let mut groups: WordGroups = taken.iter().map(|&word| vec![word]).collect();
    for &word in order.iter().filter(|word| !taken.contains(word)) {
        let reach = taken.iter().map(|&other| distances.between(word, other)).enumerate();
        let nearest = reach.min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((group, _)) = nearest.filter(|&(_, distance)| distance < threshold / 2.0) {
            groups[group].push(word);
        }
    }
    groups
}

/// The threshold ζ in the middle of those that give `topics` words; where none does, the largest
/// that gives more. `order` gives the positions for a threshold, best first.
pub(in crate::model::separable) fn threshold_for(
    order: impl Fn(f64) -> Vec<usize>,
    distances: &Distances,
    topics: usize,
) -> f64 {
    let positive = distances.positive();
    // Enough steps to separate the thresholds that matter, spread over the distances that occur.
    let steps: Vec<f64> = (0..=200)
        .filter_map(|step| positive.get(step * positive.len().saturating_sub(1) / 200))
        .map(|distance| 2.0 * distance)
        .collect();
    let count = |&step: &f64| {
        let is_near = |i, j| distances.between(i, j) < step / 2.0;
        distinct(&order(step), is_near, topics + 1).len()
    };
    let found: Vec<usize> = steps.iter().map(count).collect();
    let exact = (0..steps.len()).filter(|&at| found[at] == topics);
    let (mut low, mut high) = (None, None);
    for at in exact {
        low = low.or(Some(steps[at]));
        high = Some(steps[at]);
    }
    if let (Some(low), Some(high)) = (low, high) {
        return (low + high) / 2.0;
    }
    let more = (0..steps.len()).rev().find(|&at| found[at] > topics);
    more.map_or(0.0, |at| steps[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    /// Points on a line; D is the squared difference.
    fn on_a_line(points: &[f64]) -> Distances {
        let cooccurrence =
            Array2::from_shape_fn((points.len(), points.len()), |(i, j)| points[i] * points[j]);
        Distances { cooccurrence }
    }

    #[test]
    fn words_go_to_the_nearest_of_those_that_were_far_from_all_before_them() {
        // 2.5 is near 0, before 4 is taken, and nearer to 4 in the end; 30 comes after the third and is near none.
        let distances = on_a_line(&[0.0, 10.0, 2.5, 4.0, 11.0, 30.0, 1.0]);
        let order: Vec<usize> = (0..7).collect();
        let groups = ranked(&order, &distances, 18.0, 3);
        assert_eq!(groups, [vec![0, 6], vec![1, 4], vec![3, 2]]);
        let by_rank = [5, 4, 3, 2, 1, 0, 6];
        assert_eq!(ranked(&by_rank, &distances, 18.0, 2), [vec![5], vec![4, 1]]);
    }

    #[test]
    fn the_threshold_found_gives_as_many_words_as_were_asked_for() {
        let distances = on_a_line(&[0.0, 10.0, 1.0, 11.0, 30.0, 31.0]);
        let order: Vec<usize> = (0..6).collect();
        let threshold = threshold_for(|_| order.clone(), &distances, 3);
        let groups = ranked(&order, &distances, threshold, 6);
        assert_eq!(groups, [vec![0, 2], vec![3, 1], vec![4, 5]]);
    }
}
