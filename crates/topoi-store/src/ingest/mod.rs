//! Writing documents in batches.
//! Each batch is one transaction with rows, packed blocks, frequencies and the position in the source. A killed
//! ingest resumes after its last batch.

mod batch;
mod chunks;
mod first_fill;
pub mod ledger;
mod removal;
mod seen;
pub mod source_position;
mod writer;

pub use writer::IngestWriter;

/// The usual size of a batch in bytes: half a second of work, which is how long other writers wait.
pub const BATCH_BYTES: usize = 32 << 20;

/// Values of a new row of `ingest`.
#[derive(Debug, Clone)]
pub struct IngestStart {
    /// The corpus's name.
    pub corpus: String,
    /// Settings (JSON) of the corpus, used if it does not exist yet.
    pub settings: String,
    /// Names of the sources, for display.
    pub source: String,
    /// Formats of the sources, for display.
    pub format: String,
    /// The whole request (JSON). The same request resumes an unfinished ingest.
    pub request: String,
    /// Bytes of text and counts per batch.
    pub batch_bytes: usize,
}

/// A document to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewDocument<'a> {
    /// Unique in the corpus.
    pub key: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// Its fields, a JSON object, if it has any.
    pub fields: Option<&'a str>,
    /// The text, if the source has text.
    pub text: Option<&'a str>,
    /// The tokens that the source gives beside the text, as JSON.
    pub tokens: Option<&'a str>,
    /// Path of its file.
    pub source: &'a str,
    /// The line it begins at, from 1; 0 if it is a whole file.
    pub line: u64,
    /// Identifies the content: a document with the same key and hash is unchanged.
    pub content_hash: &'a [u8],
    /// (term position, count), in any order; counts are at least 1.
    pub entries: &'a [(u32, u32)],
    /// (term, count) of terms whose positions the caller does not know. New terms get their positions in this
    /// order.
    pub terms: &'a [(&'a str, u32)],
}

/// A document that was cut into chunks, to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewParent<'a> {
    /// Unique among the parents of the corpus.
    pub key: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// Its fields, a JSON object, if it has any.
    pub fields: Option<&'a str>,
    /// Identifies the content of the whole document.
    pub content_hash: &'a [u8],
}

impl<'a> NewDocument<'a> {
    /// A document with known entries and no source file, whose content hash is its key.
    pub fn counted(key: &'a str, entries: &'a [(u32, u32)]) -> Self {
        Self {
            key,
            title: None,
            fields: None,
            text: None,
            tokens: None,
            source: "",
            line: 0,
            content_hash: key.as_bytes(),
            entries,
            terms: &[],
        }
    }

    /// Its location: `file:line`, or the file.
    pub(crate) fn location(&self) -> String {
        match self.line {
            0 => self.source.into(),
            line => format!("{}:{line}", self.source),
        }
    }
}

/// The outcome of adding a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The corpus did not have it.
    New,
    /// The corpus had it with the same content.
    AlreadyThere,
    /// The corpus had it with other content, which was replaced.
    Replaced,
    /// This ingest had a document with the same key before, which was kept.
    Duplicate,
}

/// Number of documents by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct IngestCounts {
    /// Row id of the ingest; 0 before its first batch.
    pub ingest: i64,
    /// Documents added to the corpus.
    pub added: u64,
    /// Documents that replaced others.
    pub replaced: u64,
    /// Unchanged documents.
    pub skipped: u64,
    /// Documents left out, each recorded in the ledger.
    pub left_out: u64,
    /// Documents deleted because the sources, which are all of the corpus, do not have them.
    pub deleted: u64,
}

/// Sorts entries by position and merges those with equal positions by adding their counts.
/// Returns a position whose count overflows 32 bits, if there is one.
pub fn sort_and_sum(entries: &mut Vec<(u32, u32)>) -> Option<u32> {
    let mut overflow = None;
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        entries.sort_unstable();
        entries.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.checked_add(next.1).unwrap_or_else(|| {
                    overflow = Some(kept.0);
                    u32::MAX
                });
            }
            same
        });
    }
    overflow
}
