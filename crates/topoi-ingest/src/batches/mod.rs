//! Batches of adjacent documents, on their way from the reading thread to the writing one.
//! `units` splits a source whose documents can be read separately, and `text_batches` reads them in parallel.
//! Documents of triples come from `count_batches`.

pub(crate) mod count_batches;
pub(crate) mod record;
pub(crate) mod tab_records;
pub(crate) mod text_batches;
pub(crate) mod units;

use self::record::{Prepared, PreparedParent};
use crate::error::{InputLocation, Mistake};
use crate::source::Mark;

/// Maximum number of documents per batch.
pub(crate) const DOCUMENTS: usize = 4096;
/// Maximum number of bytes of text, or of (term, count) pairs, per batch.
pub(crate) const BYTES: usize = 2 << 20;

/// The first batch has this many documents, and each later one as many as there are before it: words that early
/// documents add to the lexicon save work in later ones.
pub(crate) const FIRST_DOCUMENTS: u64 = 64;

/// An item of a source.
#[derive(Debug)]
pub(crate) enum Item {
    Document(InputLocation, Prepared),
    /// A document that is added as its chunks.
    Parent(InputLocation, PreparedParent),
    /// Adjacent documents without terms, for the same reason.
    Empty {
        place: InputLocation,
        /// The document's key; for several documents the first and the last key.
        key: String,
        /// Number of documents.
        documents: u64,
        /// Why they are empty.
        reason: &'static str,
    },
    /// A remark for the user about how the document before it, with this key, was read.
    Remark {
        place: InputLocation,
        key: String,
        remark: String,
    },
    /// An error in the source.
    Mistake(Mistake),
}

/// Adjacent documents of a source.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) items: Vec<Item>,
    /// The position after them.
    pub(crate) mark: Mark,
    /// Further state that the format needs to resume there.
    pub(crate) cursor: String,
    /// Bytes of the source read, as stored.
    pub(crate) consumed: u64,
    /// Whether the source ends after them.
    pub(crate) is_last: bool,
}

/// A source as batches of documents. Their order depends on the source alone.
pub(crate) trait Batches: Send {
    /// The next batch. Not called again after the last one.
    fn next_batch(&mut self) -> Batch;
}
