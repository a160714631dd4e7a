//! Novel words grouped by topic: a file a way of grouping ([`super::Clustering`]).

pub(super) mod components;
pub(super) mod pooled;
pub(super) mod ranked;
pub(super) mod spectral;

use super::distances::Distances;

/// K groups of positions among the candidates; each begins with its best word.
pub(super) type WordGroups = Vec<Vec<usize>>;

/// Puts the best (lowest) position of each group first and orders groups by it.
pub(super) fn in_order(mut groups: WordGroups) -> WordGroups {
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// The least D between averaged rows of different groups, doubled: the largest threshold (ζ or d)
/// at which the groups are of different topics. `weights` are the words' shares of tokens.
pub(super) fn threshold_between(
    distances: &Distances,
    weights: &[f64],
    groups: &WordGroups,
) -> f64 {
    let pooled = |a: &[usize], b: &[usize]| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for &i in a {
            for &j in b {
                sum += weights[i] * weights[j] * distances.cooccurrence[(i, j)];
                weight += weights[i] * weights[j];
            }
        }
        sum / weight
    };
    let own: Vec<f64> = groups.iter().map(|group| pooled(group, group)).collect();
    let mut least = f64::INFINITY;
    for a in 0..groups.len() {
        for b in 0..a {
            least = least.min(own[a] - 2.0 * pooled(&groups[a], &groups[b]) + own[b]);
        }
    }
    2.0 * least
}
