//! Least squares over the simplex: every row as a mixture of a few vertices.

use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::dense::{cholesky, product, upper_inverse};
use super::simplex_row::RowSolver;

/// Convex combinations of vertices, with a bound on how far from optimal they are.
#[derive(Debug, Clone)]
pub struct SimplexFit {
    /// Weights, n × K. Every row is nonnegative and sums to 1.
    pub weights: Array2<f64>,
    /// The largest KKT gap of any row, relative to the largest squared norm of a vertex. Infinite
    /// where squared norms overflow or a number is not finite.
    pub worst_gap: f64,
    /// Number of faces solved, over all rows.
    pub steps: u64,
}

/// For every row x of X, the b on the simplex that minimises ‖x − bᵀV‖.
///
/// An active-set method per row. A row that equals a vertex gets exactly weight 1 on it. Otherwise
/// the method starts from the vertices with positive weight in the affine optimum (negative weights
/// allowed). It exchanges many vertices at once until the point is optimal or a limit is reached:
/// vertices that lower the distance enter, those without weight leave. After the limit it continues
/// as Wolfe's method for the nearest point of a polytope, one vertex at a time, and each step
/// lowers the distance. The measured gap bᵀg − min_k g_k, with g the gradient, bounds how far the
/// squared distance is above its minimum.
///
/// # Shapes
/// X is n × p and V (vertices) K × p with K ≥ 1. The vertices may be linearly dependent.
///
/// # Cost
/// 2·n·(p + K)·K flops for the products. A row that ends with s positive weights takes about ten
/// times s³/3 + 2·K·s. Memory 2·n·K.
///
/// # Source
/// Lee et al. 2021, algorithms 1 and 5, line "simplex-constrained least squares"; Wolfe 1976,
/// "Finding the nearest point in a polytope"; Júdice and Pires 1994, "A block principal pivoting
/// algorithm for large-scale strictly monotone linear complementarity problems", for the
/// exchanges in blocks.
pub fn simplex_least_squares(x: &Array2<f64>, vertices: &Array2<f64>) -> SimplexFit {
    let transposed = vertices.t().as_standard_layout().to_owned();
    simplex_fit_of_products(product(vertices, &transposed), product(x, &transposed))
}

/// [`simplex_least_squares`] from the products V·Vᵀ (K × K) and X·Vᵀ (n × K) alone.
pub fn simplex_fit_of_products(gram: Array2<f64>, linear: Array2<f64>) -> SimplexFit {
    simplex_fit(gram, linear, None)
}

/// [`simplex_fit_of_products`] that starts from the vertices with weight in `guess` (n × K), if
/// there is one. A near guess saves steps; the weights are the same to rounding.
pub fn simplex_fit(
    mut gram: Array2<f64>,
    mut linear: Array2<f64>,
    guess: Option<Array2<f64>>,
) -> SimplexFit {
    // On the simplex Σb = 1, so adding a constant to every product shifts the objective by a
    // constant. It makes the Gram matrix of affinely independent vertices definite.
    let mean = gram.diag().sum() / gram.nrows() as f64;
    // When all vertices are zero every mixture is equally good.
    let shift = if mean > 0.0 { mean } else { 1.0 };
    gram += shift;
    linear += shift;
    let scale = match gram.iter().all(|g| g.is_finite()) {
        true => gram.diag().iter().fold(f64::MIN_POSITIVE, |most: f64, &g| most.max(g)),
        false => f64::INFINITY,
    };
    let guess = guess.map(|guess| guess.as_standard_layout().into_owned());
    let mut weights = guess.unwrap_or_else(|| affine_least_squares(&gram, &linear));
    let (worst_gap, steps) = weights
        .axis_iter_mut(Axis(0))
        .into_par_iter()
        .zip(linear.axis_iter(Axis(0)))
        .map_init(
            || RowSolver::new(&gram, scale),
            |solver, (mut row, linear)| {
                let guess = row.as_slice().expect("weights are in row order");
                let gap = solver.solve(linear, guess);
                row.fill(0.0);
                solver.solution().for_each(|(vertex, weight)| row[vertex] = weight);
                (gap, std::mem::take(&mut solver.steps))
            },
        )
        .reduce(|| (0.0, 0), |a, b| (f64::max(a.0, b.0), a.1 + b.1));
    SimplexFit { weights, worst_gap, steps }
}

