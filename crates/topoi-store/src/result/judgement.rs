//! Answers of judges about topics. Their meaning is known to `judge` only.

use std::collections::BTreeSet;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{DocumentId, RunId, TopicNumber};

/// Maximum number of answers about one run.
const MAX_ANSWERS: i64 = 1_000_000;
/// Maximum bytes of a text that a judge is shown.
const MAX_TEXT_BYTES: i64 = 1 << 17;

const INSERT: &str = "INSERT OR REPLACE INTO judgement \
    (run_id, judge, task, item, topic, document_id, shown, answer, seconds, judged_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, strftime('%Y-%m-%dT%H:%M:%fZ'))";
const OF_RUN: &str = "SELECT judge, task, item, topic, document_id, shown, answer, seconds FROM judgement \
    WHERE run_id = ?1 ORDER BY id";
const SIZES: &str = "SELECT count(*), \
    coalesce(max(max(octet_length(judge), octet_length(task), octet_length(shown))), 0) \
    FROM judgement WHERE run_id = ?1";
const ITEMS: &str = "SELECT item FROM judgement WHERE run_id = ?1 AND judge = ?2 AND task = ?3";
const DELETE_LATEST: &str = "DELETE FROM judgement WHERE id = (SELECT max(id) FROM judgement \
    WHERE run_id = ?1 AND judge = ?2 AND task = ?3)";
const NEXT_DOCUMENT: &str = "SELECT document_id FROM document_proportions AS about \
    WHERE run_id = ?1 AND document_id >= ?2 AND EXISTS (SELECT 1 FROM document WHERE id = about.document_id) \
    ORDER BY document_id LIMIT 1";
const ENDS: &str =
    "SELECT min(document_id), max(document_id) FROM document_proportions WHERE run_id = ?1";

/// A row of `judgement`.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedJudgement {
    /// Name of the judge.
    pub judge: String,
    /// Name of the kind of task.
    pub task: String,
    /// Number of the task within its run and kind.
    pub item: u64,
    /// The judged topic.
    pub topic: TopicNumber,
    /// Id of the document that was shown, if there was one.
    pub document: Option<DocumentId>,
    /// The material that was shown, as JSON.
    pub shown: String,
    /// Number of the chosen option, or the rating; `None` if the task was skipped.
    pub answer: Option<u32>,
    /// Time taken.
    pub seconds: Option<f64>,
}

impl Store {
    /// The answers about a run, in the order in which they were given.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] if they are too many or too long.
    pub fn judgements(&self, run: RunId) -> Result<Vec<SavedJudgement>> {
        let sizes = self.rows(SIZES, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let (many, longest): (i64, i64) = sizes.unwrap_or_default();
        if many > MAX_ANSWERS || longest > MAX_TEXT_BYTES {
            let what = format!("it has {many} judgements of up to {longest} bytes");
            return Err(StoreError::DamagedRun { run, what });
        }
        self.rows(OF_RUN, [run], |row| {
            Ok(SavedJudgement {
                judge: row.get("judge")?,
                task: row.get("task")?,
                item: row.get("item")?,
                topic: row.get("topic")?,
                document: row.get("document_id")?,
                shown: row.get("shown")?,
                answer: row.get("answer")?,
                seconds: row.get("seconds")?,
            })
        })
    }

    /// Numbers of the tasks of a kind that `judge` has answered or skipped.
    pub fn judged_items(&self, run: RunId, judge: &str, task: &str) -> Result<BTreeSet<u64>> {
        Ok(self.rows(ITEMS, (run, judge, task), |row| row.get(0))?.into_iter().collect())
    }

    /// Saves answers in one transaction. Each replaces the previous answer of the same judge to the same task.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`].
    pub fn save_judgements(&mut self, run: RunId, judgements: &[SavedJudgement]) -> Result<()> {
        self.transaction(|store| {
            store.run(run)?;
            for row in judgements {
                let SavedJudgement { judge, task, item, topic, .. } = row;
                let SavedJudgement { document, shown, answer, seconds, .. } = row;
                let values = (run, judge, task, item, topic, document, shown, answer, seconds);
                store.execute(INSERT, values)?;
            }
            Ok(())
        })
    }

    /// Deletes the latest answer of `judge` to a task of a kind. Returns false if there is none.
    pub fn undo_judgement(&self, run: RunId, judge: &str, task: &str) -> Result<bool> {
        Ok(self.execute(DELETE_LATEST, (run, judge, task))? > 0)
    }

    /// Ids of the first and the last document for which a run has proportions; `None` if there are none.
    pub fn first_and_last_document(&self, run: RunId) -> Result<Option<(DocumentId, DocumentId)>> {
        let ends = self.rows(ENDS, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let (first, last): (Option<DocumentId>, Option<DocumentId>) = ends.unwrap_or_default();
        Ok(first.zip(last))
    }

    /// The first existing document, with an id of at least `from`, for which a run has proportions.
    pub fn document_of_run_from(&self, run: RunId, from: DocumentId) -> Result<Option<DocumentId>> {
        Ok(self.rows(NEXT_DOCUMENT, (run, from), |row| row.get(0))?.pop())
    }
}
