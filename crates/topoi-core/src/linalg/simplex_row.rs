//! One row of simplex least squares: an active set that changes in blocks, then one at a time.

use ndarray::{Array2, ArrayView1};

use super::cholesky_update::CholeskyFactor;

/// A row is solved when its gap, relative to the largest squared norm of a vertex, is this small.
const GAP: f64 = 1e-13;
/// Exchanges of many vertices at once before the method continues one at a time. Nearly all rows need
/// fewer; the limit guards against the cycles that block exchanges can fall into.
const BLOCK_EXCHANGES: usize = 10;
/// Vertices with a larger weight in the guess are started with; smaller weights may be rounding.
const GUESSED: f64 = 1e-8;

/// Minimises ½ bᵀGb − fᵀb over the simplex for one f after another.
///
/// The state is a face (a set of affinely independent vertices) and the optimal point of that face, with
/// positive weights on all of its vertices.
pub(super) struct RowSolver<'a> {
    gram: &'a Array2<f64>,
    scale: f64,
    held: Vec<usize>,
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
    /// For G of K × K in row order, and the squared norm that gaps are relative to.
    pub(super) fn new(gram: &'a Array2<f64>, scale: f64) -> Self {
        let k = gram.nrows();
        Self {
            gram,
            scale,
            held: Vec::with_capacity(k),
            weights: Vec::with_capacity(k),
            target: Vec::with_capacity(k),
            ones: Vec::with_capacity(k),
            factor: CholeskyFactor::new(k),
            gradient: vec![0.0; k],
            refused: vec![false; k],
            steps: 0,
        }
    }

    /// Solves for f = `linear` and returns the final relative gap. It starts with the vertices that `guess`
    /// gives weight. Where G or f is not finite there is no solution: the gap is infinite, and no vertex has weight.
    pub(super) fn solve(&mut self, linear: ArrayView1<'_, f64>, guess: &[f64]) -> f64 {
        self.clear();
        let is_finite = self.scale.is_finite() && linear.iter().all(|f| f.is_finite());
        if !is_finite || !self.start_at_a_vertex(linear) {
            return f64::INFINITY;
        }
        let mut gap = self.measure(linear);
        if gap <= GAP {
            return gap;
        }
        self.follow(linear, guess);
        gap = self.measure(linear);
        for _ in 0..BLOCK_EXCHANGES {
            if gap <= GAP {
                return gap;
            }
            self.exchange(linear);
            gap = self.measure(linear);
        }
        self.refused.fill(false);
        // Each round ends at a lower point; the limit only guards against rounding at the end.
        for _ in 0..20 * self.gram.nrows() {
            let Some(vertex) = self.steepest().filter(|_| gap > GAP) else { break };
            if self.add_vertex(vertex) {
                self.settle(linear);
                self.refused.fill(false);
            } else {
                self.refused[vertex] = true;
            }
            gap = self.measure(linear);
        }
        gap
    }

    /// The vertices of the optimal point, and their weights.
    pub(super) fn solution(&self) -> impl Iterator<Item = (usize, f64)> {
        self.held.iter().copied().zip(self.weights.iter().copied())
    }

    /// Makes the nearest vertex the face, with weight 1: a row that is a vertex ends there. False where no vertex
    /// can be a face.
    fn start_at_a_vertex(&mut self, linear: ArrayView1<'_, f64>) -> bool {
        let height = |vertex: usize| 0.5 * self.gram[(vertex, vertex)] - linear[vertex];
        let best = (0..self.gram.nrows()).min_by(|&a, &b| height(a).total_cmp(&height(b)));
        let starts = best.is_some_and(|best| self.add_vertex(best));
        self.weights.fill(1.0);
        starts
    }

    /// Makes the vertices that the guess gives weight the face, if there are any.
    fn follow(&mut self, linear: ArrayView1<'_, f64>, guess: &[f64]) {
        if !guess.iter().any(|&weight| weight > GUESSED) {
            return;
        }
        self.clear();
        for (vertex, &weight) in guess.iter().enumerate() {
            if weight > GUESSED {
                self.add_vertex(vertex);
            }
        }
        self.retreat(linear);
    }

    fn clear(&mut self) {
        self.held.clear();
        self.weights.clear();
        self.factor.truncate(0);
    }

    /// Adds every vertex that would lower the distance, then drops those without weight.
    fn exchange(&mut self, linear: ArrayView1<'_, f64>) {
        let limit = self.height() - GAP * self.scale;
        for vertex in 0..self.gradient.len() {
            if self.gradient[vertex] < limit && !self.held.contains(&vertex) {
                self.add_vertex(vertex);
            }
        }
        self.retreat(linear);
    }

    /// Solves the face and drops every vertex whose weight is not positive, until there is none. This ends,
    /// as weights sum to 1.
    fn retreat(&mut self, linear: ArrayView1<'_, f64>) {
        loop {
            self.best_on_face(linear);
            if self.target.iter().all(|&weight| weight > 0.0) {
                std::mem::swap(&mut self.weights, &mut self.target);
                return;
            }
            let keep: Vec<bool> = self.target.iter().map(|&weight| weight > 0.0).collect();
            self.keep_only(&keep);
        }
    }

    /// Updates the gradient and returns the relative KKT gap.
    fn measure(&mut self, linear: ArrayView1<'_, f64>) -> f64 {
        for (gradient, f) in self.gradient.iter_mut().zip(linear) {
            *gradient = -f;
        }
        let row = |at: usize| {
            self.gram.row(self.held[at]).to_slice().expect("the Gram matrix is in row order")
        };
        let fours = self.held.len() / 4 * 4;
        for at in (0..fours).step_by(4) {
            let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|i| self.weights[at + i]);
            let rows = row(at).iter().zip(row(at + 1)).zip(row(at + 2)).zip(row(at + 3));
            for (gradient, (((g0, g1), g2), g3)) in self.gradient.iter_mut().zip(rows) {
                *gradient += (w0 * g0 + w1 * g1) + (w2 * g2 + w3 * g3);
            }
        }
        for at in fours..self.held.len() {
            for (gradient, g) in self.gradient.iter_mut().zip(row(at)) {
                *gradient += self.weights[at] * g;
            }
        }
        let lowest = self.gradient.iter().fold(f64::INFINITY, |least, &g| least.min(g));
        (self.height() - lowest).max(0.0) / self.scale
    }

    /// bᵀg.
    fn height(&self) -> f64 {
        self.solution().map(|(vertex, weight)| weight * self.gradient[vertex]).sum()
    }

    fn steepest(&self) -> Option<usize> {
        (0..self.gradient.len())
            .filter(|&vertex| !self.refused[vertex] && !self.held.contains(&vertex))
            .min_by(|&a, &b| self.gradient[a].total_cmp(&self.gradient[b]))
    }

    fn add_vertex(&mut self, vertex: usize) -> bool {
        let row = self.gram.row(vertex);
        let own = std::iter::once(row[vertex]);
        let independent = self.factor.append(self.held.iter().map(|&v| row[v]).chain(own));
        if independent {
            self.held.push(vertex);
            self.weights.push(0.0);
        }
        independent
    }

    /// Moves to the optimal point of the face, dropping vertices on the way until that point has only
    /// positive weights.
    fn settle(&mut self, linear: ArrayView1<'_, f64>) {
        loop {
            self.best_on_face(linear);
            if self.target.iter().all(|&weight| weight > 0.0) {
                std::mem::swap(&mut self.weights, &mut self.target);
                return;
            }
            let step = self.step_to_border();
            for (weight, goal) in self.weights.iter_mut().zip(&self.target) {
                *weight += step * (goal - *weight);
            }
            self.drop_empty();
            if self.held.len() <= 1 {
                self.weights.fill(1.0);
                return;
            }
        }
    }

    /// Sets `target` to the optimal weights on the face, negative ones allowed.
    fn best_on_face(&mut self, linear: ArrayView1<'_, f64>) {
        self.steps += 1;
        self.target.clear();
        self.target.extend(self.held.iter().map(|&vertex| linear[vertex]));
        self.ones.clear();
        self.ones.resize(self.held.len(), 1.0);
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
        // The vertex that stopped the step has weight zero but for rounding.
        let blocking = (0..self.held.len())
            .filter(|&i| self.target[i] <= 0.0)
            .min_by(|&a, &b| self.weights[a].total_cmp(&self.weights[b]));
        let keep: Vec<bool> =
            (0..self.held.len()).map(|i| Some(i) != blocking && self.weights[i] > 0.0).collect();
        self.keep_only(&keep);
    }

    /// Drops the vertices whose entry in `keep` is false, and updates the factor.
    fn keep_only(&mut self, keep: &[bool]) {
        let first = keep.iter().position(|kept| !kept).unwrap_or(keep.len());
        self.factor.truncate(first);
        let held = self.held.split_off(first);
        let weights = self.weights.split_off(first);
        for ((vertex, weight), kept) in held.into_iter().zip(weights).zip(&keep[first..]) {
            // A subset of independent vertices is independent, but for rounding.
            if *kept && self.add_vertex(vertex) {
                self.weights[self.held.len() - 1] = weight;
            }
        }
    }
}
