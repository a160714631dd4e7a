//! Grouping words by connected components.

use crate::linalg::spanning_tree::spanning_tree_costs;
use crate::model::separable::distances::Distances;
use crate::model::separable::group::{WordGroups, in_order};

/// The connected components of the words with an edge where D ≤ `threshold`/2; the `topics` with
/// the largest sum of `scores`, where there are more.
///
/// # Source
/// Ding et al. 2013, algorithm 4, lines 4 to 14.
pub(in crate::model::separable) fn components(
    scores: &[f64],
    distances: &Distances,
    threshold: f64,
    topics: usize,
) -> WordGroups {
    let mut groups = connected(distances, threshold);
    let score = |group: &Vec<usize>| group.iter().map(|&at| scores[at]).sum::<f64>();
    groups.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    groups.truncate(topics);
    in_order(groups)
}

/// The threshold d in the middle of those that give `topics` components; where none does, the
/// largest that gives more.
pub(in crate::model::separable) fn threshold_for(distances: &Distances, topics: usize) -> f64 {
    let count = distances.len();
    let mut merges = spanning_tree_costs(count, |i, j| distances.between(i, j));
    merges.sort_unstable_by(f64::total_cmp);
    // After the j-th merge, in ascending order, there are count − j components.
    let at = count.saturating_sub(topics);
    let before = at.checked_sub(1).and_then(|last| merges.get(last)).copied().unwrap_or(0.0);
    let next = merges.get(at).copied().unwrap_or(before);
    // d/2 lies between the two.
    before + next
}

fn connected(distances: &Distances, threshold: f64) -> WordGroups {
    let count = distances.len();
    let mut found: WordGroups = Vec::new();
    let mut is_taken = vec![false; count];
    for start in 0..count {
        if is_taken[start] {
            continue;
        }
        is_taken[start] = true;
        let mut group = vec![start];
        let mut next = 0;
        while let Some(&word) = group.get(next) {
            next += 1;
            for (other, is_taken) in is_taken.iter_mut().enumerate() {
                if !*is_taken && distances.between(word, other) <= threshold / 2.0 {
                    *is_taken = true;
                    group.push(other);
                }
            }
        }
        found.push(group);
    }
    found
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
    fn the_threshold_parts_what_is_far_apart() {
        let distances = on_a_line(&[0.0, 10.0, 1.0, 11.0, 2.0, 30.0]);
        let threshold = threshold_for(&distances, 3);
        assert_eq!(threshold, 1.0 + 64.0);
        let scores = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
        let groups = components(&scores, &distances, threshold, 3);
        assert_eq!(groups, [vec![0, 2, 4], vec![1, 3], vec![5]]);
        let two = components(&scores, &distances, threshold, 2);
        assert_eq!(two, [vec![0, 2, 4], vec![1, 3]]);
    }
}
