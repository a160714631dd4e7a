//! Least squares over the simplex: every row as a mixture of a few vertices.

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;

use super::cholesky_update::CholeskyFactor;
use super::dense::product;

/// A row is solved when its gap, relative to the largest squared norm of a vertex, is this small.
const GAP: f64 = 1e-13;

/// Mixtures and how far from optimal they are.
#[derive(Debug, Clone)]
pub struct SimplexFit {
    /// n × K; every row is nonnegative and sums to 1.
    pub weights: Array2<f64>,
    /// The largest KKT gap of any row, relative to the largest squared norm of a vertex.
    pub worst_gap: f64,
    /// Faces solved in all rows together.
    pub steps: u64,
}

/// For every row x of X: the b on the simplex that makes ‖x − bᵀV‖ least.
///
/// An active-set method per row (Wolfe's for the nearest point of a polytope): it starts at the
/// best vertex, takes in the vertex that lowers the distance most, solves on the vertices it
/// holds, drops those whose weight would turn negative, and ends when no vertex helps. The gap
/// it measures, bᵀg − min_k g_k with gradient g, bounds how far the squared distance lies above
/// its minimum, whatever happened on the way.
///
/// # Shapes
/// X is n × p, V (vertices) is K × p, K ≥ 1. The vertices may be linearly dependent.
///
/// # Cost
/// 2·n·p·K flops for the products; then for a row with s positive weights about s·(K·s + s²).
///
/// # Source
/// Lee et al. 2021, algorithms 1 and 5, line "simplex-constrained least squares"; Wolfe 1976,
/// "Finding the nearest point in a polytope".
pub fn simplex_least_squares(x: &Array2<f64>, vertices: &Array2<f64>) -> SimplexFit {
    let k = vertices.nrows();
    let transposed = vertices.t().as_standard_layout().to_owned();
    // On the simplex Σb = 1, so adding a constant to every product moves the objective by a
    // constant only, and makes the Gram matrix of affinely independent vertices definite.
    let mut gram = product(vertices, &transposed);
    let shift = gram.diag().sum() / k as f64;
    gram += shift;
    let linear = product(x, &transposed) + shift;
    let scale = gram.diag().iter().fold(f64::MIN_POSITIVE, |most: f64, &g| most.max(g));
    let mut weights = Array2::zeros((x.nrows(), k));
    let (worst_gap, steps) = weights
        .axis_iter_mut(Axis(0))
        .into_par_iter()
        .zip(linear.axis_iter(Axis(0)))
        .map_init(
            || ActiveSet::new(&gram, scale),
            |solver, (mut row, linear)| {
                let gap = solver.solve(linear);
                for (&vertex, &weight) in solver.held.iter().zip(&solver.weights) {
                    row[vertex] = weight;
                }
                (gap, std::mem::take(&mut solver.steps))
            },
        )
        .reduce(|| (0.0, 0), |a, b| (f64::max(a.0, b.0), a.1 + b.1));
    SimplexFit { weights, worst_gap, steps }
}

/// One row's problem: minimise ½ bᵀGb − fᵀb over the simplex.
struct ActiveSet<'a> {
    gram: &'a Array2<f64>,
    scale: f64,
    held: Vec<usize>,
    weights: Vec<f64>,
    factor: CholeskyFactor,
    gradient: Vec<f64>,
    refused: Vec<bool>,
    steps: u64,
}

impl<'a> ActiveSet<'a> {
    fn new(gram: &'a Array2<f64>, scale: f64) -> Self {
        let k = gram.nrows();
        Self {
            gram,
            scale,
            held: Vec::with_capacity(k),
            weights: Vec::with_capacity(k),
            factor: CholeskyFactor::default(),
            gradient: vec![0.0; k],
            refused: vec![false; k],
            steps: 0,
        }
    }

