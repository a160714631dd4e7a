//! Topics as points in a plane; topics with similar words are near each other.

use ndarray::{Array2, ArrayView1};

use topoi_core::linalg::dense::symmetric_eigen;

/// The Jensen–Shannon divergence of two distributions, in nats, from 0 to ln 2.
pub fn jensen_shannon(p: ArrayView1<'_, f64>, q: ArrayView1<'_, f64>) -> f64 {
    let part = |p: f64, m: f64| if p > 0.0 { p * (p / m).ln() } else { 0.0 };
    let sum: f64 =
        p.iter().zip(q).map(|(&p, &q)| part(p, (p + q) / 2.0) + part(q, (p + q) / 2.0)).sum();
    (sum / 2.0).max(0.0)
}

/// (x, y) of each topic of B (W × K): principal coordinates with the Jensen–Shannon divergence as the distance, as in
/// pyLDAvis. The sign of each axis is chosen so that its farthest topic is positive. O(K²·W + K³).
///
/// # Source
/// Sievert and Shirley 2014, §3.1; Gower 1966, "Some distance properties of latent root and vector
/// methods".
pub fn topic_plane(b: &Array2<f64>) -> Vec<(f64, f64)> {
    let k = b.ncols();
    let b = b.t().as_standard_layout().into_owned();
    let mut squares = Array2::zeros((k, k));
    for i in 0..k {
        for j in 0..i {
            let distance = jensen_shannon(b.row(i), b.row(j));
            squares[(i, j)] = distance * distance;
            squares[(j, i)] = squares[(i, j)];
        }
    }
    let means: Vec<f64> = squares.rows().into_iter().map(|row| row.sum() / k as f64).collect();
    let all = means.iter().sum::<f64>() / k as f64;
    let centred = Array2::from_shape_fn((k, k), |(i, j)| {
        -(squares[(i, j)] - means[i] - means[j] + all) / 2.0
    });
    let (values, vectors) = symmetric_eigen(&centred);
    let axis = |axis: usize| -> Vec<f64> {
        if axis >= k || values[axis] <= 0.0 {
            return vec![0.0; k];
        }
        let column = vectors.column(axis);
        let farthest =
            column.iter().fold(0.0, |far: f64, &x| if x.abs() > far.abs() { x } else { far });
        column.iter().map(|x| x * farthest.signum() * values[axis].sqrt()).collect()
    };
    axis(0).into_iter().zip(axis(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn distances_in_a_plane_are_kept() {
        // Three topics have a plane of their own: principal coordinates lose nothing.
        let b = array![[0.7, 0.1, 0.2], [0.2, 0.8, 0.3], [0.1, 0.1, 0.5]];
        let places = topic_plane(&b);
        for i in 0..3 {
            for j in 0..3 {
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let expected = jensen_shannon(b.column(i), b.column(j));
                assert!((dx.hypot(dy) - expected).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn divergences_go_from_none_to_ln_2() {
        let (p, q) = (array![0.5, 0.5, 0.0], array![0.0, 0.0, 1.0]);
        assert_eq!(jensen_shannon(p.view(), p.view()), 0.0);
        assert!((jensen_shannon(p.view(), q.view()) - 2f64.ln()).abs() < 1e-15);
        assert_eq!(topic_plane(&array![[1.0, 1.0], [0.0, 0.0]]), [(0.0, 0.0); 2]);
    }
}
