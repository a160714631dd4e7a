//! Where the iterations have come to: what is kept of them, and taken up again.

use ndarray::{Array1, Array2, Axis};

use crate::model::checkpoint::{Checkpoint, only_row, row, row_of};

/// X ≈ W·H, and the way to it.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// W, words × K.
    pub w: Array2<f64>,
    /// H, documents × K of each lane; empty before the first iteration.
    pub h: Vec<Array2<f64>>,
    /// Row k of H is to be multiplied with this.
    pub scale: Array1<f64>,
    /// λ; empty without a prior.
    pub relevance: Array1<f64>,
    /// Σ_j h_kj, scaled.
    pub sums: Array1<f64>,
    /// The objective of every iteration.
    pub objectives: Vec<f64>,
    /// Whether it hardly fell any more.
    pub is_converged: bool,
}

impl Checkpoint for State {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let mut arrays = vec![
            self.w.clone(),
            row_of(&self.scale),
            row_of(&self.relevance),
            row_of(&self.sums),
            row(&self.objectives),
            row(&[f64::from(u8::from(self.is_converged))]),
        ];
        arrays.extend(self.h.iter().cloned());
        arrays
    }

    fn from_arrays(mut arrays: Vec<Array2<f64>>) -> Option<Self> {
        if arrays.len() < 6 {
            return None;
        }
        let h = arrays.split_off(6);
        let [w, scale, relevance, sums, objectives, converged] =
            <[Array2<f64>; 6]>::try_from(arrays).ok()?;
        Some(Self {
            w,
            h,
            scale: only_row(scale)?,
            relevance: only_row(relevance)?,
            sums: only_row(sums)?,
            objectives: objectives.index_axis(Axis(0), 0).to_vec(),
            is_converged: *converged.get((0, 0))? > 0.0,
        })
    }
}

/// The largest rise of the objective from one iteration to the next, relative to it.
pub(super) fn largest_rise(objectives: &[f64]) -> f64 {
    let rises = objectives.windows(2).map(|pair| (pair[1] - pair[0]) / pair[0].abs());
    rises.fold(0.0, f64::max)
}
