//! Lanes: a corpus is cut by its blocks alone, so that sums are the same for any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;

/// Number of lanes a corpus is cut into. Fixed, because it decides the order of sums. Each lane has
/// one accumulator, so the number also decides the memory of a pass.
pub const LANES: usize = 4;

/// Cuts blocks of these sizes into at most `LANES` ranges of consecutive blocks with about the same
/// number of nonzeros. Depends on the sizes only.
pub fn lanes(block_sizes: &[u32]) -> Vec<Range<usize>> {
    let total: u64 = block_sizes.iter().map(|&size| u64::from(size)).sum();
    let mut lanes = Vec::with_capacity(LANES);
    let (mut start, mut done) = (0, 0u64);
    for (block, &size) in block_sizes.iter().enumerate() {
        done += u64::from(size);
        let due = total * (lanes.len() as u64 + 1) / LANES as u64;
        if done >= due && lanes.len() + 1 < LANES {
            lanes.push(start..block + 1);
            start = block + 1;
        }
    }
    if start < block_sizes.len() {
        lanes.push(start..block_sizes.len());
    }
    lanes
}

/// Documents cut into lanes, with a state for each lane that persists between passes. The cut
/// depends on the corpus alone, so the states do not depend on the number of threads.
pub struct StatefulLanes<'a, S> {
    documents: &'a Documents<'a>,
    lanes: Vec<(Range<usize>, S)>,
}

impl<'a, S: Send> StatefulLanes<'a, S> {
    /// The lanes of `documents`; the state of lane i is `state(i)`.
    pub fn new(documents: &'a Documents<'a>, state: impl FnMut(usize) -> S) -> Self {
        let cut = lanes(&documents.block_sizes());
        let states: Vec<S> = (0..cut.len()).map(state).collect();
        Self { documents, lanes: cut.into_iter().zip(states).collect() }
    }

    /// Calls `visit` with each batch of each lane and the lane's state. Batches of a lane come in
    /// document order; lanes run in parallel.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read, `Part` when another part failed,
    /// `Cancelled`.
    pub fn pass(&mut self, visit: impl Fn(&mut S, &Batch) + Sync) -> Result<()> {
        let documents = self.documents;
        let visited = self.lanes.par_iter_mut().try_for_each(|(blocks, state)| {
            documents.visit(blocks.clone(), |batch| visit(state, batch))
        });
        documents.agree(visited)
    }

    /// The documents that are cut.
    pub fn documents(&self) -> &'a Documents<'a> {
        self.documents
    }

    /// The lanes' states, in document order.
    pub fn states(&self) -> impl Iterator<Item = &S> + Clone {
        self.lanes.iter().map(|(_, state)| state)
    }

    /// Gives up the lanes and returns their states, in document order.
    pub fn into_states(self) -> impl Iterator<Item = S> {
        self.lanes.into_iter().map(|(_, state)| state)
    }

    /// The lanes' states, mutable, in document order.
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.lanes.iter_mut().map(|(_, state)| state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lanes_cover_every_block_once_and_in_order(
            sizes in prop::collection::vec(0u32..1000, 0..50),
        ) {
            let lanes = lanes(&sizes);
            prop_assert!(lanes.len() <= LANES);
            let covered: Vec<usize> = lanes.into_iter().flatten().collect();
            prop_assert_eq!(covered, (0..sizes.len()).collect::<Vec<_>>());
        }
    }
}
