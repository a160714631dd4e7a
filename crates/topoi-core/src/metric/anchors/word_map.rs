//! The co-occurrence space in two dimensions: positions of words, and the hull of the anchors.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::{product, symmetric_eigen, transposed_product};
use crate::metric::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// share of the anchors' variance that the two axes of the word map (table `word_position`)
    /// explain
    pub const WORD_MAP_VARIANCE {
        id: "word_map_variance",
        scope: Scope::Run,
        better: None,
        range: ValueRange::between(0.0, 1.0),
        source: "Lee et al. 2021, Figure 2",
        tags: &[],
    }
}

/// Smallest variance of an axis, as a share of the first axis's. Less is rounding error.
const LEAST_AXIS_VARIANCE: f64 = 1e-12;

/// Words and anchors on the two axes along which the anchors differ most.
#[derive(Debug, Clone, PartialEq)]
pub struct WordMap {
    /// (word, x, y) of every word that occurs, by word number. Anchors are included.
    pub words: Vec<(usize, f64, f64)>,
    /// (x, y) of the K anchors, with mean (0, 0).
    pub anchors: Vec<(f64, f64)>,
    /// Topics whose anchors are corners of the anchors' convex hull, counterclockwise from the
    /// leftmost (the lowest of those). Anchors on an edge are not corners.
    pub hull: Vec<usize>,
    /// The shares of the anchors' variance that the two axes explain, between 0 and 1.
    pub explained: [f64; 2],
}

/// The plane of the first two principal components of the anchors' rows of C̄ about their mean. The
/// axes lie in the span of those rows, so that a product with two columns gives the position of
/// every word. The anchor farthest from 0 on an axis (the lower topic of equals) is on its positive
/// side. An axis along which anchors do not differ has only zeros.
///
/// # Source
/// Lee et al. 2021, Figure 2. The paper does not say how it projects.
#[derive(Debug, Clone)]
pub struct Plane {
    /// The axes, W × 2.
    pub axes: Array2<f64>,
    /// Position of the anchors' mean.
    mean: Array1<f64>,
    explained: [f64; 2],
}

impl Plane {
    /// The plane of the anchors whose rows C̄_Sᵀ (W × K) are those of
    /// [`AnchorSpace`](super::anchor_space::AnchorSpace).
    ///
    /// # Cost
    /// 2·W·K² + 9·K³ flops.
    pub fn new(anchor_rows: &Array2<f64>) -> Self {
        let gram = transposed_product(anchor_rows, anchor_rows);
        let (axes, explained) = axes(&gram);
        let mean = gram.mean_axis(Axis(0)).unwrap_or_default().dot(&axes);
        Self { axes: product(anchor_rows, &axes), mean, explained }
    }

    /// Every word's row projected onto the plane. `images` is C̄ times the axes, `anchors` are the
    /// K anchor words. Words without a positive row sum of C have no position and are left out.
    ///
    /// # Panics
    /// When `images` has fewer rows than there are words.
    pub fn words(self, images: Array2<f64>, anchors: &[usize], row_sums: &Array1<f64>) -> WordMap {
        // (C̄_i − mean)ᵀ axis, with axis = Σ_k axes_k C̄_{s_k}.
        let positions = images - self.mean;
        let position = |word: usize| (positions[(word, 0)], positions[(word, 1)]);
        let corners: Vec<(f64, f64)> = anchors.iter().map(|&word| position(word)).collect();
        let occurring = (0..row_sums.len()).filter(|&word| row_sums[word] > 0.0);
        WordMap {
            words: occurring.map(|word| (word, position(word).0, position(word).1)).collect(),
            hull: convex_hull(&corners),
            anchors: corners,
            explained: self.explained,
        }
    }
}

/// The axes as combinations of the anchors' rows, K × 2, and the shares of variance they explain.
fn axes(gram: &Array2<f64>) -> (Array2<f64>, [f64; 2]) {
    let k = gram.nrows();
    let means = gram.mean_axis(Axis(0)).unwrap_or_default();
    let all = means.mean().unwrap_or_default();
    let centred = Array2::from_shape_fn((k, k), |(i, j)| gram[(i, j)] - means[i] - means[j] + all);
    let (values, vectors) = symmetric_eigen(&centred);
    let total: f64 = values.iter().map(|value| value.max(0.0)).sum();
    let mut axes = Array2::zeros((k, 2));
    let mut explained = [0.0; 2];
    for axis in 0..k.min(2) {
        // Relative to the size of the Gram matrix itself, because equal rows leave rounding errors
        // of that size.
        let floor = LEAST_AXIS_VARIANCE * values[0].max(gram.diag().sum() / k as f64);
        if values[axis] <= floor {
            continue;
        }
        let farthest = first_largest(vectors.column(axis).iter().map(|x| x.abs()));
        let sign = vectors[(farthest, axis)].signum();
        // Σ_k vectors_k = 0, so that the mean drops out of Σ_k vectors_k (C̄_{s_k} − mean).
        axes.column_mut(axis).assign(&(&vectors.column(axis) * (sign / values[axis].sqrt())));
        explained[axis] = values[axis] / total;
    }
    (axes, explained)
}

fn first_largest(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, value) in values.enumerate() {
        // Mirror images differ by rounding, which must not decide.
        if value > best.1 * (1.0 + 1e-9) {
            best = (index, value);
        }
    }
    best.0
}

