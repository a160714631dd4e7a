//! The ledger: every document of a source that was not simply added, and why.

use crate::Store;
use crate::error::Result;
use crate::id::CorpusId;
use crate::integer::saturated;

const INSERT_NOTE: &str = "INSERT INTO ingest_note \
    (ingest_id, key, place, reason, kind, documents) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const NOTES: &str = "SELECT key, place, reason, kind, documents FROM ingest_note \
    WHERE ingest_id = ?1 ORDER BY rowid LIMIT ?2";

const OF_CORPUS: &str = "SELECT ingest_note.rowid AS id, corpus.name AS corpus, ingest_id, started_at, key, place, \
    reason, kind, ingest_note.documents AS documents FROM ingest_note \
    JOIN ingest ON ingest.id = ingest_id JOIN corpus ON corpus.id = ingest.corpus_id \
    WHERE (?1 IS NULL OR corpus_id = ?1) \
    AND (?2 OR ingest_note.documents > 0 AND kind NOT IN ('unchanged', 'replaced')) \
    ORDER BY ingest_id DESC, ingest_note.rowid";

/// Why a document was not simply added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum NoteKind {
    /// It has no term: it is empty, or none of its words is kept.
    Empty,
    /// The corpus has it with the same content.
    Unchanged,
    /// The corpus had it with other content.
    Replaced,
    /// The same ingest has another document with this key.
    Duplicate,
    /// Its bytes are not valid text.
    Undecodable,
    /// It violates its format.
    Malformed,
}

impl NoteKind {
    /// The name in `ingest_note.kind`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestNote {
    /// The document's key; for several adjacent documents the first and the last key.
    pub key: String,
    /// Its location in the source: `file:line`, or the file.
    pub place: String,
    /// Why it was not simply added, in words.
    pub reason: String,
    /// The kind of reason.
    pub kind: NoteKind,
    /// Number of documents that share this row.
    pub documents: u64,
}

/// A row of the ledger with the ingest it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    /// Row id.
    pub id: i64,
    /// The corpus's name.
    pub corpus: String,
    /// Number of the ingest.
    pub ingest: i64,
    /// When the ingest began, UTC.
    pub at: String,
    /// The document or documents.
    pub note: IngestNote,
}

/// Adjacent unchanged documents, which share one row: otherwise ingesting a file again would fill the ledger.
#[derive(Debug, Default)]
pub(crate) struct UnchangedRange {
    first: Option<IngestNote>,
    last_key: String,
}

impl UnchangedRange {
    pub(crate) fn add(&mut self, key: &str, place: &str) {
        match &mut self.first {
            Some(note) => {
                note.documents += 1;
                self.last_key.clear();
                self.last_key.push_str(key);
            }
            None => {
                self.first = Some(IngestNote {
                    key: key.into(),
                    place: place.into(),
                    reason: "there already, with the same content".into(),
                    kind: NoteKind::Unchanged,
                    documents: 1,
                });
            }
        }
    }

    pub(crate) fn take(&mut self) -> Option<IngestNote> {
        let mut note = self.first.take()?;
        if note.documents > 1 {
            note.key = format!("{} … {}", note.key, self.last_key);
        }
        Some(note)
    }
}

impl Store {
    pub(crate) fn insert_note(&self, ingest: i64, note: &IngestNote) -> Result<()> {
        let IngestNote { key, place, reason, kind, documents } = note;
        self.execute(
            INSERT_NOTE,
            (
                ingest,
                key,
                place,
                reason,
                kind.name(),
                i64::try_from(*documents).unwrap_or(i64::MAX),
            ),
        )?;
        Ok(())
    }

    /// The first `limit` rows of an ingest's ledger.
    pub fn ingest_notes(&self, ingest: i64, limit: usize) -> Result<Vec<IngestNote>> {
        self.rows(NOTES, (ingest, saturated(limit)), IngestNote::from_row)
    }

    /// Documents that are not in a corpus, or in any, newest ingest first, with those of one ingest in their order.
    /// With `all` also those that were there already or replaced an earlier version, and remarks about documents that
    /// are in it.
    pub fn left_out_of_corpus(
        &self,
        corpus: Option<CorpusId>,
        all: bool,
    ) -> Result<Vec<LedgerRow>> {
        self.rows(OF_CORPUS, (corpus, all), |row| {
            Ok(LedgerRow {
                id: row.get("id")?,
                corpus: row.get("corpus")?,
                ingest: row.get("ingest_id")?,
                at: row.get("started_at")?,
                note: IngestNote::from_row(row)?,
            })
        })
    }
}

impl IngestNote {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let kind: String = row.get("kind")?;
        let kinds = [
            NoteKind::Unchanged,
            NoteKind::Replaced,
            NoteKind::Duplicate,
            NoteKind::Undecodable,
            NoteKind::Malformed,
        ];
        let kind = kinds.into_iter().find(|k| k.name() == kind).unwrap_or(NoteKind::Empty);
        Ok(Self {
            key: row.get("key")?,
            place: row.get("place")?,
            reason: row.get("reason")?,
            kind,
            documents: row.get("documents")?,
        })
    }
}
