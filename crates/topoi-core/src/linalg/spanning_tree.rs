//! Minimum spanning trees of complete graphs.

/// The edge costs of a minimum spanning tree of the complete graph on `nodes` nodes, in the order
/// in which the tree grows from node 0. Of equal edges, the one to the lower node comes first.
/// `cost` is symmetric and is called nodes²/2 times. Empty for fewer than two nodes.
///
/// # Source
/// Prim 1957, "Shortest connection networks and some generalizations".
pub fn spanning_tree_costs(nodes: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let mut outside: Vec<usize> = (1..nodes).collect();
    let mut nearest: Vec<f64> = outside.iter().map(|&node| cost(0, node)).collect();
    let mut found = Vec::with_capacity(outside.len());
    while let Some(at) = (0..outside.len()).min_by(|&a, &b| nearest[a].total_cmp(&nearest[b])) {
        let node = outside.remove(at);
        found.push(nearest.remove(at));
        for (&other, nearest) in outside.iter().zip(&mut nearest) {
            *nearest = nearest.min(cost(node, other));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use proptest::prelude::*;

    /// The cheapest of all trees, each given by its Prüfer sequence.
    fn cheapest_tree(costs: &Array2<f64>) -> f64 {
        let n = costs.nrows();
        let mut least = f64::INFINITY;
        for code in 0..n.pow(n as u32 - 2) {
            let sequence: Vec<usize> =
                (0..n as u32 - 2).map(|place| code / n.pow(place) % n).collect();
            let mut degree = vec![1; n];
            sequence.iter().for_each(|&node| degree[node] += 1);
            let mut cost = 0.0;
            for &node in &sequence {
                let leaf = (0..n).find(|&leaf| degree[leaf] == 1).expect("a tree has leaves");
                cost += costs[(leaf, node)];
                degree[leaf] = 0;
                degree[node] -= 1;
            }
            let last: Vec<usize> = (0..n).filter(|&node| degree[node] == 1).collect();
            least = least.min(cost + costs[(last[0], last[1])]);
        }
        least
    }

    proptest! {
        #[test]
        fn no_tree_is_cheaper(values in prop::collection::vec(0.0f64..1.0, 25)) {
            let half = Array2::from_shape_vec((5, 5), values).expect("shape");
            let costs = &half + &half.t();
            let found: f64 = spanning_tree_costs(5, |i, j| costs[(i, j)]).iter().sum();
            prop_assert!((found - cheapest_tree(&costs)).abs() < 1e-12);
        }
    }

    #[test]
    fn few_nodes_have_no_edges() {
        assert!(spanning_tree_costs(0, |_, _| 1.0).is_empty());
        assert!(spanning_tree_costs(1, |_, _| 1.0).is_empty());
    }
}
