//! Log relative volume: the volume of the anchors' hull relative to hulls of random rows.

use ndarray::{Array2, Axis};

use super::random_hull::log_mean_random_volume;
use crate::linalg::orthonormal::orthonormalise;
use crate::metric::better::Better;
use crate::metric::definition::{Scope, ValueRange, metric_def};

metric_def! {
    /// log of the volume of the hull of the anchors' rows C̄_S over the mean volume of 32 random
    /// hulls: rows uniform on the simplex, anchors chosen the same way
    /// (`crates/topoi-core/src/metric/anchors/random_hull.rs` says how the W × W rows are spared, and how exact that
    /// is)
    pub const LOG_RELATIVE_VOLUME {
        id: "log_relative_volume",
        scope: Scope::Run,
        better: Some(Better::Larger),
        range: ValueRange::REAL,
        source: "Lee et al. 2021, §5, footnote 4",
        tags: &[],
    }
}

/// A side is linearly dependent when at most this share of its length is orthogonal to the sides
/// before it.
const DEPENDENCE_TOLERANCE: f64 = 1e-12;

/// ln of the (K − 1)-volume of the hull of the anchors' rows C̄_S in R^W over the mean volume of
/// hulls of random rows. Larger values mean anchors that lie farther apart.
///
/// `anchor_rows` is W × K with the row of anchor k as column k, as in
/// [`AnchorSpace`](super::anchor_space::AnchorSpace). `None` for fewer than two anchors and for a
/// flat hull (volume 0), for example with two equal anchor rows.
///
/// # Cost
/// About 4·W·K² flops and [`log_mean_random_volume`]; memory 2·W·K.
///
/// # Source
/// Lee et al. 2021, §5, footnote 4, Figures 2 and 4. The paper does not name the base of the
/// logarithm; here it is natural.
pub fn log_relative_volume(anchor_rows: &Array2<f64>, seed: u64) -> Option<f64> {
    let (words, topics) = anchor_rows.dim();
    let own = log_hull_volume(anchor_rows)?;
    Some(own - log_mean_random_volume(words, topics, seed))
}

/// ln of (K − 1)! times the (K − 1)-volume of the hull of the columns of a W × K matrix: the log
/// volume of the parallelepiped that its sides span. `None` when it is flat, K < 2 or K > W.
pub fn log_hull_volume(corners: &Array2<f64>) -> Option<f64> {
    let (words, topics) = corners.dim();
    if topics < 2 || topics > words {
        return None;
    }
    let (first, others) = corners.view().split_at(Axis(1), 1);
    let sides = &others - &first;
    let lengths: Vec<f64> =
        sides.columns().into_iter().map(|side| side.dot(&side).sqrt()).collect();
    let (_, r) = orthonormalise(&sides.as_standard_layout().to_owned());
    let heights = r.diag().mapv(f64::abs);
    let flat = heights
        .iter()
        .zip(&lengths)
        .any(|(&height, &length)| height <= DEPENDENCE_TOLERANCE * length);
    (!flat).then(|| heights.mapv(f64::ln).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn volumes_of_a_triangle_and_of_the_standard_simplex() {
        // 3-4-5: area 6, twice that is 12.
        let triangle = array![[0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [1.0, 1.0, 1.0]];
        let found = log_hull_volume(&triangle).expect("a triangle");
        assert!((found - 12f64.ln()).abs() < 1e-14);
        // The hull of K unit vectors has (K − 1)-volume √K/(K − 1)!.
        let found = log_hull_volume(&Array2::eye(7)).expect("a simplex");
        assert!((found - 0.5 * 7f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn flat_hulls_have_none() {
        let twice = array![[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
        assert_eq!(log_relative_volume(&twice, 1), None);
        let line = array![[0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]];
        assert_eq!(log_hull_volume(&line), None);
        assert_eq!(log_hull_volume(&array![[1.0], [0.0]]), None);
    }

    #[test]
    fn anchors_that_never_share_a_word_beat_random_hulls_and_near_equal_ones_lose() {
        let mut apart = Array2::zeros((200, 4));
        (0..4).for_each(|topic| apart[(topic * 50, topic)] = 1.0);
        let near = apart.mapv(|x: f64| (1.0 - 1e-3) / 200.0 + 1e-3 * x);
        let apart = log_relative_volume(&apart, 1).expect("a volume");
        let near = log_relative_volume(&near, 1).expect("a volume");
        // Shrinking three sides a thousandfold subtracts 3·ln 1000, whatever the random hulls.
        assert!((apart - near - 3.0 * 1000f64.ln()).abs() < 1e-9);
        assert!(apart > 0.0 && near < 0.0, "{apart} {near}");
    }

    #[test]
    fn a_random_hull_has_a_log_relative_volume_near_0_and_the_seed_repeats() {
        let repeat = |seed| log_mean_random_volume(500, 20, seed);
        assert_eq!(repeat(1).to_bits(), repeat(1).to_bits());
        assert!((repeat(1) - repeat(2)).abs() < 0.5);
    }
}
