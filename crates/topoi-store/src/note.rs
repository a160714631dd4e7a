//! Notes and bookmarks of people: on a corpus, run, topic, document, passage or word.

use rusqlite::OptionalExtension;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::{CorpusId, RunId, TopicNumber};

const NOTES: &str = "SELECT note.*, corpus.name AS corpus, \
    (SELECT id FROM document AS d WHERE d.corpus_id = note.corpus_id AND d.key = document_key) AS document_id, \
    (SELECT text FROM document_text AS t JOIN document AS d ON d.id = t.document_id \
     WHERE note.quote IS NOT NULL AND d.corpus_id = note.corpus_id AND d.key = document_key) AS document_text, \
    (SELECT label FROM topic WHERE topic.run_id = note.run_id AND topic.topic = note.topic) AS label \
    FROM note JOIN corpus ON corpus.id = note.corpus_id";
const SAVE: &str = "INSERT INTO note (corpus_id, about, run_id, topic, document_key, term, quote_start, quote, \
    source, note_text, written_by, written_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, strftime('%Y-%m-%dT%H:%M:%fZ')) \
    ON CONFLICT DO UPDATE SET quote = excluded.quote, source = excluded.source, note_text = excluded.note_text, \
    written_by = excluded.written_by, written_at = excluded.written_at";
/// The columns of the unique index of notes.
const OF_SUBJECT: &str = "note.corpus_id = ?1 AND about = ?2 AND coalesce(note.run_id, 0) = coalesce(?3, 0) \
    AND coalesce(note.topic, 0) = coalesce(?4, 0) AND coalesce(document_key, '') = coalesce(?5, '') \
    AND coalesce(term, '') = coalesce(?6, '') AND coalesce(quote_start, 0) = coalesce(?7, 0)";

/// What a note is about, within its corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteSubject {
    /// The corpus itself.
    Corpus,
    /// A run of the corpus.
    Run(RunId),
    /// A topic of a run.
    Topic(RunId, TopicNumber),
    /// The document with this key.
    Document(String),
    /// A part of a document's text.
    Passage(Passage),
    /// A word, whether the corpus has it or not.
    Word(String),
}

/// A part of a document's text, as it was when it was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Key of the document.
    pub document: String,
    /// Characters of the document's text before it.
    pub start: u64,
    /// Its text.
    pub quote: String,
}

/// What has become of a document or passage since it was noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteState {
    /// It is there, a passage at its place.
    Present,
    /// The passage is at another place of the text.
    Moved,
    /// The document is there, and its text has no such passage.
    Changed,
    /// The document is gone.
    Gone,
}

/// A saved note.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Row id.
    pub id: i64,
    /// Name of the corpus.
    pub corpus: String,
    /// Row id of the corpus.
    pub corpus_id: CorpusId,
    /// What it is about.
    pub subject: NoteSubject,
    /// Row id of the document, if it is about one that is there.
    pub document: Option<crate::id::DocumentId>,
    /// The label of the topic it is about.
    pub label: Option<String>,
    /// Whether what it is about is as it was.
    pub state: NoteState,
    /// Where a passage or document is from, in the form for citations of when it was written.
    pub source: Option<String>,
    /// What was noted; empty for a bookmark.
    pub text: String,
    /// Who wrote it.
    pub by: String,
    /// When it was last changed, UTC.
    pub at: String,
}

/// A note to be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct NewNote {
    /// Row id of the corpus.
    pub corpus: CorpusId,
    /// What it is about.
    pub subject: NoteSubject,
    /// Where a passage or document is from.
    pub source: Option<String>,
    /// What is noted; empty for a bookmark.
    pub text: String,
    /// Who notes it.
    pub by: String,
}

/// Which notes are meant.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoteChoice<'a> {
    /// Only those of this corpus.
    pub corpus: Option<CorpusId>,
    /// Only those on this run and its topics.
    pub run: Option<RunId>,
    /// Only those with this text in the note, the quote, its source, or what they are about; capitals count alike.
    pub text: &'a str,
}

/// The columns that identify a subject: (about, run, topic, document, term, start).
type SubjectColumns<'a> = (
    &'static str,
    Option<RunId>,
    Option<TopicNumber>,
    Option<&'a str>,
    Option<&'a str>,
    Option<u64>,
);

impl NoteSubject {
    /// The word for its kind.
    pub fn about(&self) -> &'static str {
        self.columns().0
    }

    /// The key of the document it is about, or in.
    pub fn document(&self) -> Option<&str> {
        self.columns().3
    }

    /// The passage it is about.
    pub fn passage(&self) -> Option<&Passage> {
        if let Self::Passage(passage) = self { Some(passage) } else { None }
    }

    fn columns(&self) -> SubjectColumns<'_> {
        match self {
            Self::Corpus => ("corpus", None, None, None, None, None),
            Self::Run(run) => ("run", Some(*run), None, None, None, None),
            Self::Topic(run, topic) => ("topic", Some(*run), Some(*topic), None, None, None),
            Self::Document(key) => ("document", None, None, Some(key), None, None),
            Self::Passage(passage) => {
                ("passage", None, None, Some(&passage.document), None, Some(passage.start))
            }
            Self::Word(term) => ("word", None, None, None, Some(term), None),
        }
    }

    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let about: String = row.get("about")?;
        Ok(match about.as_str() {
            "run" => Self::Run(row.get("run_id")?),
            "topic" => Self::Topic(row.get("run_id")?, row.get("topic")?),
            "document" => Self::Document(row.get("document_key")?),
            "passage" => Self::Passage(Passage {
                document: row.get("document_key")?,
                start: row.get("quote_start")?,
                quote: row.get("quote")?,
            }),
            "word" => Self::Word(row.get("term")?),
            _ => Self::Corpus,
        })
    }
}

