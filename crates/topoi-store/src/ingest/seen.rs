//! Documents that an ingest has come across without writing them.
//! Their rows still name an earlier ingest, so a second document with the same key would look like a new
//! version of the first. Saved with the position in the source until the ingest is finished.

use std::collections::{BTreeMap, BTreeSet};

use super::IngestWriter;
use crate::error::Result;
use crate::id::DocumentId;
use crate::integer::saturated;

const SAVE: &str = "UPDATE ingest_source \
    SET counts = json_set(counts, '$.unchanged', json(?3), '$.emptied', json(?4)) \
    WHERE ingest_id = ?1 AND position = ?2";
/// Applies to the sources in a range; only the current source keeps the lists.
const FORGET: &str = "UPDATE ingest_source \
    SET counts = json_remove(counts, '$.unchanged', '$.emptied') \
    WHERE ingest_id = ?1 AND position BETWEEN ?2 AND ?3";
const UNCHANGED: &str = "SELECT each.value ->> 0, each.value ->> 1 \
    FROM ingest_source, json_each(counts, '$.unchanged') AS each WHERE ingest_id = ?1";
const EMPTIED: &str = "SELECT each.value FROM ingest_source, json_each(counts, '$.emptied') AS each \
    WHERE ingest_id = ?1";
pub(super) const HAS_PARENTS: &str =
    "SELECT EXISTS (SELECT 1 FROM parent_document WHERE corpus_id = ?1)";
const TOKENS: &str = "SELECT tokens FROM document WHERE id = ?1 AND corpus_id = ?2";

/// Ids of documents, or of parents in a corpus of chunks.
#[derive(Debug, Default)]
pub(crate) struct SeenDocuments {
    /// Those whose rows equal the source.
    unchanged: IdRanges,
    /// Those whose source is now empty or gone, unless another document with the key follows.
    emptied: BTreeSet<i64>,
}

impl SeenDocuments {
    /// Whether an earlier document of this ingest has this row id.
    pub(super) fn has(&self, id: i64) -> bool {
        self.unchanged.contains(id)
    }

    pub(super) fn add_unchanged(&mut self, id: i64) {
        self.unchanged.insert(id);
    }

    pub(super) fn is_emptied(&self, id: i64) -> bool {
        self.emptied.contains(&id)
    }

    pub(super) fn add_emptied(&mut self, id: i64) {
        self.emptied.insert(id);
    }

    /// A document with the same key follows an empty one.
    pub(super) fn unmark_emptied(&mut self, id: i64) {
        self.emptied.remove(&id);
    }
}

impl IngestWriter<'_> {
    /// Saves the lists beside the position in the current source.
    pub(super) fn save_seen(&self, position: u64) -> Result<()> {
        let SeenDocuments { unchanged, emptied } = &self.seen;
        let unchanged = serde_json::to_string(&unchanged.0.iter().collect::<Vec<_>>());
        let emptied = serde_json::to_string(emptied);
        let row = (
            self.counts.ingest,
            position,
            unchanged.unwrap_or_default(),
            emptied.unwrap_or_default(),
        );
        self.store.execute(SAVE, row)?;
        let before = saturated(position) - 1;
        self.store.execute(FORGET, (self.counts.ingest, before, before)).map(drop)
    }

    /// Loads the lists of the ingest that is resumed.
    pub(super) fn load_seen(&mut self) -> Result<()> {
        let ingest = [self.counts.ingest];
        let ranges = self.store.rows(UNCHANGED, ingest, |row| Ok((row.get(0)?, row.get(1)?)))?;
        ranges.into_iter().for_each(|(first, last)| self.seen.unchanged.insert_range(first, last));
        self.seen.emptied =
            self.store.rows(EMPTIED, ingest, |row| row.get(0))?.into_iter().collect();
        Ok(())
    }

    /// Deletes the documents whose sources are empty or gone, and the saved lists.
    pub(super) fn delete_emptied(&mut self) -> Result<()> {
        let emptied = std::mem::take(&mut self.seen.emptied);
        let are_parents =
            !emptied.is_empty() && self.store.scalar(HAS_PARENTS, [self.corpus_id])?;
        for id in emptied {
            if are_parents {
                self.delete_parent(id)?;
                continue;
            }
            let tokens: Vec<i64> =
                self.store.rows(TOKENS, (id, self.corpus_id), |row| row.get(0))?;
            for tokens in tokens {
                self.delete_document(DocumentId(id), tokens)?;
            }
        }
        self.store.execute(FORGET, (self.counts.ingest, 0, i64::MAX)).map(drop)
    }
}

/// A set of ids as ranges (first, last): a source that is read again yields ids in ascending order.
#[derive(Debug, Default)]
struct IdRanges(BTreeMap<i64, i64>);

impl IdRanges {
    fn contains(&self, id: i64) -> bool {
        self.0.range(..=id).next_back().is_some_and(|(_, &last)| id <= last)
    }

    fn insert(&mut self, id: i64) {
        if !self.contains(id) {
            self.insert_range(id, id);
        }
    }

    fn insert_range(&mut self, mut first: i64, mut last: i64) {
        if first > last {
            return;
        }
        while let Some((&start, &end)) = self.0.range(..=last.saturating_add(1)).next_back() {
            if end.saturating_add(1) < first {
                break;
            }
            self.0.remove(&start);
            (first, last) = (first.min(start), last.max(end));
        }
        self.0.insert(first, last);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_hold_the_ids_that_a_set_would(
            ranges in prop::collection::vec((0i64..60, 0i64..8), 0..20),
        ) {
            let (mut ids, mut set) = (IdRanges::default(), BTreeSet::new());
            for &(first, length) in &ranges {
                ids.insert(first);
                ids.insert_range(first, first + length - 1);
                set.extend(std::iter::once(first).chain(first..first + length));
            }
            prop_assert!((-1..80).all(|id| ids.contains(id) == set.contains(&id)));
            let ends: Vec<_> = ids.0.iter().collect();
            prop_assert!(ends.windows(2).all(|pair| *pair[0].1 + 1 < *pair[1].0));
        }
    }

    #[test]
    fn ranges_from_a_store_can_be_anything() {
        let mut ids = IdRanges::default();
        ids.insert_range(i64::MIN, i64::MAX);
        ids.insert_range(7, 3);
        ids.insert(i64::MAX);
        assert!(ids.contains(0) && ids.0.len() == 1);
    }
}
