//! Simplex least squares for one row: the active set changes in blocks, then by one vertex at a
//! time.

use ndarray::{Array2, ArrayView1};

use super::cholesky_update::CholeskyFactor;

/// Relative gap at which a row is solved. Gaps are relative to the largest squared norm of a
/// vertex.
const GAP_TOLERANCE: f64 = 1e-13;
/// Limit on exchanges of many vertices at once, before the method continues one at a time. Nearly
/// all rows need fewer; block exchanges can cycle.
const MAX_BLOCK_EXCHANGES: usize = 10;
/// Smallest weight in the guess that puts a vertex into the starting face. Smaller weights may be
/// rounding.
const LEAST_GUESSED_WEIGHT: f64 = 1e-8;

/// Minimises ½ bᵀGb − fᵀb over the simplex for one f after another.
///
/// The state is a face (a set of affinely independent vertices) and the optimal point of that face,
/// where all its vertices have positive weight.
pub(super) struct RowSolver<'a> {
    gram: &'a Array2<f64>,
    scale: f64,
    face: Vec<usize>,
    weights: Vec<f64>,
    target: Vec<f64>,
    ones: Vec<f64>,
    factor: CholeskyFactor,
    gradient: Vec<f64>,
    refused: Vec<bool>,
    /// Number of faces solved so far.
    pub(super) steps: u64,
}

impl<'a> RowSolver<'a> {
    /// A solver for G of K × K in row order. Gaps are relative to `scale`, a squared norm.
    pub(super) fn new(gram: &'a Array2<f64>, scale: f64) -> Self {
        let k = gram.nrows();
        Self {
            gram,
            scale,
            face: Vec::with_capacity(k),
            weights: Vec::with_capacity(k),
            target: Vec::with_capacity(k),
            ones: Vec::with_capacity(k),
            factor: CholeskyFactor::new(k),
            gradient: vec![0.0; k],
            refused: vec![false; k],
            steps: 0,
        }
    }

    /// Solves for f = `linear` and returns the final relative gap. Starts from the vertices with
    /// weight in `guess`. Where G or f is not finite, the gap is infinite and no vertex has weight.
    pub(super) fn solve(&mut self, linear: ArrayView1<'_, f64>, guess: &[f64]) -> f64 {
        self.clear();
        let is_finite = self.scale.is_finite() && linear.iter().all(|f| f.is_finite());
        if !is_finite || !self.start_at_a_vertex(linear) {
            return f64::INFINITY;
        }
        let mut gap = self.update_gradient(linear);
        if gap <= GAP_TOLERANCE {
            return gap;
        }
        self.start_from_guess(linear, guess);
        gap = self.update_gradient(linear);
        for _ in 0..MAX_BLOCK_EXCHANGES {
            if gap <= GAP_TOLERANCE {
                return gap;
            }
            self.exchange(linear);
            gap = self.update_gradient(linear);
        }
        self.refused.fill(false);
        // Each round lowers the objective; the limit guards against rounding at the end.
        for _ in 0..20 * self.gram.nrows() {
            let Some(vertex) = self.steepest().filter(|_| gap > GAP_TOLERANCE) else { break };
            if self.add_vertex(vertex) {
                self.move_to_optimum(linear);
                self.refused.fill(false);
            } else {
                self.refused[vertex] = true;
            }
            gap = self.update_gradient(linear);
        }
        gap
    }

    /// The vertices of the optimal point, and their weights.
    pub(super) fn solution(&self) -> impl Iterator<Item = (usize, f64)> {
        self.face.iter().copied().zip(self.weights.iter().copied())
    }

    /// Makes the nearest vertex the face, with weight 1; the solution of a row that equals a
    /// vertex. False where no vertex can be a face.
    fn start_at_a_vertex(&mut self, linear: ArrayView1<'_, f64>) -> bool {
        let height = |vertex: usize| 0.5 * self.gram[(vertex, vertex)] - linear[vertex];
        let best = (0..self.gram.nrows()).min_by(|&a, &b| height(a).total_cmp(&height(b)));
        let starts = best.is_some_and(|best| self.add_vertex(best));
        self.weights.fill(1.0);
        starts
    }

    /// Makes the vertices with weight in the guess the face, if there are any.
    fn start_from_guess(&mut self, linear: ArrayView1<'_, f64>, guess: &[f64]) {
        if !guess.iter().any(|&weight| weight > LEAST_GUESSED_WEIGHT) {
            return;
        }
        self.clear();
        for (vertex, &weight) in guess.iter().enumerate() {
            if weight > LEAST_GUESSED_WEIGHT {
                self.add_vertex(vertex);
            }
        }
        self.drop_nonpositive(linear);
    }

    fn clear(&mut self) {
        self.face.clear();
        self.weights.clear();
        self.factor.truncate(0);
    }

    /// Adds every vertex that would lower the distance, then drops those without weight.
    fn exchange(&mut self, linear: ArrayView1<'_, f64>) {
        let limit = self.mean_gradient() - GAP_TOLERANCE * self.scale;
        for vertex in 0..self.gradient.len() {
            if self.gradient[vertex] < limit && !self.face.contains(&vertex) {
                self.add_vertex(vertex);
            }
        }
        self.drop_nonpositive(linear);
    }

