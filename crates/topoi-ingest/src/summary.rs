//! What an ingest reports: how far it is, and in the end what it did.

use super::batches::record::Prepared;
use super::formats::Format;
use super::tokens::dropped::DroppedWords;
use topoi_store::corpus::Corpus;
use topoi_store::ingest::ledger::NoteKind;
use topoi_store::ingest::{Added, IngestCounts};

/// What became of the documents of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceSummary {
    /// The file as it was named, or `stdin`.
    pub name: String,
    /// The format it was read as.
    pub format: Format,
    /// Documents that were not in the corpus before.
    pub added: u64,
    /// Documents that were there with other content, and now are as the source has them.
    pub replaced: u64,
    /// Documents that were there already, with the same content.
    pub skipped: u64,
    /// Documents left out because they hold no term.
    pub empty: u64,
    /// Documents left out because an earlier one of the same ingest has their key.
    pub duplicate: u64,
    /// Documents left out because their bytes are no text.
    pub undecodable: u64,
    /// Documents left out because they are not as the format demands.
    pub malformed: u64,
    /// Chunks that the documents added or replaced were cut into; 0 in a corpus of whole documents.
    pub chunks: u64,
    /// Tokens of the documents added or replaced.
    pub tokens: u64,
    /// Words that are no terms, of the texts of documents added or replaced, and of those left out
    /// because nothing else is in them.
    pub dropped: DroppedWords,
    /// (document, term) pairs of the documents added or replaced.
    pub nonzeros: u64,
    /// What is to be known of documents that were not left out, the first few: the ledger has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// Remarks of a source that are printed.
const MOST_REMARKS: usize = 10;

impl SourceSummary {
    pub(super) fn new(name: &str, format: Format) -> Self {
        Self { name: name.into(), format, ..Self::default() }
    }

    /// Counts a document that was handed to the store, whole or in chunks.
    pub(super) fn count<'p>(
        &mut self,
        added: Added,
        handed: impl IntoIterator<Item = &'p Prepared>,
    ) {
        match added {
            Added::New => self.added += 1,
            Added::Replaced => self.replaced += 1,
            Added::AlreadyThere => self.skipped += 1,
            Added::Duplicate => self.duplicate += 1,
        }
        if matches!(added, Added::New | Added::Replaced) {
            for document in handed {
                self.nonzeros += document.nonzeros() as u64;
                self.tokens += document.tokens();
                self.dropped.add(document.dropped);
            }
        }
    }

    pub(super) fn remark(&mut self, place: &str, remark: &str) {
        match self.remarks.len() {
            0..MOST_REMARKS => self.remarks.push(format!("{place}: {remark}")),
            MOST_REMARKS => self.remarks.push(format!(
                "{}: there is more of the kind; `topoi sql 'SELECT place, reason FROM ingest_note'` shows all",
                self.name
            )),
            _ => {}
        }
    }

    /// Counts documents that were left out.
    pub(super) fn count_left_out(&mut self, kind: NoteKind, documents: u64) {
        let count = match kind {
            NoteKind::Undecodable => &mut self.undecodable,
            NoteKind::Malformed => &mut self.malformed,
            NoteKind::Duplicate => &mut self.duplicate,
            _ => &mut self.empty,
        };
        *count = count.saturating_add(documents);
    }

    /// Documents left out, for whatever reason; each stands in the ledger.
    pub fn left_out(&self) -> u64 {
        let Self { empty, duplicate, undecodable, malformed, .. } = *self;
        empty.saturating_add(duplicate + undecodable + malformed)
    }

    /// Number of documents in the source, added or not.
    pub fn documents(&self) -> u64 {
        self.left_out().saturating_add(self.added + self.replaced + self.skipped)
    }
}

/// What one ingest did, and the corpus as it is now.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct IngestSummary {
    /// Sums over all sources.
    pub counts: IngestCounts,
    /// Each source, in the order they were given.
    pub sources: Vec<SourceSummary>,
    /// Where an unfinished ingest was resumed; `None` if there was none.
    pub resumed: Option<String>,
    /// Documents and lines that are not UTF-8 and were read as Windows-1252.
    pub guessed_encoding: u64,
    /// The corpus after the ingest.
    pub corpus: Corpus,
}

/// Receives the progress of an ingest. Called from the thread that called
/// [`ingest`](crate::ingest), some ten to a few hundred times a second.
pub trait IngestProgress {
    /// A source is begun: its name and, where it is a regular file, its size in bytes.
    fn source(&self, name: &str, bytes: Option<u64>);

    /// How far the present source is: bytes of it read (as stored, so compressed ones of a
    /// compressed file), documents and nonzeros taken from it.
    fn advanced(&self, bytes: u64, documents: u64, nonzeros: u64);
}

/// Progress that nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl IngestProgress for NoProgress {
    fn source(&self, _name: &str, _bytes: Option<u64>) {}
    fn advanced(&self, _bytes: u64, _documents: u64, _nonzeros: u64) {}
}
