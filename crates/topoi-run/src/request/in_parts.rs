//! A run on a corpus in parts.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::number;
use crate::request::earlier_runs::corpus_size;
use crate::request::{RequestError, RunRequest};
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// The stores of the parts of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InParts {
    /// Path of each store; `{rank}` is replaced by the number of the part.
    pub pattern: String,
    /// Number of parts of the corpus.
    pub count: usize,
}

impl InParts {
    /// Path of the store of part `number`.
    pub fn path(&self, number: usize) -> PathBuf {
        PathBuf::from(self.pattern.replace("{rank}", &number.to_string()))
    }
}

impl RunRequest {
    /// Refuses a corpus in parts unless the request names the parts and the model streams.
    pub(crate) fn check_parts(&self, store: &Store, corpus: &Corpus) -> Result<(), RequestError> {
        let Some(parts) = &self.settings.parts else {
            return Ok(store.require_documents(corpus)?);
        };
        let card = self.origin.card();
        if card.streams() {
            return Ok(());
        }
        let size = corpus_size(corpus, self.settings.terms.min(number::size(corpus.terms)));
        Err(RequestError::NeedsOneMachine {
            model: card.name.into(),
            parts: parts.count,
            needed: card.bytes(size, self.k) as f64 / 1e9,
        })
    }
}
