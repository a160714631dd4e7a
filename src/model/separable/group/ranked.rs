//! Grouping words by rank: the first K that are far from those before them.

use crate::model::separable::distances::Distances;
use crate::model::separable::group::Groups;

/// The words by rank that are not near any taken before, D < ζ/2, at most `most`. `order` holds
/// places, best first.
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
) -> Groups {
    let is_near = |i, j| distances.between(i, j) < threshold / 2.0;
    let taken = distinct(order, is_near, topics);
    let mut groups: Groups = taken.iter().map(|&word| vec![word]).collect();
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
/// that gives more. `order` says which places, best first, a threshold goes over.
pub(in crate::model::separable) fn threshold_for(
    order: impl Fn(f64) -> Vec<usize>,
    distances: &Distances,
    topics: usize,
) -> f64 {
    let positive = distances.positive();
    // As many steps as tell apart what matters, spread over the distances that occur.
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
