//! Reports of an ingest: its progress and its summary.

use super::batches::record::Prepared;
use super::formats::Format;
use super::texts::repairs::RepairCounts;
use super::texts::same_texts::SameTexts;
use super::tokens::dropped::DroppedWords;
use super::tokens::language::languages::GuessedLanguage;
use super::tokens::lexicon::Unmatched;
use topoi_store::corpus::Corpus;
use topoi_store::ingest::ledger::NoteKind;
use topoi_store::ingest::{Added, IngestCounts};

/// Outcomes of the documents of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceSummary {
    /// The file as it was named, or `stdin`.
    pub name: String,
    /// The format it was read in.
    pub format: Format,
    /// Documents that the corpus did not have.
    pub added: u64,
    /// Documents that the corpus had with other content.
    pub replaced: u64,
    /// Documents that the corpus had with the same content.
    pub skipped: u64,
    /// Documents left out because they have no term.
    pub empty: u64,
    /// Documents left out because an earlier one of the same ingest has their key.
    pub duplicate: u64,
    /// Documents left out because their bytes are not text.
    pub undecodable: u64,
    /// Documents left out because they violate the format.
    pub malformed: u64,
    /// Chunks of the documents added or replaced; 0 in a corpus of whole documents.
    pub chunks: u64,
    /// Tokens of the documents added or replaced.
    pub tokens: u64,
    /// Dropped words of documents that were added or replaced, and of those left out because nothing else is in
    /// them.
    pub dropped: DroppedWords,
    /// What was mended in the texts of documents added or replaced, or could be.
    #[serde(default)]
    pub repairs: RepairCounts,
    /// Documents with the text of another that this ingest had before.
    #[serde(default)]
    pub same_texts: SameTexts,
    /// (document, term) pairs of the documents added or replaced.
    pub nonzeros: u64,
    /// The first remarks about documents that were not left out; the ledger has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// Maximum number of remarks per source that are printed.
const MAX_REMARKS: usize = 10;

impl SourceSummary {
    pub(super) fn new(name: &str, format: Format) -> Self {
        Self { name: name.into(), format, ..Self::default() }
    }

    /// Counts a document that was passed to the store, whole or in chunks.
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
                self.repairs.add(document.repairs);
            }
        }
    }

    pub(super) fn remark(&mut self, place: &str, remark: &str) {
        match self.remarks.len() {
            0..MAX_REMARKS => self.remarks.push(format!("{place}: {remark}")),
            MAX_REMARKS => self.remarks.push(format!(
                "{}: there is more of the kind; topoi left-out CORPUS --all lists all",
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

    /// Number of documents left out for any reason, all recorded in the ledger.
    pub fn left_out(&self) -> u64 {
        let Self { empty, duplicate, undecodable, malformed, .. } = *self;
        empty.saturating_add(duplicate + undecodable + malformed)
    }

    /// Number of documents in the source, added or not.
    pub fn documents(&self) -> u64 {
        self.left_out().saturating_add(self.added + self.replaced + self.skipped)
    }
}

/// The result of an ingest, and the corpus after it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct IngestSummary {
    /// Sums over all sources.
    pub counts: IngestCounts,
    /// All sources, in the given order.
    pub sources: Vec<SourceSummary>,
    /// Position at which an unfinished ingest was resumed; `None` if there was none.
    pub resumed: Option<String>,
    /// Documents and lines that were decoded as Windows-1252.
    pub guessed_encoding: u64,
    /// Documents and lines that are UTF-8, and were read in the requested encoding all the same.
    pub mistaken_encoding: u64,
    /// The language that the first texts seem to be of, if it is not English; its stop words are dropped.
    pub language: Option<GuessedLanguage>,
    /// Lines of lists that no text matched; empty for a corpus that there was before.
    pub unmatched: Unmatched,
    /// The most frequent words that were joined at line ends.
    pub joined_words: Vec<String>,
    /// The most frequent words that stay apart at line ends.
    pub apart_words: Vec<String>,
    /// The corpus after the ingest.
    pub corpus: Corpus,
}

/// Receives the progress of an ingest.
/// Called from the thread that called [`ingest`](crate::ingest), tens to hundreds of times per second.
pub trait IngestProgress {
    /// A source begins: its name and, if it is a regular file, its size in bytes.
    fn source(&self, name: &str, bytes: Option<u64>);

    /// Progress within the current source: bytes read (as stored, so compressed bytes of a compressed file),
    /// documents and nonzeros.
    fn advanced(&self, bytes: u64, documents: u64, nonzeros: u64);
}

/// Discards progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl IngestProgress for NoProgress {
    fn source(&self, _name: &str, _bytes: Option<u64>) {}
    fn advanced(&self, _bytes: u64, _documents: u64, _nonzeros: u64) {}
}
