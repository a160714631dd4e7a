//! Documents that are assigned to the topics of a run after it was made, and how a corpus has changed since a run.

use std::collections::HashMap;

use rusqlite::Row;

use super::SavedHash;
use super::document_topic::SavedDocuments;
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId};

const UNSEEN: &str = "SELECT document.id, document.tokens FROM run \
    JOIN document ON document.corpus_id = run.corpus_id WHERE run.id = ?1 \
    AND NOT EXISTS (SELECT 1 FROM document_proportions AS about \
        WHERE about.run_id = run.id AND about.document_id = document.id) \
    AND NOT EXISTS (SELECT 1 FROM left_out_document AS about \
        WHERE about.run_id = run.id AND about.document_id = document.id) \
    ORDER BY document.id";
const INSERT: &str = "INSERT INTO assigned_document (run_id, document_id, assigned_at) \
    VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ'))";
const ASSIGNED: &str =
    "SELECT document_id FROM assigned_document WHERE run_id = ?1 ORDER BY document_id";
const SINCE: &str = "SELECT coalesce(added_since, 0), assigned, \
    (SELECT max(assigned_at) FROM assigned_document WHERE run_id = ?1), \
    (SELECT later.id FROM run JOIN run AS later ON later.series_id = run.series_id \
        AND later.revision > run.revision WHERE run.id = ?1 ORDER BY later.revision DESC LIMIT 1) \
    FROM run_summary WHERE run_id = ?1";

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
        let sql = "SELECT run_id, added_since FROM run_summary WHERE added_since IS NOT NULL";
        Ok(self.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
    }

    /// How the corpus of a run has changed since.
    ///
    /// # Cost
    /// A look-up for each document that was corrected or deleted since.
    pub fn since_run(&self, run: RunId) -> Result<SinceRun> {
        let row = |row: &Row<'_>| {
            Ok(SinceRun {
                added: row.get(0)?,
                assigned: row.get(1)?,
                assigned_at: row.get(2)?,
                continued_by: row.get(3)?,
                ..SinceRun::default()
            })
        };
        let found = self.rows(SINCE, [run], row)?.pop().unwrap_or_default();
        let corrected = self.corrected_since(run)?.len() as u64;
        Ok(SinceRun { corrected, deleted: self.deleted_since(run)?.len() as u64, ..found })
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