    /// Solves for f = `linear` and returns the relative gap it ended with.
    fn solve(&mut self, linear: ArrayView1<'_, f64>) -> f64 {
        let k = self.gram.nrows();
        self.start(linear);
        let mut gap = self.measure(linear);
        // Each round ends at a lower point; the limit only guards against rounding at the end.
        for _ in 0..20 * k {
            let Some(vertex) = self.steepest().filter(|_| gap > GAP) else { break };
            if self.take_in(vertex) {
                self.settle(linear);
                self.refused.fill(false);
            } else {
                self.refused[vertex] = true;
            }
            gap = self.measure(linear);
        }
        gap
    }

    fn start(&mut self, linear: ArrayView1<'_, f64>) {
        let height = |vertex: usize| 0.5 * self.gram[(vertex, vertex)] - linear[vertex];
        let best = (0..self.gram.nrows())
            .min_by(|&a, &b| height(a).total_cmp(&height(b)))
            .unwrap_or_default();
        self.held.clear();
        self.weights.clear();
        self.factor.clear();
        self.refused.fill(false);
        self.take_in(best);
        self.weights[0] = 1.0;
    }

    /// Renews the gradient and returns the relative KKT gap.
    fn measure(&mut self, linear: ArrayView1<'_, f64>) -> f64 {
        for (gradient, f) in self.gradient.iter_mut().zip(linear) {
            *gradient = -f;
        }
        for (&vertex, &weight) in self.held.iter().zip(&self.weights) {
            let row = self.gram.row(vertex);
            for (gradient, g) in self.gradient.iter_mut().zip(row) {
                *gradient += weight * g;
            }
        }
        let here: f64 =
            self.held.iter().zip(&self.weights).map(|(&v, w)| w * self.gradient[v]).sum();
        let lowest = self.gradient.iter().fold(f64::INFINITY, |least, &g| least.min(g));
        (here - lowest).max(0.0) / self.scale
    }

    fn steepest(&self) -> Option<usize> {
        (0..self.gradient.len())
            .filter(|&vertex| !self.refused[vertex] && !self.held.contains(&vertex))
            .min_by(|&a, &b| self.gradient[a].total_cmp(&self.gradient[b]))
    }

    fn take_in(&mut self, vertex: usize) -> bool {
        let row = self.gram.row(vertex);
        let mut entries: Vec<f64> = self.held.iter().map(|&other| row[other]).collect();
        entries.push(row[vertex]);
        let independent = self.factor.append(entries);
        if independent {
            self.held.push(vertex);
            self.weights.push(0.0);
        }
        independent
    }

    /// Moves to the best point of the face that is held, dropping vertices on the way until
    /// that point has only positive weights.
    fn settle(&mut self, linear: ArrayView1<'_, f64>) {
        loop {
            self.steps += 1;
            let target = self.best_on_face(linear);
            if target.iter().all(|&weight| weight > 0.0) {
                self.weights = target;
                return;
            }
            let step = self.step_to_border(&target);
            for (weight, goal) in self.weights.iter_mut().zip(&target) {
                *weight += step * (goal - *weight);
            }
            self.drop_empty(&target);
            if self.held.len() <= 1 {
                self.weights.fill(1.0);
                return;
            }
        }
    }

    fn best_on_face(&self, linear: ArrayView1<'_, f64>) -> Vec<f64> {
        let mut unconstrained: Vec<f64> = self.held.iter().map(|&v| linear[v]).collect();
        let mut ones = vec![1.0; self.held.len()];
        self.factor.solve(&mut unconstrained);
        self.factor.solve(&mut ones);
        let excess = unconstrained.iter().sum::<f64>() - 1.0;
        let multiplier = excess / ones.iter().sum::<f64>();
        for (weight, one) in unconstrained.iter_mut().zip(&ones) {
            *weight -= multiplier * one;
        }
        unconstrained
    }

    fn step_to_border(&self, target: &[f64]) -> f64 {
        let falling = self.weights.iter().zip(target).filter(|&(_, &goal)| goal <= 0.0);
        falling.map(|(&weight, &goal)| weight / (weight - goal)).fold(1.0, f64::min).max(0.0)
    }