    /// Solves the face and drops the vertices without positive weight, until all weights are
    /// positive. Ends because weights sum to 1.
    fn drop_nonpositive(&mut self, linear: ArrayView1<'_, f64>) {
        loop {
            self.solve_face(linear);
            if self.target.iter().all(|&weight| weight > 0.0) {
                std::mem::swap(&mut self.weights, &mut self.target);
                return;
            }
            let keep: Vec<bool> = self.target.iter().map(|&weight| weight > 0.0).collect();
            self.keep_only(&keep);
        }
    }

    /// Updates the gradient and returns the relative KKT gap.
    fn update_gradient(&mut self, linear: ArrayView1<'_, f64>) -> f64 {
        for (gradient, f) in self.gradient.iter_mut().zip(linear) {
            *gradient = -f;
        }
        let row = |at: usize| {
            self.gram.row(self.face[at]).to_slice().expect("the Gram matrix is in row order")
        };
        let fours = self.face.len() / 4 * 4;
        for at in (0..fours).step_by(4) {
            let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|i| self.weights[at + i]);
            let rows = row(at).iter().zip(row(at + 1)).zip(row(at + 2)).zip(row(at + 3));
            for (gradient, (((g0, g1), g2), g3)) in self.gradient.iter_mut().zip(rows) {
                *gradient += (w0 * g0 + w1 * g1) + (w2 * g2 + w3 * g3);
            }
        }
        for at in fours..self.face.len() {
            for (gradient, g) in self.gradient.iter_mut().zip(row(at)) {
                *gradient += self.weights[at] * g;
            }
        }
        let lowest = self.gradient.iter().fold(f64::INFINITY, |least, &g| least.min(g));
        (self.mean_gradient() - lowest).max(0.0) / self.scale
    }

    /// bᵀg.
    fn mean_gradient(&self) -> f64 {
        self.solution().map(|(vertex, weight)| weight * self.gradient[vertex]).sum()
    }

    fn steepest(&self) -> Option<usize> {
        (0..self.gradient.len())
            .filter(|&vertex| !self.refused[vertex] && !self.face.contains(&vertex))
            .min_by(|&a, &b| self.gradient[a].total_cmp(&self.gradient[b]))
    }

    fn add_vertex(&mut self, vertex: usize) -> bool {
        let row = self.gram.row(vertex);
        let own = std::iter::once(row[vertex]);
        let independent = self.factor.append(self.face.iter().map(|&v| row[v]).chain(own));
        if independent {
            self.face.push(vertex);
            self.weights.push(0.0);
        }
        independent
    }

    /// Moves to the optimal point of the face. Drops vertices on the way until all weights are
    /// positive.
    fn move_to_optimum(&mut self, linear: ArrayView1<'_, f64>) {
        loop {
            self.solve_face(linear);
            if self.target.iter().all(|&weight| weight > 0.0) {
                std::mem::swap(&mut self.weights, &mut self.target);
                return;
            }
            let step = self.step_to_border();
            for (weight, goal) in self.weights.iter_mut().zip(&self.target) {
                *weight += step * (goal - *weight);
            }
            self.drop_empty();
            if self.face.len() <= 1 {
                self.weights.fill(1.0);
                return;
            }
        }
    }

    /// Sets `target` to the optimal weights on the face, negative ones allowed.
    fn solve_face(&mut self, linear: ArrayView1<'_, f64>) {
        self.steps += 1;
        self.target.clear();
        self.target.extend(self.face.iter().map(|&vertex| linear[vertex]));
        self.ones.clear();
        self.ones.resize(self.face.len(), 1.0);
        self.factor.solve(&mut self.target);
        self.factor.solve(&mut self.ones);
        let excess = self.target.iter().sum::<f64>() - 1.0;
        let multiplier = excess / self.ones.iter().sum::<f64>();
        for (weight, one) in self.target.iter_mut().zip(&self.ones) {
            *weight -= multiplier * one;
        }
    }

    fn step_to_border(&self) -> f64 {
        let falling = self.weights.iter().zip(&self.target).filter(|&(_, &goal)| goal <= 0.0);
        falling.map(|(&weight, &goal)| weight / (weight - goal)).fold(1.0, f64::min).max(0.0)
    }

    fn drop_empty(&mut self) {
        // The vertex that stopped the step has weight zero up to rounding.
        let blocking = (0..self.face.len())
            .filter(|&i| self.target[i] <= 0.0)
            .min_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]));
        let keep: Vec<bool> =
            (0..self.face.len()).map(|i| Some(i) != blocking && self.weights[i] > 0.0).collect();
        self.keep_only(&keep);
    }

    /// Drops the vertices whose entry in `keep` is false, and updates the factor.
    fn keep_only(&mut self, keep: &[bool]) {
        let first = keep.iter().position(|kept| !kept).unwrap_or(keep.len());
        self.factor.truncate(first);
        let held = self.face.split_off(first);
        let weights = self.weights.split_off(first);
        for ((vertex, weight), kept) in held.into_iter().zip(weights).zip(&keep[first..]) {
            // A subset of independent vertices is independent up to rounding.
            if *kept && self.add_vertex(vertex) {
                self.weights[self.face.len() - 1] = weight;
            }
        }
    }
}
