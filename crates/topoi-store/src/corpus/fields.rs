//! The fields of documents, read in parallel, and the kinds that users have set for them.

use rayon::prelude::*;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};
use crate::open::Readers;

/// Ids per task. Fixed, so that sums do not depend on the number of threads.
const IDS_PER_TASK: i64 = 1 << 17;
/// Maximum number of id ranges: the ids of a foreign store can be any numbers.
const MAX_RANGES: i64 = 1024;

const ENDS: &str = "SELECT min(id), max(id) + 1 FROM document WHERE corpus_id = ?1";
const BETWEEN: &str = "SELECT id, fields FROM document WHERE +corpus_id = ?1 AND id >= ?2 AND id < ?3 \
                       ORDER BY id";
const KINDS: &str = "SELECT field, kind FROM field_kind WHERE corpus_id = ?1 ORDER BY field";
const SET_KIND: &str =
    "INSERT OR REPLACE INTO field_kind (corpus_id, field, kind) VALUES (?1, ?2, ?3)";

const SET_SETTINGS: &str = "UPDATE corpus SET settings = ?2 WHERE id = ?1";
const SET_MISSING: &str = "UPDATE corpus SET missing = ?2 WHERE id = ?1";

/// The marks of missing values of a corpus, from a JSON list. Elements that are not texts are ignored.
pub(super) fn marks(json: &str) -> Vec<String> {
    let values: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    values.iter().filter_map(|value| value.as_str().map(str::to_string)).collect()
}

/// The id ranges that cover `first..end`.
pub(crate) fn ranges(first: i64, end: i64) -> Vec<(i64, i64)> {
    let length = IDS_PER_TASK.max(end.saturating_sub(first) / MAX_RANGES);
    let range = |from: i64| (from, from.saturating_add(length).min(end));
    let next = |from: &i64| from.checked_add(length);
    std::iter::successors(Some(first), next).take_while(|&from| from < end).map(range).collect()
}

impl Store {
    /// Calls `each` with the id and fields (a JSON object) of every document of a corpus, in parallel.
    /// Every id range has an accumulator made by `first`; the accumulators are returned in document order.
    pub fn fold_fields<T: Send>(
        &self,
        corpus_id: CorpusId,
        first: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, DocumentId, Option<&str>) + Sync,
    ) -> Result<Vec<T>> {
        let ends = self.rows(ENDS, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?)))?.pop();
        let Some((Some(start), Some(end))) = ends else { return Ok(Vec::new()) };
        let readers = Readers::new(self);
        let fold = |(from, to): (i64, i64)| {
            readers.with(|connection| {
                let run = || -> rusqlite::Result<T> {
                    let mut folded = first();
                    let mut statement = connection.prepare_cached(BETWEEN)?;
                    let mut rows = statement.query((corpus_id, from, to))?;
                    while let Some(row) = rows.next()? {
                        each(&mut folded, row.get(0)?, row.get_ref(1)?.as_str_or_null()?);
                    }
                    Ok(folded)
                };
                run().map_err(|source| StoreError::at(readers.path(), source))
            })
        };
        ranges(start, end).into_par_iter().map(fold).collect()
    }

    /// The kinds that users have set for fields of a corpus: (field, kind).
    pub fn field_kinds(&self, corpus_id: CorpusId) -> Result<Vec<(String, String)>> {
        self.rows(KINDS, [corpus_id], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Sets the kind of a field of a corpus.
    pub fn set_field_kind(&self, corpus_id: CorpusId, field: &str, kind: &str) -> Result<()> {
        self.execute(SET_KIND, (corpus_id, field, kind)).map(drop)
    }

    /// Replaces the settings (JSON) of a corpus by others that its documents agree with too.
    pub fn set_corpus_settings(&self, corpus_id: CorpusId, settings: &str) -> Result<()> {
        self.execute(SET_SETTINGS, (corpus_id, settings)).map(drop)
    }

    /// Sets which field values of a corpus mean "missing", beside the empty value.
    pub fn set_missing_marks(&self, corpus_id: CorpusId, marks: &[String]) -> Result<()> {
        self.execute(SET_MISSING, (corpus_id, serde_json::json!(marks).to_string())).map(drop)
    }
}
