//! Some documents of a corpus, and the blocks that have them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

use super::block::Block;
use super::document_numbers::DocumentNumbers;
use super::error::Result;
use super::source::BlockSource;

/// A choice of documents by their ids: those of a range, those after an id, and single ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentSelection {
    pub range: Range<i64>,
    /// Documents with larger ids are chosen.
    pub after: i64,
    pub ids: BTreeSet<i64>,
}

impl DocumentSelection {
    /// Whether the document with this id is chosen.
    pub fn contains(&self, id: i64) -> bool {
        id > self.after || self.range.contains(&id) || self.ids.contains(&id)
    }

    /// The blocks of `source` that can have chosen documents, ascending.
    fn blocks(&self, source: &dyn BlockSource) -> Vec<usize> {
        let all = source.block_sizes().len();
        // The block of a document is that number, or the one before: sources differ where a block ends with it.
        let near = |id: i64| source.blocks_up_to(id).saturating_sub(1)..source.blocks_up_to(id) + 1;
        let of_range = (!self.range.is_empty())
            .then(|| near(self.range.start).start..near(self.range.end).end);
        let after = near(self.after).start..all;
        let mut blocks: BTreeSet<usize> = of_range.into_iter().flatten().chain(after).collect();
        blocks.extend(self.ids.iter().flat_map(|&id| near(id)));
        blocks.into_iter().filter(|&block| block < all).collect()
    }
}

/// A source without the blocks that have no chosen document.
pub struct SelectedBlocks<'a> {
    source: &'a dyn BlockSource,
    blocks: Vec<usize>,
}

impl<'a> SelectedBlocks<'a> {
    /// The blocks of `source` that can have documents of `selection`. They can have others, too.
    pub fn new(source: &'a dyn BlockSource, selection: &DocumentSelection) -> Self {
        Self { source, blocks: selection.blocks(source) }
    }

    /// Every `step`-th block of `source`.
    pub fn every(source: &'a dyn BlockSource, step: usize) -> Self {
        let all = source.block_sizes().len();
        Self { source, blocks: (0..all).step_by(step.max(1)).collect() }
    }
}

impl BlockSource for SelectedBlocks<'_> {
    fn block_sizes(&self) -> Vec<u32> {
        let sizes = self.source.block_sizes();
        self.blocks.iter().map(|&block| sizes[block]).collect()
    }

    fn blocks_up_to(&self, id: i64) -> usize {
        let before = self.source.blocks_up_to(id);
        self.blocks.partition_point(|&block| block < before)
    }

    fn numbers(&self) -> DocumentNumbers {
        self.source.numbers()
    }

    fn scratch(&self) -> PathBuf {
        self.source.scratch()
    }

    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(&Block) -> Result<()>,
    ) -> Result<()> {
        self.blocks[range].iter().try_for_each(|&block| self.source.visit(block..block + 1, visit))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::documents::test_corpus::small;
    use crate::progress::Silent;
    use crate::stream::documents::Documents;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]
        #[test]
        fn the_chosen_documents_are_read_and_no_others(
            start in 0_i64..400, length in 0_i64..100, after in 100_i64..500,
            ids in prop::collection::btree_set(0_i64..400, 0..9),
        ) {
            let (_, source, positions) = small();
            let selection = DocumentSelection { range: start..start + length, after, ids };
            let ids_of = |documents: &Documents<'_>| {
                let mut ids = Vec::new();
                documents.visit(0..documents.block_sizes().len(), |batch| ids.extend(&batch.ids))
                    .expect("in memory");
                ids
            };
            let all = Documents::new(&source, &positions, 2, &Silent);
            let chosen: Vec<i64> =
                ids_of(&all).into_iter().filter(|&id| selection.contains(id)).collect();
            let blocks = SelectedBlocks::new(&source, &selection);
            let some = Documents::new(&blocks, &positions, 2, &Silent).with_selection(&selection);
            prop_assert_eq!(ids_of(&some), chosen);
        }
    }
}
