//! A finished run whose documents and their topics are in the stores of parts.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::card::check_number;
use super::error::PartsError;
use super::outline::part_paths;
use super::unify::made_by_all;
use topoi_core::stream::parts::Parts;
use topoi_run::request::in_parts::InParts;
use topoi_store::run::Run;
use topoi_store::{Access, Store, StoreError};

/// How parts find the run in their stores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunInParts {
    /// Number of the run in the store of the whole, for messages.
    number: i64,
    corpus: String,
    /// The hash of its result, by which parts know it.
    result_hash: Vec<u8>,
    parts: InParts,
}

impl RunInParts {
    /// `run` of the whole corpus in `store`, whose parts' stores are at `pattern`.
    ///
    /// # Errors
    /// [`PartsError::DocumentsAreHere`] if the corpus is whole in `store`; [`PartsError::OnePath`].
    pub(super) fn new(
        store: &Store,
        run: &Run,
        pattern: &str,
        count: usize,
    ) -> Result<Self, PartsError> {
        if store.parts_elsewhere(run.corpus_id)?.is_none() {
            return Err(PartsError::DocumentsAreHere { run: run.id });
        }
        Ok(Self {
            number: run.id.0,
            corpus: run.corpus.clone(),
            result_hash: run.result_hash.clone().unwrap_or_default(),
            parts: part_paths(pattern, count)?,
        })
    }

    /// The store of this part, and the run there.
    ///
    /// # Errors
    /// [`PartsError::Part`] for the first part that cannot be opened or does not have the run, the same in all parts.
    pub(super) fn open(&self, parts: &dyn Parts) -> Result<(Store, Run), PartsError> {
        let path = self.parts.path(parts.number());
        let (opened, own) = match self.open_alone(&path, parts.number()) {
            Ok(opened) => (Some(opened), Ok(())),
            Err(reason) => (None, Err((path, reason))),
        };
        made_by_all(parts, own)?;
        opened.ok_or(PartsError::Told)
    }

    fn open_alone(&self, path: &Path, number: usize) -> Result<(Store, Run), String> {
        let read = || {
            let store = Store::open(path, Access::Read)?;
            let corpus = store.corpus(&self.corpus)?;
            let part = store.part(corpus.id)?;
            let run = store.run_with_result(corpus.id, &self.result_hash)?;
            let run = run.map(|run| store.run(run)).transpose()?;
            Ok((store, part, run))
        };
        let (store, part, run) = read().map_err(|error: StoreError| error.to_string())?;
        if let Some(part) = part {
            check_number(number, self.parts.count, (part.number, part.parts))?;
        }
        let run = run.ok_or_else(|| {
            format!(
                "does not have run {} of the whole: it was deleted here or made of other parts; start it again with \
                 `topoi run`",
                self.number
            )
        })?;
        Ok((store, run))
    }
}
