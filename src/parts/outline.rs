//! What part 0 tells the others of a run.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use crate::run::request::in_parts::InParts;
use crate::run::work::work_error::WorkError;
use crate::store::Store;
use crate::store::corpus::Corpus;
use crate::stream::StreamError;
use crate::stream::parts::Parts;

/// A corpus as the store of the whole has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// Its name, in all stores.
    pub corpus: String,
    /// Documents, tokens and (document, term) pairs of all parts.
    pub counts: [u64; 3],
    /// Its terms and their hash.
    pub terms: (u64, Vec<u8>),
}

impl Whole {
    /// Of `corpus` in `store`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn of(store: &Store, corpus: &Corpus) -> Result<Self, PartsError> {
        Ok(Self {
            corpus: corpus.name.clone(),
            counts: [corpus.documents, corpus.tokens, corpus.nonzeros],
            terms: (corpus.terms, store.terms_hash(corpus.id)?),
        })
    }
}

/// Work on a corpus: what it is to do, where, and with which terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline<R> {
    /// The corpus.
    pub whole: Whole,
    /// What was asked for.
    pub request: R,
    /// Where the parts are.
    pub parts: InParts,
    /// Positions of the vocabulary's terms in the corpus, ascending.
    pub positions: Vec<u32>,
    /// The terms.
    pub words: Vec<String>,
    /// The last documents, of each part, of an earlier run whose sums are added to; none where there is
    /// no such run, or the whole has its documents too.
    pub summed_up_to: Vec<i64>,
}

/// The stores that `pattern` names for so many parts.
///
/// # Errors
/// [`PartsError::OnePath`].
pub fn places(pattern: &str, count: usize) -> Result<InParts, PartsError> {
    match count > 1 && !pattern.contains("{rank}") {
        true => Err(PartsError::OnePath(pattern.into())),
        false => Ok(InParts { pattern: pattern.into(), count }),
    }
}

/// What part 0 has made, on all parts; where it could not make it, its own error there and
/// [`PartsError::Told`] on the others. `made` counts on part 0 alone.
///
/// # Errors
/// Part 0's, or when the parts cannot reach each other.
pub fn told<T: Serialize + for<'de> Deserialize<'de>>(
    parts: &dyn Parts,
    made: Result<Option<T>, PartsError>,
) -> Result<T, PartsError> {
    let (own, failed) = match made {
        Ok(made) => (made, None),
        Err(error) => (None, Some(error)),
    };
    // Only numbers, names and lists: there is always a JSON of them.
    let bytes = own.as_ref().map(|own| serde_json::to_vec(own).unwrap_or_default());
    let all = parts.share(bytes.unwrap_or_default())?;
    if let Some(error) = failed {
        return Err(error);
    }
    let first = all.first().filter(|bytes| !bytes.is_empty()).ok_or(PartsError::Told)?;
    serde_json::from_slice(first)
        .map_err(|error| StreamError::Exchange(error.to_string()))
        .map_err(|error| PartsError::Work(WorkError::from(error)))
}
