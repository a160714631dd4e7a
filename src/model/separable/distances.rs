//! How far words are from each other, by the noise-free part of their rows.

use ndarray::{Array2, s};

use crate::model::checkpoint::Checkpoint;

/// C between the g words that may be novel, and D made of it.
#[derive(Debug, Clone)]
pub(super) struct Distances {
    /// ½(Ê + Êᵀ) between them, g × g.
    pub cooccurrence: Array2<f64>,
}

impl Distances {
    /// D_ij = C_ii − C_ij − C_ji + C_jj: near 0 within a topic, positive between topics, and with
    /// the noise of C on it.
    ///
    /// # Source
    /// Ding et al. 2013, equation 1 and proposition 6.
    pub(super) fn between(&self, i: usize, j: usize) -> f64 {
        let c = &self.cooccurrence;
        c[(i, i)] - 2.0 * c[(i, j)] + c[(j, j)]
    }

    /// Those between the first `count` words.
    pub(super) fn first(&self, count: usize) -> Self {
        Self { cooccurrence: self.cooccurrence.slice(s![..count, ..count]).to_owned() }
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.cooccurrence.nrows()
    }

    /// The distances between different words that are positive, ascending.
    pub(super) fn positive(&self) -> Vec<f64> {
        let pairs = (0..self.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut found: Vec<f64> =
            pairs.map(|(i, j)| self.between(i, j)).filter(|&distance| distance > 0.0).collect();
        found.sort_unstable_by(f64::total_cmp);
        found
    }
}

impl Checkpoint for Distances {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        vec![self.cooccurrence.clone()]
    }

    fn from_arrays(arrays: Vec<Array2<f64>>) -> Option<Self> {
        let [cooccurrence] = <[Array2<f64>; 1]>::try_from(arrays).ok()?;
        Some(Self { cooccurrence })
    }
}
