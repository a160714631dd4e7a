//! Topics keep their numbers: after an update each has that of the earlier topic it is most like.

use ndarray::Array2;

use crate::linalg::assignment::assignment;
use crate::linalg::dense::transposed_product;

/// The order in which `topics` (W × K) have the numbers of those of `earlier` (W × K₀) that they are matched
/// with, one to one, so that the sum of the cosines of their probabilities is largest. Topics that
/// are left over follow.
pub(super) fn order(topics: &Array2<f64>, earlier: &Array2<f64>) -> Vec<usize> {
    let cosines = transposed_product(&directions(earlier), &directions(topics));
    let mut order: Vec<usize> = assignment(&cosines).into_iter().flatten().collect();
    let mut is_left = vec![true; topics.ncols()];
    order.iter().for_each(|&topic| is_left[topic] = false);
    order.extend((0..topics.ncols()).filter(|&topic| is_left[topic]));
    order
}

/// The columns, scaled to length 1; zero for a topic without words.
fn directions(topics: &Array2<f64>) -> Array2<f64> {
    let mut found = topics.clone();
    for mut column in found.columns_mut() {
        let length = column.dot(&column).sqrt();
        if length > 0.0 {
            column /= length;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn every_topic_gets_the_number_of_the_one_it_is_most_like() {
        let earlier = array![[0.8, 0.1, 0.0], [0.2, 0.9, 0.1], [0.0, 0.0, 0.9]];
        let topics = array![[0.1, 0.0, 0.9], [0.8, 0.2, 0.1], [0.1, 0.8, 0.0]];
        assert_eq!(order(&topics, &earlier), [2, 0, 1]);
        assert_eq!(order(&earlier, &earlier), [0, 1, 2]);
    }

    #[test]
    fn topics_of_another_number_are_all_there() {
        let earlier = array![[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
        let three = array![[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        assert_eq!(order(&three, &earlier), [2, 1, 0]);
        assert_eq!(order(&earlier, &three).len(), 2);
        assert_eq!(order(&Array2::zeros((3, 2)), &earlier).len(), 2);
    }
}
