//! Building the full-text index of a corpus, and estimating its cost.

use super::{SearchError, tokenizer_of, words_by};
use topoi_core::progress::Progress;
use topoi_store::Store;
use topoi_store::corpus::Corpus;
use topoi_store::search::BATCH_BYTES;

/// Bytes of index per byte of text, for English news with stop words (docs/reference/search.md).
const BYTES_PER_BYTE: f64 = 0.68;
/// Bytes of text that two cores index per second.
const BYTES_A_SECOND: f64 = 10e6;

/// Estimated cost of building an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexCost {
    /// Bytes in the store's file.
    pub bytes: u64,
    /// Duration.
    pub seconds: f64,
}

/// Estimates the cost of a corpus's index from the lengths of some of its texts.
pub fn index_cost(store: &Store, corpus: &Corpus) -> Result<IndexCost, SearchError> {
    let texts = store.bytes_of_texts(corpus)? as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 or more")]
    let bytes = (texts * BYTES_PER_BYTE) as u64;
    Ok(IndexCost { bytes, seconds: texts / BYTES_A_SECOND })
}

/// Builds the index of a corpus, or adds the missing documents to it. Every step is committed, so a stopped or
/// killed call can be resumed.
///
/// # Errors
/// [`SearchError::NoTexts`]; [`SearchError::Stopped`].
pub fn make_index(
    store: &mut Store,
    corpus: &Corpus,
    progress: &dyn Progress,
) -> Result<(), SearchError> {
    make_index_in_steps(store, corpus, BATCH_BYTES, progress)
}

/// As [`make_index`], with `bytes` of text per step.
pub(super) fn make_index_in_steps(
    store: &mut Store,
    corpus: &Corpus,
    bytes: usize,
    progress: &dyn Progress,
) -> Result<(), SearchError> {
    let tokenizer = tokenizer_of(store, corpus)?;
    let words = words_by(&tokenizer);
    let mut done = store.search_index(corpus.id)?.map_or(0, |index| index.documents);
    progress.begin("indexing", corpus.documents, "");
    loop {
        progress.step(done, None);
        if progress.cancelled() {
            return Err(SearchError::Stopped);
        }
        match store.extend_search_index(corpus.id, bytes, &words)? {
            0 => return Ok(()),
            more => done += more,
        }
    }
}
