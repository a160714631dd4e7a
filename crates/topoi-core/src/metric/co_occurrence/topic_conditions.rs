//! Conditions on the topics' correlations under which topics can be identified.

use ndarray::{Array1, Array2, Axis};

use crate::linalg::dense::symmetric_eigen;
use crate::linalg::simplex_least_squares::simplex_least_squares;
use crate::metric::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// γ_s: least distance of a row of R̄ = diag(a)⁻¹ A diag(a)⁻¹, a = p(topic), from the convex
    /// hull of the other rows. Near 0 a topic is nearly a mixture of others, and its novel words
    /// cannot be told from theirs by any method
    pub const SIMPLICIAL {
        id: "simplicial",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2015, condition 1, lemma 1",
        tags: &[],
    }
}
metric_def! {
    /// γ_a: least ‖Σ λ_k R̄_k‖ / ‖λ‖ over λ that sum to 0; at most γ_s. Near 0 words can be mixed
    /// from the topics in several ways, and B cannot be estimated by any method. Both grow with R̄,
    /// so compare them between runs of the same K
    pub const AFFINE_INDEPENDENCE {
        id: "affine_independence",
        scope: Scope::Run,
        better: None,
        range: ValueRange::from(0.0),
        source: "Ding et al. 2015, condition 2, lemma 2",
        tags: &[],
    }
}

/// The condition numbers γ_s and γ_a of R̄ = diag(a)⁻¹·A·diag(a)⁻¹, the normalised second moment of
/// the topics' weights, for A (K × K) and a = p(topic).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicConditions {
    /// γ_s, the smallest distance of a row of R̄ from the convex hull of the others. At 0 a topic
    /// is a mixture of others, and no method can find its novel words.
    pub simplicial: f64,
    /// γ_a, the minimum of ‖Σ λ_k R̄_k‖ / ‖λ‖ over λ ≠ 0 that sum to 0. At 0 a word can be mixed
    /// from the topics in more than one way, and no method can estimate them. γ_s ≥ γ_a.
    pub affine_independence: f64,
}

/// Computes γ_s and γ_a. `None` when a topic has no weight, R̄ overflows, or a correlation is not
/// finite.
///
/// # Cost
/// K simplex least squares in K dimensions and the eigenvalues of a K × K matrix.
///
/// # Source
/// Ding et al. 2015, conditions 1 and 2, lemmas 1 and 2.
pub fn topic_conditions(a: &Array2<f64>, weights: &Array1<f64>) -> Option<TopicConditions> {
    let k = weights.len();
    let is_known = weights.iter().all(|&weight| weight > 0.0) && a.iter().all(|x| x.is_finite());
    if k < 2 || !is_known {
        return None;
    }
    let r_bar = Array2::from_shape_fn((k, k), |(i, j)| a[(i, j)] / (weights[i] * weights[j]));
    // The computation below squares R̄ and sums.
    if !r_bar.iter().map(|entry| entry * entry).sum::<f64>().is_finite() {
        return None;
    }
    let simplicial = (0..k).map(|topic| distance_from_others(&r_bar, topic));
    Some(TopicConditions {
        simplicial: simplicial.fold(f64::INFINITY, f64::min),
        affine_independence: affine_independence(&r_bar),
    })
}

fn distance_from_others(r_bar: &Array2<f64>, topic: usize) -> f64 {
    let others: Vec<usize> = (0..r_bar.nrows()).filter(|&other| other != topic).collect();
    let vertices = r_bar.select(Axis(0), &others);
    let row = r_bar.select(Axis(0), &[topic]);
    let fit = simplex_least_squares(&row, &vertices);
    let miss = &row - &fit.weights.dot(&vertices);
    miss.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The square root of the second smallest eigenvalue of P·R̄R̄ᵀ·P, with P the projection onto
/// vectors that sum to 0. The smallest belongs to the vector of ones, which P removes.
fn affine_independence(r_bar: &Array2<f64>) -> f64 {
    let k = r_bar.nrows();
    let centred = r_bar - &r_bar.mean_axis(Axis(0)).expect("K rows").insert_axis(Axis(0));
    let (values, _) = symmetric_eigen(&centred.dot(&centred.t()));
    values[k - 2].max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{standard_normal, stream};
    use ndarray::array;

    #[test]
    fn known_matrices_have_their_constants() {
        // R̄ = I: a row is √(1 + 1/(K−1)) from the centre of the others, the nearest point; and ‖Σ
        // λ_k e_k‖ = ‖λ‖.
        let weights = Array1::from_elem(4, 0.25);
        let found = topic_conditions(&(Array2::eye(4) / 16.0), &weights).expect("weights");
        assert!((found.simplicial - (4.0f64 / 3.0).sqrt()).abs() < 1e-9);
        assert!((found.affine_independence - 1.0).abs() < 1e-9);
        // The third topic is the centre of the first two.
        let thirds = Array1::from_elem(3, 1.0 / 3.0);
        let a = array![[2.0, 0.0, 1.0], [0.0, 2.0, 1.0], [1.0, 1.0, 1.0]] / 9.0;
        let flat = topic_conditions(&a, &thirds).expect("weights");
        assert!(flat.simplicial < 1e-7 && flat.affine_independence < 1e-7);
        assert_eq!(topic_conditions(&a, &array![0.5, 0.5, 0.0]), None);
        // Weights with product 0, or with a reciprocal whose square overflows.
        for tiny in [1e-170, 1e-90] {
            assert_eq!(topic_conditions(&a, &array![1.0, tiny, tiny]), None, "{tiny}");
        }
        // Anchors that never occur together do not distinguish topics.
        let none = topic_conditions(&Array2::zeros((3, 3)), &thirds).expect("weights");
        assert_eq!((none.simplicial, none.affine_independence), (0.0, 0.0));
    }

    #[test]
    fn affine_independence_is_the_least_over_many_directions() {
        let mut rng = stream(2, "conditions");
        let root = Array2::from_shape_fn((3, 5), |_| standard_normal(&mut rng).abs());
        let r_bar = root.dot(&root.t());
        let weights = Array1::from_elem(3, 1.0);
        let found = topic_conditions(&r_bar, &weights).expect("weights");
        // λ runs once around the circle of unit vectors that sum to 0.
        let (u, v) = (array![1.0, -1.0, 0.0] / 2f64.sqrt(), array![1.0, 1.0, -2.0] / 6f64.sqrt());
        let least = (0..20_000)
            .map(|step| {
                let angle = std::f64::consts::TAU * f64::from(step) / 20_000.0;
                let image = (&u * angle.cos() + &v * angle.sin()).dot(&r_bar);
                image.dot(&image).sqrt()
            })
            .fold(f64::INFINITY, f64::min);
        assert!((found.affine_independence - least).abs() < 1e-5 * least.max(1.0));
        assert!(found.simplicial >= found.affine_independence);
    }
}
