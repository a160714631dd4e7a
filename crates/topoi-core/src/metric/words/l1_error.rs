//! The ℓ1 error of estimated topics after the best matching with the true ones.

use ndarray::Array2;

use crate::linalg::assignment::assignment;

/// True topics matched one to one with estimated topics.
#[derive(Debug, Clone, PartialEq)]
pub struct L1Errors {
    /// min(K, K̂) matches (true topic, estimated topic, ‖b − b̂‖₁ in [0, 2]), by true topic.
    pub pairs: Vec<(usize, usize, f64)>,
    /// True topics without a match.
    pub only_true: Vec<usize>,
    /// Estimated topics without a match.
    pub only_estimated: Vec<usize>,
}

impl L1Errors {
    /// The mean error of the matched topics; NaN when there are none.
    pub fn mean(&self) -> f64 {
        self.pairs.iter().map(|&(_, _, error)| error).sum::<f64>() / self.pairs.len() as f64
    }
}

/// Matches topics so that the sum of ℓ1 distances is smallest. `truth` is W × K and `estimate` W ×
/// K̂, with columns that sum to 1, over the union of both vocabularies. A word that one side lacks
/// has probability 0 there.
///
/// # Cost
/// W·K·K̂ time and the assignment's O(K³).
///
/// # Source
/// Ding, Ishwar, Saligrama 2015, section VI-A (bipartite matching by the sum of ℓ1 distances).
///
/// # Panics
/// When the numbers of rows differ, or an entry is not finite.
pub fn l1_errors(truth: &Array2<f64>, estimate: &Array2<f64>) -> L1Errors {
    assert_eq!(truth.nrows(), estimate.nrows(), "both are over the same words");
    // In this layout a topic's probabilities are contiguous.
    let (truth, estimate) =
        (truth.t().as_standard_layout().to_owned(), estimate.t().as_standard_layout().to_owned());
    let distances: Array2<f64> =
        Array2::from_shape_fn((truth.nrows(), estimate.nrows()), |(k, l)| {
            truth.row(k).iter().zip(estimate.row(l)).map(|(b, e)| (b - e).abs()).sum()
        });
    let mut found = L1Errors { pairs: vec![], only_true: vec![], only_estimated: vec![] };
    let mut is_alone = vec![true; distances.ncols()];
    for (topic, match_) in assignment(&distances.mapv(|distance| -distance)).into_iter().enumerate()
    {
        match match_ {
            Some(other) => {
                is_alone[other] = false;
                found.pairs.push((topic, other, distances[(topic, other)]));
            }
            None => found.only_true.push(topic),
        }
    }
    found.only_estimated =
        (0..).zip(is_alone).filter_map(|(topic, alone)| alone.then_some(topic)).collect();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    /// The smallest sum of distances over all ways to match every topic of the smaller side.
    fn smallest_sum(distances: &Array2<f64>, row: usize, taken: &mut [bool]) -> f64 {
        if row == distances.nrows() {
            return 0.0;
        }
        let mut best = f64::INFINITY;
        for column in 0..distances.ncols() {
            if !taken[column] {
                taken[column] = true;
                best = best.min(distances[(row, column)] + smallest_sum(distances, row + 1, taken));
                taken[column] = false;
            }
        }
        best
    }

    fn columns(weights: &[u8], words: usize, topics: usize) -> Array2<f64> {
        let mut matrix = Array2::from_shape_fn((words, topics), |(i, k)| {
            f64::from(weights[i * 6 + k]) + if i == k { 1.0 } else { 0.0 }
        });
        matrix.columns_mut().into_iter().for_each(|mut column| column /= column.sum());
        matrix
    }

    proptest! {
        #[test]
        fn no_permutation_has_a_smaller_sum(
            k in 1usize..7,
            l in 1usize..7,
            a in prop::collection::vec(0u8..4, 48),
            b in prop::collection::vec(0u8..4, 48),
        ) {
            let (truth, estimate) = (columns(&a, 8, k), columns(&b, 8, l));
            let found = l1_errors(&truth, &estimate);
            let distances = Array2::from_shape_fn((k, l), |(i, j)| {
                (&truth.column(i) - &estimate.column(j)).mapv(f64::abs).sum()
            });
            let smallest = match k <= l {
                true => smallest_sum(&distances, 0, &mut vec![false; l]),
                false => smallest_sum(&distances.t().to_owned(), 0, &mut vec![false; k]),
            };
            let sum: f64 = found.pairs.iter().map(|pair| pair.2).sum();
            prop_assert!((sum - smallest).abs() < 1e-12, "{} {}", sum, smallest);
            prop_assert_eq!(found.pairs.len(), k.min(l));
            prop_assert_eq!(found.only_true.len(), k.saturating_sub(l));
            prop_assert_eq!(found.only_estimated.len(), l.saturating_sub(k));
            for (topic, other, error) in found.pairs {
                prop_assert!((error - distances[(topic, other)]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn errors_go_from_none_to_two() {
        let truth = array![[0.5, 0.0], [0.5, 0.0], [0.0, 1.0], [0.0, 0.0]];
        let swapped = truth.select(ndarray::Axis(1), &[1, 0]);
        let found = l1_errors(&truth, &swapped);
        assert_eq!(found.pairs, [(0, 1, 0.0), (1, 0, 0.0)]);
        let strange = array![[0.0], [0.0], [0.0], [1.0]];
        let found = l1_errors(&truth, &strange);
        assert_eq!((found.pairs.len(), found.mean(), found.only_true.len()), (1, 2.0, 1));
    }
}
