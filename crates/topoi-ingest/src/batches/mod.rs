//! Neighbouring documents, as they go from the thread that reads to the one that writes: where each can
//! be read by itself, `units` cuts a source up and `text_batches` reads with all threads; documents of
//! triples come from `count_batches`.

pub(crate) mod count_batches;
pub(crate) mod record;
pub(crate) mod tab_records;
pub(crate) mod text_batches;
pub(crate) mod units;

use self::record::{Prepared, PreparedParent};
use crate::error::{Mistake, Place};
use crate::source::Mark;

/// A batch is closed once it holds this many documents…
pub(crate) const DOCUMENTS: usize = 4096;
/// … or this many bytes of text, or of (term, count) pairs.
pub(crate) const BYTES: usize = 2 << 20;

/// The first batch has this many documents, and each later one as many as there are before it:
/// what the first ones teach the lexicon spares the later ones work.
pub(crate) const FIRST_DOCUMENTS: u64 = 64;

/// What a place in a source holds.
#[derive(Debug)]
pub(crate) enum Item {
    Document(Place, Prepared),
    /// A document that is added as its chunks.
    Parent(Place, PreparedParent),
    /// Documents that hold nothing; a key that names all of them, and why they do not.
    Empty {
        place: Place,
        /// The document's key; of several neighbours the first and the last.
        key: String,
        /// Neighbours that are empty for the same reason.
        documents: u64,
        /// Why.
        reason: &'static str,
    },
    /// What people are to know of how the document before it, of this key, was read.
    Remark {
        place: Place,
        key: String,
        remark: String,
    },
    /// Something wrong.
    Mistake(Mistake),
}

/// Documents of neighbouring places.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) items: Vec<Item>,
    /// The place after them.
    pub(crate) mark: Mark,
    /// What else the format needs to go on from there.
    pub(crate) cursor: String,
    /// Bytes of the source read, as stored.
    pub(crate) consumed: u64,
    /// Whether the source has nothing after them.
    pub(crate) is_last: bool,
}

/// A source as documents, many at a time, in an order that depends on the source alone.
pub(crate) trait Batches: Send {
    /// The next batch. After the last one it is not called again.
    fn next_batch(&mut self) -> Batch;
}
