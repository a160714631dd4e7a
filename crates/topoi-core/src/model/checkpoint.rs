//! Stages that are computed once, even when a run is interrupted.

use ndarray::{Array1, Array2, Axis};

use super::error::ModelError;
use super::jsmf::{AnchorTopics, Rectification};
use super::topics::Topics;
use crate::linalg::block_krylov::Eigenpairs;
use crate::progress::Progress;

/// The result of a stage, convertible to matrices and back without losing a bit.
pub(super) trait Checkpoint: Sized {
    /// The result as matrices in row order.
    fn to_arrays(&self) -> Vec<Array2<f64>>;

    /// Reads what [`Self::to_arrays`] wrote; `None` for other matrices.
    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self>;
}

/// Recalls the result of `stage` from an earlier attempt, or computes it with `work` (which begins
/// the stage) and saves it.
///
/// A new result is converted to matrices and back as well, so that a resumed run has arrays of the
/// same memory order. The order of a sum, and so its last bits, may depend on it.
/// # Errors
/// Errors of `work`.
pub(super) fn recall_or_compute<T: Checkpoint>(
    stage: &'static str,
    progress: &dyn Progress,
    work: impl FnOnce() -> Result<T, ModelError>,
) -> Result<T, ModelError> {
    if let Some(done) = progress.recall(stage).and_then(T::from_arrays) {
        return Ok(done);
    }
    // The result is dropped before its matrices are saved, because they may be as large as all
    // other data.
    let arrays = work()?.to_arrays();
    progress.keep(stage, &arrays);
    Ok(T::from_arrays(arrays).expect("a stage reads what it wrote"))
}

/// The result of the stage "rectify": Y of a rectified C* ≈ Y·Yᵀ.
#[derive(Debug, Clone)]
pub(super) struct RectifiedStage {
    /// W × K; W × 0 when there was no iteration.
    pub y: Array2<f64>,
    pub rectification: Rectification,
}

impl Checkpoint for Eigenpairs {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let size = row(&[self.passes as f64, self.relative_residual]);
        vec![row_of(&self.values), in_row_order(&self.vectors), row_of(&self.residuals), size]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [values, vectors, residuals, size] = <[Array2<f64>; 4]>::try_from(arrays).ok()?;
        Some(Self {
            values: only_row(values)?,
            vectors,
            residuals: only_row(residuals)?,
            passes: *size.get((0, 0))? as usize,
            relative_residual: *size.get((0, 1))?,
        })
    }
}

impl Checkpoint for RectifiedStage {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let Rectification { iterations, last_change, objective } = self.rectification;
        let mut numbers = vec![iterations as f64, last_change];
        numbers.extend(objective.into_iter().flat_map(|(end, rise)| [end, rise]));
        vec![in_row_order(&self.y), row(&numbers)]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [y, numbers] = <[Array2<f64>; 2]>::try_from(arrays).ok()?;
        let number = |at| numbers.get((0, at)).copied();
        let rectification = Rectification {
            iterations: number(0)? as usize,
            last_change: number(1)?,
            objective: number(2).zip(number(3)),
        };
        Some(Self { y, rectification })
    }
}

impl Checkpoint for AnchorTopics {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let anchors: Vec<f64> = self.anchors.iter().map(|&word| word as f64).collect();
        vec![
            row(&anchors),
            row(&self.anchor_distances),
            in_row_order(&self.topics),
            in_row_order(&self.topics_of_words),
            in_row_order(&self.correlations),
            row_of(&self.weights),
            row(&[self.worst_gap]),
        ]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [anchors, distances, topics, topics_of_words, correlations, weights, gap] =
            <[Array2<f64>; 7]>::try_from(arrays).ok()?;
        Some(Self {
            anchors: anchors.iter().map(|&word| word as usize).collect(),
            anchor_distances: distances.iter().copied().collect(),
            topics,
            topics_of_words,
            correlations,
            weights: only_row(weights)?,
            worst_gap: *gap.get((0, 0))?,
        })
    }
}

impl Checkpoint for Topics {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        vec![in_row_order(&self.topics), row_of(&self.weights)]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [topics, weights] = <[Array2<f64>; 2]>::try_from(arrays).ok()?;
        Some(Self::without_anchors(topics, only_row(weights)?))
    }
}

pub(super) fn row(entries: &[f64]) -> Array2<f64> {
    Array1::from(entries.to_vec()).insert_axis(Axis(0))
}

pub(super) fn row_of(vector: &Array1<f64>) -> Array2<f64> {
    vector.to_owned().insert_axis(Axis(0))
}

pub(super) fn only_row(matrix: Array2<f64>) -> Option<Array1<f64>> {
    (matrix.nrows() == 1).then(|| matrix.index_axis_move(Axis(0), 0))
}

pub(super) fn in_row_order(matrix: &Array2<f64>) -> Array2<f64> {
    matrix.as_standard_layout().into_owned()
}

/// The stages of a long iteration, each a quarter of it. An interrupted run resumes after the last
/// completed stage.
pub(super) const LEGS: [&str; 4] = ["iterate", "iterate-2", "iterate-3", "iterate-4"];

/// The number of iterations completed at the end of each leg.
pub(super) fn leg_ends(iterations: usize) -> [usize; 4] {
    [1, 2, 3, 4].map(|leg| iterations * leg / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_leg_ends_with_the_last_iteration() {
        assert_eq!(leg_ends(200), [50, 100, 150, 200]);
        assert_eq!(leg_ends(3), [0, 1, 2, 3]);
    }
}
