//! Grouping words by joining the groups whose averaged rows differ least.

use ndarray::Array2;

use crate::model::separable::group::{WordGroups, in_order};

/// Joins words two by two until `topics` groups remain; fewer words than that remain as they are.
///
/// A group's row is the average of its words', weighted by their tokens, so its noise falls as
/// it grows. Two groups a, b with weights w and pooled distance Δ cost Δ·w_a·w_b/(w_a + w_b) to
/// join: Ward's criterion. The noise of a row goes with one over its tokens, so this is Δ in units
/// of its own noise: a rare word far off by chance is cheap to join, a frequent one is not.
///
/// `cooccurrence` is C between the words, g × g; `weights` are positive.
///
/// # Cost
/// About 10·g² operations for g words whose nearest neighbours change seldom, at most g³; memory
/// 2·g².
///
/// # Source
/// Averaged representatives: Ding et al. 2013, §4.2, last paragraph; the criterion: Ward 1963.
pub(in crate::model::separable) fn pooled(
    cooccurrence: &Array2<f64>,
    weights: &[f64],
    topics: usize,
) -> WordGroups {
    let mut joining = Joining::new(cooccurrence, weights);
    for _ in topics..weights.len() {
        joining.join_nearest();
    }
    let groups = joining.groups.into_iter().filter(|group| !group.is_empty()).collect();
    in_order(groups)
}

struct Joining {
    /// C between groups.
    c: Array2<f64>,
    weights: Vec<f64>,
    /// Empty for a group that has been joined to another.
    groups: WordGroups,
    /// For every group the cheapest other to join, and the cost.
    nearest: Vec<(f64, usize)>,
}

impl Joining {
    fn new(cooccurrence: &Array2<f64>, weights: &[f64]) -> Self {
        let mut joining = Self {
            c: cooccurrence.clone(),
            weights: weights.to_vec(),
            groups: (0..weights.len()).map(|word| vec![word]).collect(),
            nearest: Vec::new(),
        };
        joining.nearest = (0..weights.len()).map(|group| joining.nearest_of(group)).collect();
        joining
    }

    fn cost(&self, a: usize, b: usize) -> f64 {
        let distance = self.c[(a, a)] - 2.0 * self.c[(a, b)] + self.c[(b, b)];
        distance * self.weights[a] * self.weights[b] / (self.weights[a] + self.weights[b])
    }

    fn nearest_of(&self, group: usize) -> (f64, usize) {
        let others = (0..self.groups.len())
            .filter(|&other| other != group && !self.groups[other].is_empty());
        let costs = others.map(|other| (self.cost(group, other), other));
        costs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, group))
    }

    fn join_nearest(&mut self) {
        let alive = (0..self.groups.len()).filter(|&group| !self.groups[group].is_empty());
        let Some(first) = alive.min_by(|&a, &b| self.nearest[a].0.total_cmp(&self.nearest[b].0))
        else {
            return;
        };
        let other = self.nearest[first].1;
        if other == first {
            return;
        }
        let (into, from) = (first.min(other), first.max(other));
        self.average(into, from);
        let moved = std::mem::take(&mut self.groups[from]);
        self.groups[into].extend(moved);
        for group in 0..self.groups.len() {
            if self.groups[group].is_empty() {
                continue;
            }
            let was = self.nearest[group].1;
            if group == into || was == into || was == from {
                self.nearest[group] = self.nearest_of(group);
            } else {
                let cost = self.cost(group, into);
                if cost < self.nearest[group].0 {
                    self.nearest[group] = (cost, into);
                }
            }
        }
    }

    /// The row and column of `into` become the average of both groups'.
    fn average(&mut self, into: usize, from: usize) {
        let total = self.weights[into] + self.weights[from];
        let (own, others) = (self.weights[into] / total, self.weights[from] / total);
        for group in 0..self.groups.len() {
            self.c[(into, group)] = own * self.c[(into, group)] + others * self.c[(from, group)];
        }
        for group in 0..self.groups.len() {
            self.c[(group, into)] = own * self.c[(group, into)] + others * self.c[(group, from)];
        }
        self.weights[into] = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every join by trying all pairs on the words' own entries: slow and plain.
    fn naive(c: &Array2<f64>, weights: &[f64], topics: usize) -> WordGroups {
        let mut groups: WordGroups = (0..weights.len()).map(|word| vec![word]).collect();
        let pooled = |a: &[usize], b: &[usize]| {
            let mut sum = 0.0;
            for &i in a {
                for &j in b {
                    sum += weights[i] * weights[j] * c[(i, j)];
                }
            }
            let weight = |group: &[usize]| group.iter().map(|&i| weights[i]).sum::<f64>();
            (sum / weight(a) / weight(b), weight(a), weight(b))
        };
        while groups.len() > topics {
            let mut best = (f64::INFINITY, 0, 0);
            for a in 0..groups.len() {
                for b in 0..a {
                    let (ab, wa, wb) = pooled(&groups[a], &groups[b]);
                    let distance = pooled(&groups[a], &groups[a]).0 - 2.0 * ab
                        + pooled(&groups[b], &groups[b]).0;
                    let cost = distance * wa * wb / (wa + wb);
                    if cost < best.0 {
                        best = (cost, a, b);
                    }
                }
            }
            let moved = groups.remove(best.1);
            groups[best.2].extend(moved);
        }
        in_order(groups)
    }

    proptest! {
        #[test]
        fn groups_are_those_of_trying_all_pairs(
            entries in prop::collection::vec(-1.0..3.0f64, 81),
            weights in prop::collection::vec(0.1..2.0f64, 9),
            topics in 1..9usize,
        ) {
            let raw = Array2::from_shape_vec((9, 9), entries).expect("81 entries");
            let c = &raw + &raw.t();
            prop_assert_eq!(pooled(&c, &weights, topics), naive(&c, &weights, topics));
        }
    }
}
