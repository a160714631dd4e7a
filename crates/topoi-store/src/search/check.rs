//! Checks that the index of a corpus contains the documents that it should. SQLite's check of the file covers
//! the index's own structure.

use super::{damaged, tables};
use crate::Store;
use crate::corpus::Corpus;
use crate::error::{Result, StoreError};
use topoi_core::shell_word::shell_word;

impl Store {
    /// The problem of a corpus's index, if it has an index and a problem.
    pub(crate) fn search_index_problem(&self, corpus: &Corpus) -> Result<Option<String>> {
        let remedy = || {
            format!("; make it anew: `topoi search {} --index --rebuild`", shell_word(&corpus.name))
        };
        match self.wrong_documents(corpus) {
            Ok(None) => Ok(None),
            Ok(Some(what)) => Ok(Some(format!("its search index {what}{}", remedy()))),
            Err(StoreError::DamagedIndex { .. } | StoreError::Sqlite { .. }) => {
                Ok(Some(format!("its search index is damaged{}", remedy())))
            }
            Err(error) => Err(error),
        }
    }

    fn wrong_documents(&self, corpus: &Corpus) -> Result<Option<String>> {
        let saved: bool = self.scalar(
            "SELECT EXISTS (SELECT 1 FROM search_index WHERE corpus_id = ?1)",
            [corpus.id],
        )?;
        let Some(index) = self.search_index(corpus.id)? else {
            return Ok(saved.then(|| "is gone".into()));
        };
        let table = tables::table(corpus.id);
        let count = |sql: String| -> Result<u64> {
            let found = self.scalar(&sql, (corpus.id, index.through));
            found.map_err(|error| damaged(error, corpus.id))
        };
        let missing = count(format!(
            "SELECT count(*) FROM document WHERE +corpus_id = ?1 AND id <= ?2 AND NOT EXISTS \
             (SELECT 1 FROM {table}_docsize AS had WHERE had.id = document.id)"
        ))?;
        if missing > 0 {
            return Ok(Some(format!("lacks {missing} of the documents that it should have")));
        }
        let foreign = count(format!(
            "SELECT count(*) FROM {table}_docsize AS had WHERE ?2 IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM document WHERE id = had.id AND corpus_id = ?1)"
        ))?;
        if foreign > 0 {
            return Ok(Some(format!("has {foreign} documents that are not there")));
        }
        let held = count(format!(
            "SELECT count(*) FROM {table}_docsize WHERE ?1 IS NOT NULL AND ?2 IS NOT NULL"
        ))?;
        let told = index.documents;
        Ok((held != told).then(|| format!("has {held} documents, and should have {told}")))
    }
}
