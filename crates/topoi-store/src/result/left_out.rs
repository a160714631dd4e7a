//! Documents that a run could not use, and why.

use super::document_topic::DocumentTopics;
use super::series::PlaceInSeries;
use crate::error::Result;
use crate::id::{DocumentId, RunId};
use crate::integer::total;
use crate::{Store, StoreError};

const INSERT: &str = "INSERT INTO series_left_out \
    (series_id, first_revision, document_id, reason, tokens) \
    VALUES (?1, ?2, ?3, CASE ?4 WHEN 0 THEN 'no term' ELSE 'too short' END, ?4)";
const BY_REASON: &str = "SELECT reason, count(*), total(tokens) FROM left_out_document \
    WHERE run_id = ?1 GROUP BY reason ORDER BY reason";

const IDS: &str = "SELECT document_id, EXISTS (SELECT 1 FROM document WHERE id = document_id) \
    FROM left_out_document WHERE run_id = ?1 ORDER BY document_id";

const EACH: &str = "SELECT document.key, document.title, document.fields, document.tokens, reason \
    FROM left_out_document CROSS JOIN document ON document.id = document_id \
    WHERE run_id = ?1 ORDER BY document_id";

/// Documents that were left out for the same reason.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LeftOut {
    /// "no term" in the vocabulary, or "too short".
    pub reason: String,
    /// Number of documents.
    pub documents: u64,
    /// Their tokens in the vocabulary.
    pub tokens: u64,
}

impl Store {
    /// The documents that a run left out, by reason.
    pub fn left_out(&self, run: RunId) -> Result<Vec<LeftOut>> {
        self.rows(BY_REASON, [run], |row| {
            Ok(LeftOut { reason: row.get(0)?, documents: row.get(1)?, tokens: total(row, 2)? })
        })
    }

    /// The documents that a run left out, ascending, and whether they are still there.
    pub fn left_out_documents(&self, run: RunId) -> Result<Vec<(DocumentId, bool)>> {
        self.rows(IDS, [run], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Calls `visit` with every existing document that a run left out, without topics, and the reason; by id,
    /// one at a time.
    ///
    /// # Errors
    /// The error of `visit`.
    pub fn visit_left_out<E: From<StoreError>>(
        &self,
        run: RunId,
        visit: &mut dyn FnMut(&DocumentTopics, &str) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let failed = |source| E::from(self.error(source));
        let mut statement = self.connection.prepare_cached(EACH).map_err(failed)?;
        let mut rows = statement.query([run]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let (key, title) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
            let (fields, tokens) = (row.get(2).map_err(failed)?, row.get(3).map_err(failed)?);
            let reason: String = row.get(4).map_err(failed)?;
            let topics = Vec::new();
            visit(&DocumentTopics { key, title, tokens, fields, topics }, &reason)?;
        }
        Ok(())
    }

    /// Saves the documents (id, tokens) that a run left out.
    pub(super) fn insert_left_out(
        &self,
        run: RunId,
        documents: &[(DocumentId, u64)],
    ) -> Result<()> {
        let PlaceInSeries { series, revision } = self.place_in_series(run)?;
        documents.iter().try_for_each(|&(id, tokens)| {
            self.execute(INSERT, (series, revision, id, tokens)).map(drop)
        })
    }
}
