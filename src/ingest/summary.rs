//! What an ingest did.

use crate::store::corpus::Corpus;
use crate::store::ingest::{Added, IngestCounts};

use super::format::Format;

/// What became of the documents of one source.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceSummary {
    /// The file as it was named, or `stdin`.
    pub name: String,
    /// The format it was read as; never [`Format::Auto`].
    pub format: Format,
    /// Documents added.
    pub added: u64,
    /// Documents that were there already, with the same content.
    pub skipped: u64,
    /// Documents left out because they hold no term.
    pub empty: u64,
    /// Documents left out because another document has their key.
    pub clashing: u64,
    /// (document, term) pairs read.
    pub nonzeros: u64,
}

impl SourceSummary {
    pub(super) fn new(name: &str, format: Format) -> Self {
        let name = name.to_string();
        Self { name, format, added: 0, skipped: 0, empty: 0, clashing: 0, nonzeros: 0 }
    }

    /// Counts a document of `nonzeros` terms that was handed to the store.
    pub(super) fn count(&mut self, added: Added, nonzeros: usize) {
        self.nonzeros += nonzeros as u64;
        match added {
            Added::New => self.added += 1,
            Added::AlreadyThere => self.skipped += 1,
            Added::OtherContent => self.clashing += 1,
        }
    }

    /// Documents left out, for whatever reason; each stands in the ledger.
    pub fn left_out(&self) -> u64 {
        self.empty + self.clashing
    }

    /// Documents seen.
    pub fn documents(&self) -> u64 {
        self.added + self.skipped + self.left_out()
    }
}

/// What one ingest did, and the corpus as it is now.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct IngestSummary {
    /// Over all sources.
    pub counts: IngestCounts,
    /// Each source, in the order they were given.
    pub sources: Vec<SourceSummary>,
    /// The corpus after the ingest.
    pub corpus: Corpus,
}
