//! The task that part 0 sends to the other parts before work begins.

use serde::{Deserialize, Serialize};

use super::error::PartsError;
use super::run_in_parts::RunInParts;
use topoi_core::stream::StreamError;
use topoi_core::stream::document_numbers::DocumentNumbers;
use topoi_core::stream::parts::Parts;
use topoi_run::request::in_parts::InParts;
use topoi_run::work::material::Material;
use topoi_run::work::work_error::WorkError;
use topoi_store::corpus::Corpus;
use topoi_store::id::{CorpusId, DocumentId, TermId};
use topoi_store::{Store, StoreError};

/// The whole corpus, according to its own store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WholeCorpus {
    /// Name of the corpus, the same in all stores.
    pub corpus: String,
    /// Documents, tokens and (document, term) pairs of all parts.
    pub counts: [u64; 3],
    /// Number of terms, and their hash.
    pub terms: (u64, Vec<u8>),
    /// The documents' numbers where the whole's store has had the documents, too.
    pub numbers: DocumentNumbers,
    /// Whether the parts have the only copies of their documents.
    pub documents_apart: bool,
}

impl WholeCorpus {
    pub(super) fn from_store(
        store: &Store,
        corpus: &Corpus,
        material: &Material,
    ) -> Result<Self, PartsError> {
        Ok(Self {
            corpus: corpus.name.clone(),
            counts: [corpus.documents, corpus.tokens, corpus.nonzeros],
            terms: (corpus.terms, store.terms_hash(corpus.id)?),
            numbers: material.blocks.numbers().clone(),
            documents_apart: store.parts_elsewhere(corpus.id)?.is_some(),
        })
    }
}

/// Work on a corpus in parts: the request, the stores of the parts, and the vocabulary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SharedTask<R> {
    pub whole: WholeCorpus,
    pub request: R,
    pub parts: InParts,
    /// Positions of the vocabulary's terms in the corpus, ascending.
    pub positions: Vec<u32>,
    pub words: Vec<String>,
    /// The rules of the vocabulary, as JSON.
    pub rules: String,
    /// Each part's last document in the earlier run whose sums this run extends. Empty without such a run, or if the
    /// store of the whole corpus has the documents too.
    pub summed_up_to: Vec<DocumentId>,
    /// The run that an update continues.
    pub continued: Option<RunInParts>,
}

impl<R> SharedTask<R> {
    /// Row ids of the vocabulary's terms in the store of a part, which gets those that it does not have.
    pub(super) fn own_terms(
        &self,
        store: &mut Store,
        corpus_id: CorpusId,
    ) -> Result<Vec<TermId>, StoreError> {
        let words = self.words.iter().map(String::as_str);
        store.terms_of_whole(corpus_id, self.positions.iter().copied().zip(words))
    }
}

/// The stores of `count` parts whose paths match `pattern`.
///
/// # Errors
/// [`PartsError::OnePath`] if several parts have a pattern without `{rank}`.
pub(super) fn part_paths(pattern: &str, count: usize) -> Result<InParts, PartsError> {
    match count > 1 && !pattern.contains("{rank}") {
        true => Err(PartsError::OnePath(pattern.into())),
        false => Ok(InParts { pattern: pattern.into(), count }),
    }
}

/// Sends a value of part 0 to all parts. Only the `value` of part 0 is used.
///
/// # Errors
/// The error in `value` in part 0, and [`PartsError::Told`] in the others; [`PartsError::Exchange`] if the parts
/// cannot communicate.
pub(super) fn broadcast<T: Serialize + for<'de> Deserialize<'de>>(
    parts: &dyn Parts,
    value: Result<Option<T>, PartsError>,
) -> Result<T, PartsError> {
    let (own, failed) = match value {
        Ok(value) => (value, None),
        Err(error) => (None, Some(error)),
    };
    // Numbers, names and lists can always be written as JSON.
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
