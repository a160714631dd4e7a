//! A pass whose lanes keep something of their own from pass to pass.

use std::ops::Range;

use rayon::prelude::*;

use super::lanes::lanes;
use crate::stream::documents::{Batch, Documents};
use crate::stream::error::Result;

/// Documents cut into lanes, and a state for each lane. The cut depends on the corpus alone, so
/// what the lanes come to does not depend on the number of threads.
pub struct SideBySide<'a, S> {
    documents: &'a Documents<'a>,
    lanes: Vec<(Range<usize>, S)>,
}

impl<'a, S: Send> SideBySide<'a, S> {
    /// The lanes of `documents`, each with the state that `state` gives for its number.
    pub fn new(documents: &'a Documents<'a>, state: impl FnMut(usize) -> S) -> Self {
        let cut = lanes(&documents.block_sizes());
        let states: Vec<S> = (0..cut.len()).map(state).collect();
        Self { documents, lanes: cut.into_iter().zip(states).collect() }
    }

    /// Calls `visit` with each batch of each lane and the lane's state; a lane's batches come in
    /// document order, lanes side by side.
    ///
    /// # Errors
    /// When the corpus cannot be read, here or on another part, or on cancel.
    pub fn pass(&mut self, visit: impl Fn(&mut S, &Batch) + Sync) -> Result<()> {
        let documents = self.documents;
        let visited = self.lanes.par_iter_mut().try_for_each(|(blocks, state)| {
            documents.visit(blocks.clone(), |batch| visit(state, batch))
        });
        documents.agree(visited)
    }

    /// The documents.
    pub fn documents(&self) -> &'a Documents<'a> {
        self.documents
    }

    /// The lanes' states, in document order.
    pub fn states(&self) -> impl Iterator<Item = &S> + Clone {
        self.lanes.iter().map(|(_, state)| state)
    }

    /// The lanes' states, in document order, for good.
    pub fn into_states(self) -> impl Iterator<Item = S> {
        self.lanes.into_iter().map(|(_, state)| state)
    }

    /// The lanes' states, to be changed, in document order.
    pub fn states_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.lanes.iter_mut().map(|(_, state)| state)
    }
}
