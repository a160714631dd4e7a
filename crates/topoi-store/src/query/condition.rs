//! A user's condition on documents.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::{Cell, Limits};
use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, DocumentId};

/// Time limit for finding the documents of a condition, as for a query.
const TIME: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 60 });

impl Store {
    /// The ids of the documents of a corpus for which an SQL expression over the columns of `document` is true.
    ///
    /// # Errors
    /// [`StoreError::Query`] if the expression is invalid; [`StoreError::ConditionTookTooLong`].
    pub fn documents_where(
        &self,
        corpus_id: CorpusId,
        condition: &str,
    ) -> Result<HashSet<DocumentId>> {
        // The outer condition applies whatever the inner one contains.
        let sql = format!(
            "SELECT id FROM document WHERE corpus_id = {corpus_id} \
             AND id IN (SELECT id FROM document WHERE (\n{condition}\n))"
        );
        let limits = Limits { time: TIME, ..Limits::NONE };
        let found =
            self.query_within(&sql, limits, &Arc::default()).map_err(|error| match error {
                StoreError::TookTooLong { seconds } => StoreError::ConditionTookTooLong { seconds },
                other => other,
            })?;
        let ids = found.rows.iter().filter_map(|row| row.first().and_then(Cell::as_integer));
        Ok(ids.map(DocumentId).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    #[test]
    fn a_condition_ends_when_its_time_is_over_and_the_store_goes_on() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("create"));
        let store = Store::open(&path, Access::Read).expect("open");
        let endless = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT count(*) FROM n) > 0";
        let refused =
            store.documents_where(CorpusId(1), &format!("1)) UNION SELECT 1 WHERE (({endless}"));
        assert!(matches!(refused, Err(StoreError::ConditionTookTooLong { seconds: 1 })));
        assert!(store.documents_where(CorpusId(1), "tokens > 3").expect("found").is_empty());
    }
}
