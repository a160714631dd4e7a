//! The state of a chain, as it is saved and resumed.

use ndarray::{Array1, Array2, Axis};

use super::settings::LdaGibbsSettings;
use crate::model::checkpoint::{Checkpoint, only_row, row, row_of};

/// Topics packed into one number: 48 bits, which fit the 53 bits of an f64 exactly.
const TOPICS_PER_NUMBER: usize = 3;

/// A state of the chain.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// The topics of the tokens of each lane, in its order; empty before the start.
    pub topics: Vec<Vec<u16>>,
    /// α, K numbers.
    pub alpha: Array1<f64>,
    /// Sums of n_wk over the averaged sweeps, W × K.
    pub sums: Array2<f64>,
    /// Number of sweeps done.
    pub sweeps: usize,
    /// The last computed ln p(w, z) for each token.
    pub log_likelihood: f64,
}

impl State {
    /// The state before the first sweep.
    pub(super) fn new(settings: &LdaGibbsSettings, words: usize) -> Self {
        Self {
            topics: Vec::new(),
            alpha: Array1::from_elem(settings.topics, settings.alpha),
            sums: Array2::zeros((words, settings.topics)),
            sweeps: 0,
            log_likelihood: f64::NAN,
        }
    }
}

impl Checkpoint for State {
    fn to_arrays(&self) -> Vec<Array2<f64>> {
        let numbers = [self.sweeps as f64, self.log_likelihood];
        let lengths: Vec<f64> = self.topics.iter().map(|lane| lane.len() as f64).collect();
        let mut arrays = vec![self.sums.clone(), row_of(&self.alpha), row(&numbers), row(&lengths)];
        arrays.extend(self.topics.iter().map(|lane| row(&pack(lane))));
        arrays
    }

    fn from_arrays(mut arrays: Vec<Array2<f64>>) -> Option<Self> {
        if arrays.len() < 4 {
            return None;
        }
        let lanes = arrays.split_off(4);
        let [sums, alpha, numbers, lengths] = <[Array2<f64>; 4]>::try_from(arrays).ok()?;
        let unpacked = lanes.iter().zip(lengths.index_axis(Axis(0), 0)).map(|(lane, &length)| {
            let topics = unpack(lane.iter().copied(), length as usize);
            (topics.len() == length as usize).then_some(topics)
        });
        Some(Self {
            topics: unpacked.collect::<Option<_>>()?,
            alpha: only_row(alpha)?,
            sums,
            sweeps: *numbers.get((0, 0))? as usize,
            log_likelihood: *numbers.get((0, 1))?,
        })
    }
}

fn pack(topics: &[u16]) -> Vec<f64> {
    let number = |own: &[u16]| {
        own.iter().enumerate().map(|(at, &topic)| u64::from(topic) << (16 * at)).sum::<u64>() as f64
    };
    topics.chunks(TOPICS_PER_NUMBER).map(number).collect()
}

fn unpack(numbers: impl Iterator<Item = f64>, length: usize) -> Vec<u16> {
    let topics = numbers.flat_map(|number| {
        let bits = number as u64;
        (0..TOPICS_PER_NUMBER).map(move |at| (bits >> (16 * at)) as u16)
    });
    topics.take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_unpacked_as_they_were() {
        for length in 0..8u16 {
            let topics: Vec<u16> = (0..length).map(|at| u16::MAX - 9000 * at).collect();
            let packed = pack(&topics);
            assert_eq!(unpack(packed.into_iter(), topics.len()), topics);
        }
    }
}
