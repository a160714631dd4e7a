//! Writing documents in batches: each batch is one transaction with rows, packed blocks,
//! frequencies and the position in the source, so that a killed ingest goes on from the last.

mod batch;
mod chunks;
mod first_fill;
pub mod ledger;
mod seen;
pub mod source_position;
mod taking_out;
mod writer;

pub use writer::IngestWriter;

/// The usual size of a batch: half a second of work, so that others who want to write wait no
/// longer.
pub const BATCH_BYTES: usize = 32 << 20;

/// What the row of an ingest is made with.
#[derive(Debug, Clone)]
pub struct IngestStart {
    /// The corpus's name.
    pub corpus: String,
    /// Its settings (JSON), should it not be there.
    pub settings: String,
    /// Names of the sources, for people.
    pub source: String,
    /// Their formats, for people.
    pub format: String,
    /// Everything that was asked for (JSON): the same again goes on with an unfinished ingest.
    pub request: String,
    /// A batch is full with this many bytes of text and counts.
    pub batch_bytes: usize,
}

/// A document as an ingest hands it over.
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
    /// The tokens that its source gives beside the text, as JSON.
    pub tokens: Option<&'a str>,
    /// The file it came from.
    pub source: &'a str,
    /// The line it begins at, from 1; 0 where it is a file.
    pub line: u64,
    /// Identifies the content: the same key and hash again is the same document again.
    pub content_hash: &'a [u8],
    /// (term position, count), any order, counts at least 1.
    pub entries: &'a [(u32, u32)],
    /// Terms whose position the caller does not know, with their counts, in the order in which
    /// new ones are to get their positions.
    pub terms: &'a [(&'a str, u32)],
}

/// What was cut into chunks, as an ingest hands it over.
#[derive(Debug, Clone, Copy)]
pub struct NewParent<'a> {
    /// Unique among the parents of the corpus.
    pub key: &'a str,
    /// Its title, if it has one.
    pub title: Option<&'a str>,
    /// Its fields, a JSON object, if it has any.
    pub fields: Option<&'a str>,
    /// Identifies the content of the whole.
    pub content_hash: &'a [u8],
}

impl<'a> NewDocument<'a> {
    /// A document of known entries that no file holds; its content is identified by its key.
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

    /// Where it stands: `file:line`, or the file.
    pub(crate) fn place(&self) -> String {
        match self.line {
            0 => self.source.into(),
            line => format!("{}:{line}", self.source),
        }
    }
}

/// What became of a document that was handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is in the corpus now.
    New,
    /// It was there before, with the same content.
    AlreadyThere,
    /// It was there before with other content, which it has replaced.
    Replaced,
    /// This ingest had a document of its key before, which was kept.
    Duplicate,
}

/// What an ingest did, in numbers of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct IngestCounts {
    /// Row id of the ingest; 0 before its first batch.
    pub ingest: i64,
    /// Added to the corpus.
    pub added: u64,
    /// In the corpus before, with other content.
    pub replaced: u64,
    /// There already, with the same content.
    pub skipped: u64,
    /// Left out, each with a row in the ledger.
    pub left_out: u64,
}

/// Sorts by position and adds up the counts of a position that stands more than once. `None`
/// if everything fits; else the position whose counts do not fit 32 bits.
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