    fn drop_empty(&mut self, target: &[f64]) {
        // The vertex that stopped the step has weight zero but for rounding.
        let blocking = (0..self.held.len())
            .filter(|&i| target[i] <= 0.0)
            .min_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]));
        let keep: Vec<bool> =
            (0..self.held.len()).map(|i| Some(i) != blocking && self.weights[i] > 0.0).collect();
        let first = keep.iter().position(|kept| !kept).unwrap_or(keep.len());
        let mut kept = keep.iter();
        self.held.retain(|_| *kept.next().unwrap_or(&true));
        let mut kept = keep.iter();
        self.weights.retain(|_| *kept.next().unwrap_or(&true));
        self.factor.truncate(first);
        for i in first..self.held.len() {
            let row = self.gram.row(self.held[i]);
            let entries = self.held[..=i].iter().map(|&other| row[other]).collect();
            // A subset of independent vertices is independent.
            self.factor.append(entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, array};
    use proptest::prelude::*;

    fn distance(x: &Array1<f64>, b: &Array1<f64>, vertices: &Array2<f64>) -> f64 {
        let miss = x - &b.dot(vertices);
        miss.dot(&miss)
    }

    /// Projected gradient with a bisected simplex projection: slow, simple, independent.
    fn naive(x: &Array1<f64>, vertices: &Array2<f64>) -> Array1<f64> {
        let k = vertices.nrows();
        let gram = vertices.dot(&vertices.t());
        let linear = vertices.dot(x);
        let lipschitz = gram.iter().map(|g| g.abs()).sum::<f64>().max(1e-9);
        let mut b = Array1::from_elem(k, 1.0 / k as f64);
        for _ in 0..20_000 {
            let moved = &b - &((gram.dot(&b) - &linear) / lipschitz);
            let (mut low, mut high) = (-10.0, 10.0);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                let sum: f64 = moved.iter().map(|m| (m - middle).max(0.0)).sum();
                if sum > 1.0 { low = middle } else { high = middle }
            }
            b = moved.mapv(|m| (m - low).max(0.0));
        }
        b
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn it_is_as_near_as_projected_gradient(
            points in prop::collection::vec(-1.0f64..1.0, 12),
            corners in prop::collection::vec(-1.0f64..1.0, 24),
            k in 1usize..6,
        ) {
            let x = Array2::from_shape_vec((3, 4), points).expect("shape");
            let vertices = Array2::from_shape_vec((6, 4), corners).expect("shape");
            let vertices = vertices.slice(ndarray::s![..k, ..]).to_owned();
            let fit = simplex_least_squares(&x, &vertices);
            prop_assert!(fit.worst_gap <= 1e-10, "gap {}", fit.worst_gap);
            for (row, weights) in x.rows().into_iter().zip(fit.weights.rows()) {
                let (row, weights) = (row.to_owned(), weights.to_owned());
                prop_assert!(weights.iter().all(|&w| w >= 0.0));
                prop_assert!((weights.sum() - 1.0).abs() < 1e-9);
                let ours = distance(&row, &weights, &vertices);
                let theirs = distance(&row, &naive(&row, &vertices), &vertices);
                prop_assert!(ours <= theirs + 1e-6, "ours {ours}, naive {theirs}");
            }
        }
    }

    #[test]
    fn dependent_vertices_are_no_trouble() {
        // Four corners of a square: affinely dependent; two equal vertices besides.
        let vertices = array![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]];
        let x = array![[0.25, 0.5], [2.0, 2.0], [0.5, -1.0]];
        let fit = simplex_least_squares(&x, &vertices);
        assert!(fit.worst_gap <= 1e-10, "gap {}", fit.worst_gap);
        let nearest = fit.weights.dot(&vertices);
        for (found, expected) in nearest.iter().zip([0.25, 0.5, 1.0, 1.0, 0.5, 0.0]) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }
}
