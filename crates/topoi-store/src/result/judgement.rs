//! What people answered when they were asked about topics. What the answers mean is not known here: `judge` knows.

use std::collections::BTreeSet;

use crate::Store;
use crate::error::{Result, StoreError};

/// More answers than people give to one run.
const MOST: i64 = 1_000_000;
/// More bytes than anybody is shown.
const LONGEST: i64 = 1 << 17;

const INSERT: &str = "INSERT OR REPLACE INTO judgement \
    (run_id, judge, task, item, topic, document_id, shown, answer, seconds, judged_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, strftime('%Y-%m-%dT%H:%M:%fZ'))";
const OF_RUN: &str = "SELECT judge, task, item, topic, document_id, shown, answer, seconds FROM judgement \
    WHERE run_id = ?1 ORDER BY id";
const SIZES: &str = "SELECT count(*), \
    coalesce(max(max(octet_length(judge), octet_length(task), octet_length(shown))), 0) \
    FROM judgement WHERE run_id = ?1";
const ITEMS: &str = "SELECT item FROM judgement WHERE run_id = ?1 AND judge = ?2 AND task = ?3";
const TAKE_BACK: &str = "DELETE FROM judgement WHERE id = (SELECT max(id) FROM judgement \
    WHERE run_id = ?1 AND judge = ?2 AND task = ?3)";
const NEXT_DOCUMENT: &str = "SELECT document_id FROM document_proportions AS about \
    WHERE run_id = ?1 AND document_id >= ?2 AND EXISTS (SELECT 1 FROM document WHERE id = about.document_id) \
    ORDER BY document_id LIMIT 1";
const ENDS: &str =
    "SELECT min(document_id), max(document_id) FROM document_proportions WHERE run_id = ?1";

/// A row of `judgement`.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedJudgement {
    /// Who judged.
    pub judge: String,
    /// The name of the task's kind.
    pub task: String,
    /// Its number among those of the run and kind.
    pub item: u64,
    /// The topic that is judged.
    pub topic: u64,
    /// The id of the document that was shown.
    pub document: Option<i64>,
    /// What was shown, as JSON.
    pub shown: String,
    /// The number of the choice, or the rating; `None` where they passed.
    pub answer: Option<u32>,
    /// How long they took.
    pub seconds: Option<f64>,
}

impl Store {
    /// What people said of a run, in the order in which they did.
    ///
    /// # Errors
    /// [`StoreError::DamagedRun`] where that is more than people say; when the store cannot be read.
    pub fn judgements(&self, run: i64) -> Result<Vec<SavedJudgement>> {
        let sizes = self.rows(SIZES, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let (many, longest): (i64, i64) = sizes.unwrap_or_default();
        if many > MOST || longest > LONGEST {
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

    /// The numbers of the tasks of a kind that `judge` has answered or passed over.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn judged_items(&self, run: i64, judge: &str, task: &str) -> Result<BTreeSet<u64>> {
        Ok(self.rows(ITEMS, (run, judge, task), |row| row.get(0))?.into_iter().collect())
    }

    /// Saves answers, each in place of what the same person said to the same task before: all or none.
    ///
    /// # Errors
    /// When there is no such run; when the store cannot be written.
    pub fn save_judgements(&mut self, run: i64, judgements: &[SavedJudgement]) -> Result<()> {
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

    /// Takes back the last that `judge` said to a task of a kind; false where there is nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn take_back_judgement(&self, run: i64, judge: &str, task: &str) -> Result<bool> {
        Ok(self.execute(TAKE_BACK, (run, judge, task))? > 0)
    }

    /// The ids of the first and the last document that a run looked at; `None` where it looked at none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn first_and_last_document(&self, run: i64) -> Result<Option<(i64, i64)>> {
        let ends = self.rows(ENDS, [run], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let (first, last): (Option<i64>, Option<i64>) = ends.unwrap_or_default();
        Ok(first.zip(last))
    }

    /// Of the documents that a run looked at and that are still there, the first with an id from `from` on.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn document_of_run_from(&self, run: i64, from: i64) -> Result<Option<i64>> {
        Ok(self.rows(NEXT_DOCUMENT, [run, from], |row| row.get(0))?.pop())
    }
}
