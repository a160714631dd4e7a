//! Documents that are assigned to the topics of a run after it was made, and how a corpus has changed since a run.

use std::collections::HashMap;

use super::SavedHash;
use super::document_topic::SavedDocuments;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId};

const UNSEEN: &str = "SELECT document.id, document.tokens FROM run JOIN document ON document.corpus_id = run.corpus_id \
    WHERE run.id = ?1 \
    AND NOT EXISTS (SELECT 1 FROM series_proportions AS about WHERE about.series_id = run.series_id \
        AND about.document_id = document.id AND about.first_revision <= run.revision \
        AND coalesce(about.last_revision, run.revision) >= run.revision) \
    AND NOT EXISTS (SELECT 1 FROM series_left_out AS about WHERE about.series_id = run.series_id \
        AND about.document_id = document.id AND about.first_revision <= run.revision \
        AND coalesce(about.last_revision, run.revision) >= run.revision) \
    ORDER BY document.id";
const INSERT: &str = "INSERT INTO assigned_document (run_id, document_id, assigned_at) \
    VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))";
const ASSIGNED: &str =
    "SELECT document_id FROM assigned_document WHERE run_id = ?1 ORDER BY document_id";
const NEWER: &str = "SELECT count(*), coalesce(sum(document.id <= run.last_document), 0) FROM run \
    JOIN ingest ON ingest.corpus_id = run.corpus_id AND ingest.id > run.last_ingest \
    JOIN document ON document.ingest_id = ingest.id WHERE run.id = ?1";
/// By the ledger, which is short: a list asks it of all runs at every look.
const ADDED_SINCE_RUNS: &str = "SELECT run.id, max(0, \
    (SELECT CAST(total(documents) AS INTEGER) FROM ingest \
        WHERE corpus_id = run.corpus_id AND id > run.last_ingest) \
    - (SELECT count(*) FROM deleted_document \
        WHERE corpus_id = run.corpus_id AND document_id > run.last_document) \
    - (SELECT count(*) FROM assigned_document \
        WHERE run_id = run.id AND document_id > run.last_document)) \
    FROM run WHERE last_ingest IS NOT NULL";
const CONTINUED_BY: &str = "SELECT later.id FROM run JOIN run AS later ON later.series_id = run.series_id \
    AND later.revision > run.revision WHERE run.id = ?1 ORDER BY later.revision DESC LIMIT 1";
const ASSIGNED_SINCE: &str = "SELECT count(*), coalesce(sum(document_id > last_document), 0), max(assigned_at) \
    FROM assigned_document JOIN run ON run.id = run_id WHERE run_id = ?1";

/// How a corpus has changed since a run read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct SinceRun {
    /// Documents that were added, without those that were assigned to its topics.
    pub added: u64,
    /// Documents of the run that may have been corrected.
    pub corrected: u64,
    /// Documents of the run that were deleted.
    pub deleted: u64,
    /// Documents that were assigned to its topics after it was made.
    pub assigned: u64,
    /// When that was last done.
    pub assigned_at: Option<String>,
    /// The newest run that continued it.
    pub continued_by: Option<RunId>,
}

impl SinceRun {
    /// Whether the run is older than its corpus.
    pub fn is_older(&self) -> bool {
        self.added + self.corrected + self.deleted > 0
    }
}

impl Store {
    /// The documents of its corpus that a run neither has proportions of nor left out, by id, and their tokens.
    ///
    /// # Cost
    /// A look-up for each document of the corpus.
    pub fn unseen_documents(&self, run: RunId) -> Result<Vec<(DocumentId, u64)>> {
        self.rows(UNSEEN, [run], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The documents that were assigned to the topics of a run, by id.
    pub fn assigned_documents(&self, run: RunId) -> Result<Vec<DocumentId>> {
        self.rows(ASSIGNED, [run], |row| row.get(0))
    }

    /// The number of documents added to their corpus since, without those that were assigned to their topics, of all runs that
    /// say how far it was.
    pub fn added_since_runs(&self) -> Result<HashMap<RunId, u64>> {
        Ok(self
            .rows(ADDED_SINCE_RUNS, [], |row| Ok((row.get(0)?, row.get(1)?)))?
            .into_iter()
            .collect())
    }

    /// How the corpus of a run has changed since.
    ///
    /// # Cost
    /// A look-up for each document that was added or deleted since.
    pub fn since_run(&self, run: RunId) -> Result<SinceRun> {
        let (newer, corrected): (u64, u64) = self
            .rows(NEWER, [run], |row| Ok((row.get(0)?, row.get(1)?)))?
            .pop()
            .unwrap_or_default();
        let (assigned, of_added, assigned_at): (u64, u64, Option<String>) = self
            .rows(ASSIGNED_SINCE, [run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .pop()
            .unwrap_or_default();
        Ok(SinceRun {
            added: newer.saturating_sub(corrected).saturating_sub(of_added),
            corrected,
            deleted: self.deleted_since(run)?.len() as u64,
            assigned,
            assigned_at,
            continued_by: self.rows(CONTINUED_BY, [run], |row| row.get(0))?.pop(),
        })
    }

    /// Saves the proportions of documents that a run has not seen, and those (document, tokens) that are too short, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::UpdatedMeanwhile`] if the run is not the newest of its series; then nothing is kept.
    pub fn assign_documents(
        &mut self,
        run: RunId,
        documents: &SavedDocuments,
        left_out: &[(DocumentId, u64)],
    ) -> Result<()> {
        self.transaction(|store| {
            let newest = store.newest_of_series(run)?;
            if newest != run {
                return Err(StoreError::UpdatedMeanwhile { run, newest });
            }
            let mut ids: Vec<DocumentId> = left_out.iter().map(|(id, _)| *id).collect();
            documents.packed.each_text(|id, _| {
                ids.push(DocumentId(id));
                Ok::<(), StoreError>(())
            })?;
            store.insert_document_topics(run, documents, &mut SavedHash::new(&[], &[], &[]))?;
            store.insert_left_out(run, left_out)?;
            store.execute_each(INSERT, ids.into_iter().map(|id| (run, id)))
        })
    }
}
