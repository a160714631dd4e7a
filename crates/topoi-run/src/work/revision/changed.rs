//! What has changed in a corpus since the run that an update continues.

use std::ops::Range;

use crate::work::work_error::WorkError;
use topoi_core::metric::revision::DOCUMENTS_AT_FULL_READING;
use topoi_core::metric::run_process::DOCUMENTS_USED;
use topoi_core::stream::selection::DocumentSelection;
use topoi_store::Store;
use topoi_store::id::{DocumentId, RunId};

/// Updates within which about every document is read again.
const UPDATES_UNTIL_READ_AGAIN: i64 = 60;
/// The fewest documents that are read again, as long as there are as many: new subjects are recognised by comparison with them.
const FEWEST_READ_AGAIN: i64 = 3000;
/// All documents are read, and the topics refined on them, once the corpus has this many times the documents that it had
/// at the last full reading: topics of a small corpus are a poor start for a large one.
const GROWTH_UNTIL_FULL_READING: f64 = 1.5;

/// The number of documents, of `all`, that an update reads apart from what has changed.
pub fn read_again_of(all: f64) -> f64 {
    all.min(FEWEST_READ_AGAIN as f64).max(all / UPDATES_UNTIL_READ_AGAIN as f64)
}

/// The documents of a store that an update reads, and those that are gone.
pub struct ChangedDocuments {
    /// The run that is continued.
    pub start: RunId,
    /// The documents to read.
    pub selection: DocumentSelection,
    /// (document, tokens) of the documents of that run that were deleted since.
    pub gone: Vec<(DocumentId, u64)>,
    /// The last document of the corpus when that run read it.
    pub last: i64,
    /// Whether all documents are read.
    pub is_full_reading: bool,
    /// Documents of that run.
    pub documents_before: f64,
    /// The documents of the series at its last full reading before.
    pub at_full_reading: f64,
}

impl ChangedDocuments {
    /// What has changed since run `start`, which `run` continues, in a store of a corpus that has `documents` now, in all its
    /// parts.
    ///
    /// # Errors
    /// [`WorkError::StartIsGone`] if `start` was deleted or does not say how far its corpus was.
    pub fn since(
        store: &Store,
        run: RunId,
        start: RunId,
        documents: f64,
    ) -> Result<Self, WorkError> {
        let unknown = || WorkError::StartIsGone { run, start };
        store.run(start).map_err(|_| unknown())?;
        let last = store.last_document_of_run(start)?.ok_or_else(unknown)?.0;
        let saved = |name: &str| store.run_metric(start, name);
        let documents_before = saved(DOCUMENTS_USED.id)?.unwrap_or(0.0);
        let at_full_reading = saved(DOCUMENTS_AT_FULL_READING.id)?.unwrap_or(documents_before);
        let is_full_reading = documents >= GROWTH_UNTIL_FULL_READING * at_full_reading;
        let selection = if is_full_reading {
            DocumentSelection { after: i64::MIN, ..DocumentSelection::default() }
        } else {
            let ids = store.corrected_since(start)?.into_iter().map(|id| id.0).collect();
            let turn = store.place_in_series(start)?.revision;
            DocumentSelection { range: read_in_turn(turn, last), after: last, ids }
        };
        let gone = store.deleted_since(start)?;
        Ok(Self {
            start,
            selection,
            gone,
            last,
            is_full_reading,
            documents_before,
            at_full_reading,
        })
    }

    /// Takes `read` (ascending) out of the documents that are gone: they were deleted while the update began, and are in it.
    pub fn keep(&mut self, read: &[DocumentId]) {
        self.gone.retain(|(id, _)| read.binary_search(id).is_err());
    }
}

/// The ids up to `last` whose turn it is to be read again after revision `revision`.
fn read_in_turn(revision: i64, last: i64) -> Range<i64> {
    let turns = (last / FEWEST_READ_AGAIN).clamp(1, UPDATES_UNTIL_READ_AGAIN);
    let turn = revision.rem_euclid(turns);
    let begins = |turn: i64| 1 + last / turns * turn;
    begins(turn)..if turn + 1 == turns { last.saturating_add(1) } else { begins(turn + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_has_its_turn_once_in_a_round() {
        for last in [0, 1, 2999, 3000, 14_321, 179_999, 180_001, i64::MAX] {
            let turns = (last / FEWEST_READ_AGAIN).clamp(1, UPDATES_UNTIL_READ_AGAIN);
            let mut next = 1;
            for turn in 0..turns {
                let range = read_in_turn(turns * 3 + turn, last);
                assert_eq!(range.start, next, "{last} {turn}");
                next = range.end;
            }
            assert_eq!(next, last.saturating_add(1));
        }
    }
}
