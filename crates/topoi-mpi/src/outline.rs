//! What part 0 tells the others before work begins.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use topoi_core::stream::StreamError;
use topoi_core::stream::parts::Parts;
use topoi_run::request::in_parts::InParts;
use topoi_run::work::work_error::WorkError;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// A corpus as the store of the whole has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// Its name, the same in all stores.
    pub corpus: String,
    /// Documents, tokens and (document, term) pairs of all parts.
    pub counts: [u64; 3],
    /// Number of terms, and their hash.
    pub terms: (u64, Vec<u8>),
}

impl Whole {
    pub(super) fn of(store: &Store, corpus: &Corpus) -> Result<Self, PartsError> {
        Ok(Self {
            corpus: corpus.name.clone(),
            counts: [corpus.documents, corpus.tokens, corpus.nonzeros],
            terms: (corpus.terms, store.terms_hash(corpus.id)?),
        })
    }
}

/// Work on a corpus in parts: the request, the places of the parts, the vocabulary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Outline<R> {
    pub whole: Whole,
    pub request: R,
    pub parts: InParts,
    /// Positions of the vocabulary's terms in the corpus, ascending.
    pub positions: Vec<u32>,
    pub words: Vec<String>,
    /// Each part's last document in the earlier run whose sums this run adds to. Empty where there is no
    /// such run, or where the store of the whole has the documents too.
    pub summed_up_to: Vec<i64>,
}

/// The stores that `pattern` names for `count` parts.
///
/// # Errors
/// [`PartsError::OnePath`].
pub(super) fn places(pattern: &str, count: usize) -> Result<InParts, PartsError> {
    match count > 1 && !pattern.contains("{rank}") {
        true => Err(PartsError::OnePath(pattern.into())),
        false => Ok(InParts { pattern: pattern.into(), count }),
    }
}

/// Sends what part 0 has made to all parts. Where it could not make it, part 0 returns its own error and
/// the others [`PartsError::Told`]. `made` is looked at on part 0 alone.
///
/// # Errors
/// Part 0's, or when the parts cannot reach each other.
pub(super) fn broadcast<T: Serialize + for<'de> Deserialize<'de>>(
    parts: &dyn Parts,
    made: Result<Option<T>, PartsError>,
) -> Result<T, PartsError> {
    let (own, failed) = match made {
        Ok(made) => (made, None),
        Err(error) => (None, Some(error)),
    };
    // Only numbers, names and lists, which always have a JSON form.
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