impl std::fmt::Display for NoteSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Corpus => write!(f, "corpus"),
            Self::Run(run) => write!(f, "run {run}"),
            Self::Topic(run, topic) => write!(f, "topic {topic} of run {run}"),
            Self::Document(key) => write!(f, "{key}"),
            Self::Passage(Passage { document, start, .. }) => {
                write!(f, "{document}, character {}", start + 1)
            }
            Self::Word(term) => write!(f, "word {term}"),
        }
    }
}

impl Note {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        let subject = NoteSubject::from_row(row)?;
        let document: Option<crate::id::DocumentId> = row.get("document_id")?;
        let text: Option<String> = row.get("document_text")?;
        let state = match (&subject, document) {
            (NoteSubject::Document(_) | NoteSubject::Passage(_), None) => NoteState::Gone,
            (NoteSubject::Passage(passage), Some(_)) => {
                passage.state_in(text.as_deref().unwrap_or_default())
            }
            _ => NoteState::Present,
        };
        Ok(Self {
            id: row.get("id")?,
            corpus: row.get("corpus")?,
            corpus_id: row.get("corpus_id")?,
            subject,
            document,
            label: row.get("label")?,
            state,
            source: row.get("source")?,
            text: row.get("note_text")?,
            by: row.get("written_by")?,
            at: row.get("written_at")?,
        })
    }

    /// Whether a text is in the note, the quote, its source, or the name of what it is about.
    fn has(&self, text: &str) -> bool {
        let quote = self.subject.passage().map_or("", |passage| &passage.quote);
        let source = self.source.as_deref().unwrap_or_default();
        let subject = format!("{} {}", self.subject, self.label.as_deref().unwrap_or_default());
        [&self.text, quote, source, &subject, &self.corpus, &self.by]
            .iter()
            .any(|within| within.to_lowercase().contains(&text.to_lowercase()))
    }
}

impl Passage {
    /// What has become of it in the text that its document has now.
    fn state_in(&self, text: &str) -> NoteState {
        match (self.is_at_its_place(text), text.contains(&self.quote)) {
            (Some(_), _) => NoteState::Present,
            (None, true) => NoteState::Moved,
            (None, false) => NoteState::Changed,
        }
    }

    /// The byte of the text at which it is, if it is at its place.
    fn is_at_its_place(&self, text: &str) -> Option<usize> {
        let start = usize::try_from(self.start).unwrap_or(usize::MAX);
        let at = text.char_indices().map(|(at, _)| at).nth(start)?;
        text[at..].starts_with(&self.quote).then_some(at)
    }

    /// The bytes of a text that it has: at its place, else the first that are the same.
    pub fn place_in(&self, text: &str) -> Option<std::ops::Range<usize>> {
        let at = self.is_at_its_place(text).or_else(|| text.find(&self.quote))?;
        Some(at..at + self.quote.len())
    }
}

impl Store {
    /// The notes of a choice, those of a corpus together, by kind, in the order of what they are about.
    pub fn notes(&self, of: NoteChoice<'_>) -> Result<Vec<Note>> {
        let sql = format!(
            "{NOTES} WHERE (?1 IS NULL OR note.corpus_id = ?1) AND (?2 IS NULL OR note.run_id = ?2) \
             ORDER BY corpus.name, about, note.run_id, note.topic, document_key, quote_start, term"
        );
        let mut notes = self.rows(&sql, (of.corpus, of.run), Note::from_row)?;
        notes.retain(|note| note.has(of.text));
        Ok(notes)
    }

    /// The note on a subject, if there is one.
    pub fn note(&self, corpus: CorpusId, subject: &NoteSubject) -> Result<Option<Note>> {
        let (about, run, topic, document, term, start) = subject.columns();
        let sql = format!("{NOTES} WHERE {OF_SUBJECT}");
        let read = || -> rusqlite::Result<Option<Note>> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            statement
                .query_row((corpus, about, run, topic, document, term, start), Note::from_row)
                .optional()
        };
        read().map_err(|source| self.error(source))
    }

    /// Saves a note, in place of one on the same subject.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`], [`StoreError::UnknownTopic`].
    pub fn save_note(&self, note: &NewNote) -> Result<()> {
        match note.subject {
            NoteSubject::Run(run) => drop(self.run(run)?),
            NoteSubject::Topic(run, topic) if topic.index() >= self.topic_labels(run)?.len() => {
                return Err(StoreError::UnknownTopic { run, topic });
            }
            _ => {}
        }
        let (about, run, topic, document, term, start) = note.subject.columns();
        let quote = note.subject.passage().map(|passage| passage.quote.as_str());
        let (source, text, by) = (&note.source, &note.text, &note.by);
        self.execute(
            SAVE,
            (note.corpus, about, run, topic, document, term, start, quote, source, text, by),
        )?;
        Ok(())
    }

    /// Removes the note on a subject; returns whether there was one.
    pub fn remove_note(&self, corpus: CorpusId, subject: &NoteSubject) -> Result<bool> {
        let (about, run, topic, document, term, start) = subject.columns();
        let sql = format!("DELETE FROM note WHERE {OF_SUBJECT}");
        Ok(self.execute(&sql, (corpus, about, run, topic, document, term, start))? > 0)
    }
}