/// For every row f of `linear`, the b with Σb = 1 that minimises ½ bᵀGb − fᵀb, negative weights
/// allowed. Used as a starting point. Zeros when G is not definite.
fn affine_least_squares(gram: &Array2<f64>, linear: &Array2<f64>) -> Array2<f64> {
    let Some(factor) = cholesky(gram) else { return Array2::zeros(linear.dim()) };
    let root = upper_inverse(&factor);
    let inverse = product(&root, &root.t().as_standard_layout().to_owned());
    let mut weights = product(linear, &inverse);
    let ones = inverse.sum_axis(Axis(0));
    let total = ones.sum();
    weights.axis_iter_mut(Axis(0)).into_par_iter().for_each(|mut row| {
        let excess = row.sum() - 1.0;
        row.scaled_add(-excess / total, &ones);
    });
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, array};
    use proptest::prelude::*;

    #[test]
    fn vertices_that_are_zero_leave_some_mixture() {
        let fit = simplex_least_squares(&array![[1.0, 2.0]], &Array2::zeros((3, 2)));
        assert!((fit.weights.sum() - 1.0).abs() < 1e-12 && fit.worst_gap < 1e-8);
    }

    #[test]
    fn numbers_that_are_not_finite_have_an_infinite_gap() {
        let x = array![[1.0, 2.0]];
        for entry in [f64::NAN, f64::INFINITY, 1e200] {
            let vertices = array![[entry, 0.0], [0.0, 1.0]];
            assert_eq!(simplex_least_squares(&x, &vertices).worst_gap, f64::INFINITY, "{entry}");
        }
        assert_eq!(
            simplex_least_squares(&(x * f64::NAN), &Array2::eye(2)).worst_gap,
            f64::INFINITY
        );
    }

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
    fn a_guess_changes_the_steps_and_not_the_mixtures() {
        let vertices = Array2::from_shape_fn((7, 9), |(k, j)| ((k * 5 + j * 3) as f64).sin());
        let x = Array2::from_shape_fn((40, 9), |(i, j)| ((i * 3 + j * 7) as f64).cos() * 0.4);
        let linear = x.dot(&vertices.t());
        let gram = vertices.dot(&vertices.t());
        let cold = simplex_fit_of_products(gram.clone(), linear.clone());
        for guess in [cold.weights.clone(), Array2::zeros((40, 7)), Array2::ones((40, 7))] {
            let warm = simplex_fit(gram.clone(), linear.clone(), Some(guess));
            assert!(warm.worst_gap <= 1e-12, "gap {}", warm.worst_gap);
            let apart = (&warm.weights - &cold.weights).mapv(f64::abs);
            assert!(apart.iter().all(|&difference| difference < 1e-9));
        }
        let again = simplex_fit(gram, linear, Some(cold.weights.clone()));
        assert!(again.steps < cold.steps, "{} of {}", again.steps, cold.steps);
    }

    /// bᵀg − min_k g_k with g = V(Vᵀb − x), relative to the largest squared vertex.
    fn gap(x: &Array1<f64>, b: &Array1<f64>, vertices: &Array2<f64>) -> f64 {
        let gradient = vertices.dot(&(b.dot(vertices) - x));
        let lowest = gradient.iter().fold(f64::INFINITY, |least: f64, &g| least.min(g));
        let largest = vertices.rows().into_iter().map(|row| row.dot(&row)).fold(0.0, f64::max);
        (b.dot(&gradient) - lowest) / largest
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn many_vertices_near_each_other_or_dependent_are_solved_to_rounding(
            corners in prop::collection::vec(-1.0f64..1.0, 40 * 30),
            points in prop::collection::vec(-1.0f64..1.0, 8 * 30),
            k in 1usize..40,
            dimensions in 1usize..30,
            common in 0.0f64..100.0,
            reach in 0.01f64..3.0,
        ) {
            let cut = |values: Vec<f64>, rows: usize, count: usize| {
                let whole = Array2::from_shape_vec((rows, 30), values).expect("shape");
                whole.slice(ndarray::s![..count, ..dimensions]).to_owned()
            };
            let vertices = cut(corners, 40, k) + common;
            let x = cut(points, 8, 8) * reach + common;
            let fit = simplex_least_squares(&x, &vertices);
            prop_assert!(fit.worst_gap <= 1e-12, "claimed gap {}", fit.worst_gap);
            for (row, weights) in x.rows().into_iter().zip(fit.weights.rows()) {
                let gap = gap(&row.to_owned(), &weights.to_owned(), &vertices);
                prop_assert!(weights.iter().all(|&w| w >= 0.0) && gap <= 1e-11, "gap {gap}");
                prop_assert!((weights.sum() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_row_that_is_a_vertex_has_its_weight_alone() {
        let vertices =
            Array2::from_shape_fn((9, 12), |(k, j)| ((k * 5 + j * 3) as f64).sin() + 7.0);
        assert_eq!(simplex_least_squares(&vertices, &vertices).weights, Array2::<f64>::eye(9));
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