/// The corners of the convex hull, counterclockwise from the leftmost (the lowest of those), by
/// Andrew's monotone chain. Of equal points the first counts. O(n log n).
pub fn convex_hull(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (points[a], points[b]);
        ax.total_cmp(&bx).then(ay.total_cmp(&by)).then(a.cmp(&b))
    });
    order.dedup_by(|b, a| points[*a] == points[*b]);
    if order.len() < 3 {
        return order;
    }
    let mut hull = half_hull(order.iter().copied(), points);
    let upper = half_hull(order.iter().rev().copied(), points);
    hull.pop();
    hull.extend(&upper[..upper.len() - 1]);
    hull
}

/// The points at which the walk turns left, with its two ends.
fn half_hull(walk: impl Iterator<Item = usize>, points: &[(f64, f64)]) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for point in walk {
        while let [.., before, last] = chain[..] {
            if turn(points[before], points[last], points[point]) > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

/// Positive when the path a, b, c turns left.
fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    fn map(rows: &Array2<f64>, anchors: &[usize]) -> WordMap {
        let anchor_rows = rows.select(Axis(0), anchors).t().as_standard_layout().into_owned();
        let plane = Plane::new(&anchor_rows);
        let images = rows.dot(&plane.axes);
        plane.words(images, anchors, &rows.sum_axis(Axis(1)))
    }

    proptest! {
        #[test]
        fn places_are_those_of_principal_components_of_the_rows(
            values in prop::collection::vec(0.0f64..1.0, 12 * 9),
        ) {
            let rows = Array2::from_shape_vec((12, 9), values).expect("shape");
            let anchors = [7, 2, 9, 4, 0];
            let found = map(&rows, &anchors);
            // The covariance in the space of words itself, W × W.
            let chosen = rows.select(Axis(0), &anchors);
            let mean = chosen.mean_axis(Axis(0)).expect("rows");
            let centred = &chosen - &mean;
            let (values, vectors) = symmetric_eigen(&centred.t().dot(&centred));
            prop_assume!(values[1] - values[2] > 1e-3 && values[0] - values[1] > 1e-3);
            for axis in 0..2 {
                let direction = vectors.column(axis);
                let theirs = (&rows - &mean).dot(&direction);
                let ours: Array1<f64> =
                    found.words.iter().map(|&(_, x, y)| [x, y][axis]).collect();
                let same = (&ours - &theirs).iter().all(|x| x.abs() < 1e-9);
                let mirrored = (&ours + &theirs).iter().all(|x| x.abs() < 1e-9);
                prop_assert!(same || mirrored);
                prop_assert!((found.explained[axis] - values[axis] / values.sum()).abs() < 1e-9);
                let anchor = |k: usize| [found.anchors[k].0, found.anchors[k].1][axis];
                let farthest = (0..5).max_by(|&a, &b| anchor(a).abs().total_cmp(&anchor(b).abs()));
                prop_assert!(anchor(farthest.expect("anchors")) > 0.0);
            }
        }

        #[test]
        fn a_hull_turns_left_and_holds_every_point(
            points in prop::collection::vec((0i8..8, 0i8..8), 3..25),
        ) {
            let points: Vec<(f64, f64)> =
                points.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let hull = convex_hull(&points);
            prop_assume!(hull.len() >= 3);
            for (at, &corner) in hull.iter().enumerate() {
                let next = hull[(at + 1) % hull.len()];
                let after = hull[(at + 2) % hull.len()];
                prop_assert!(turn(points[corner], points[next], points[after]) > 0.0);
                for &point in &points {
                    prop_assert!(turn(points[corner], points[next], point) >= 0.0);
                }
            }
        }
    }

    #[test]
    fn a_square_with_a_point_inside_one_on_an_edge_and_one_twice() {
        let square = [(0.0, 1.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (0.5, 0.0)];
        assert_eq!(convex_hull(&square), [3, 4, 1, 0]);
        let line = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (0.0, 0.0)];
        assert_eq!(convex_hull(&line), [0, 2]);
        assert_eq!(convex_hull(&[(0.0, 0.0), (0.0, 0.0)]), [0]);
    }

    #[test]
    fn two_anchors_span_one_axis_and_words_without_a_row_have_no_place() {
        let rows = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.0]];
        let found = map(&rows, &[0, 1]);
        let half = 0.5f64.sqrt();
        let expected = [(0, half), (1, -half), (3, 0.0)];
        assert_eq!(found.words.len(), 3);
        for (&(word, x, y), (number, position)) in found.words.iter().zip(expected) {
            assert!(word == number && (x - position).abs() < 1e-15 && y == 0.0, "{found:?}");
        }
        assert_eq!((found.hull, found.explained), (vec![1, 0], [1.0, 0.0]));
    }

    #[test]
    fn equal_anchors_stand_on_one_point() {
        let rows = array![[0.3, 0.7], [0.3, 0.7], [0.9, 0.1]];
        let found = map(&rows, &[0, 1]);
        assert_eq!(found.words, [(0, 0.0, 0.0), (1, 0.0, 0.0), (2, 0.0, 0.0)]);
        assert_eq!((found.hull, found.explained), (vec![0], [0.0, 0.0]));
    }
}
