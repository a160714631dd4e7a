//! What can be wrong with an ingest, and where.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use topoi_core::numbers::counted;
use topoi_store::StoreError;
use topoi_store::ingest::ledger::NoteKind;

/// A line of a source, shown as `file:line`, or with line 0 a whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputLocation {
    /// The file as it was named, or `stdin`; one name for all the places of a source.
    pub file: Arc<str>,
    /// The line, counted from 1; 0 for the file as a whole.
    pub line: u64,
}

impl fmt::Display for InputLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// How much of a source a mistake makes unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// One document; those after it can be read.
    Document,
    /// Everything from here on.
    Source,
}

/// Something wrong in a source: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// File and line.
    pub place: InputLocation,
    /// What is wrong there, without a full stop.
    pub problem: String,
    /// How to put it right: the end of the message.
    pub remedy: Cow<'static, str>,
    /// How the ledger files it: malformed or undecodable.
    pub kind: NoteKind,
    /// What cannot be read because of it.
    pub scope: Scope,
}

impl Mistake {
    /// A document that is not as its format demands.
    pub(super) fn document(
        place: InputLocation,
        problem: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (problem, remedy) = (problem.into(), remedy.into());
        Self { place, problem, remedy, kind: NoteKind::Malformed, scope: Scope::Document }
    }

    /// A source that cannot be read on.
    pub(super) fn source(
        place: InputLocation,
        problem: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { scope: Scope::Source, ..Self::document(place, problem, remedy) }
    }

    /// The same, for bytes that are no text.
    pub(super) fn undecodable(self) -> Self {
        Self { kind: NoteKind::Undecodable, ..self }
    }
}

/// What an ingest left in the corpus when it stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept(pub u64);

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("nothing was added"),
            1 => f.write_str("the document before it was added"),
            n => write!(f, "the first {n} documents were added"),
        }
    }
}

/// Why an ingest did not reach its end. Each message is one line: where, and what. Which flags help the program says.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// No elision is known of a language.
    #[error(
        "no elision is known of {0:?}; it is known of fr, it, ca and oc, and none parts nothing"
    )]
    NoElision(String),
    /// The letters of a language are not unified.
    #[error(
        "letters of {0:?} are written in one way already; those of tr, az, ar, fa, ur, ku and he are unified"
    )]
    NoLetters(String),
    /// A pattern of paths names no fields that could be read.
    #[error("{pattern:?} is no pattern of paths: {why}")]
    PathPattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        why: String,
    },
    /// A source is not as it should be.
    #[error("{}: {}; {kept}: {}", mistake.place, mistake.problem, mistake.remedy)]
    Mistake {
        /// The place, the problem and its remedy.
        mistake: Box<Mistake>,
        /// Documents that are in the corpus all the same.
        kept: Kept,
    },
    /// Words at line ends are to be joined in what can be read once only.
    #[error(
        "{0}: words at line ends are joined by reading everything twice, and this can be read once only; save it to a file and ingest that"
    )]
    ReadTwice(String),
    /// The corpus name is blank.
    #[error("a corpus needs a name; give one before the files")]
    NoName,
    /// A setting has no such value.
    #[error("{0:?} is none of the choices")]
    UnknownChoice(String),
    /// An encoding that nobody has.
    #[error(
        "{0:?} is not an encoding; there are utf-8, windows-1252, utf-16le, koi8-r, shift_jis, gb18030, big5, euc-kr and the others of the WHATWG standard"
    )]
    UnknownEncoding(String),
    /// A list of stop words is not one there is.
    #[error(
        "{name:?} is not a list of stop words{near}; topoi stop-words lists the languages; others are none and a file of words, one a line; join several with commas"
    )]
    UnknownStopWords {
        /// The name that is not one.
        name: String,
        /// Languages whose name is nearly that, as the message goes on.
        near: String,
    },
    /// The language has no stemmer.
    #[error("{name:?} is not a language that can be stemmed; there are none, {known}")]
    UnknownStemmer {
        /// The name that is not one.
        name: String,
        /// The languages that have a list.
        known: String,
    },
    /// The limits of a word's length leave no length.
    #[error("words of at least {min_length} and at most {max_length} characters: there are none")]
    NoLength {
        /// The shortest length that is kept.
        min_length: usize,
        /// The greatest length asked for.
        max_length: usize,
    },
    /// Text cannot be cut so.
    #[error(
        "--chunk {pattern}: {reason}; give a number of words, paragraphs, pages, or a regular expression that a chunk begins with"
    )]
    ChunkPattern {
        /// What was asked for.
        pattern: String,
        /// Why text cannot be cut so.
        reason: String,
    },
    /// Chunks cannot have so much in common.
    #[error(
        "--overlap {0}: chunks can overlap only where they are so many words (--chunk 500), and by fewer words than they have"
    )]
    Overlap(usize),
    /// Counted words have no text to cut.
    #[error("{0}: counted words, which cannot be cut into chunks; nothing was added")]
    NoTextToChunk(String),
    /// A pattern that no words can be found by.
    #[error("--token-pattern {pattern:?}: {reason}; correct the regular expression")]
    TokenPattern {
        /// The pattern as it was given.
        pattern: String,
        /// Why it does not do.
        reason: String,
    },
    /// A line of a list of words that is not as it should be.
    #[error("{file}:{line}: {problem}; nothing was added: {remedy}")]
    ListLine {
        /// The list as it was named.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong there.
        problem: String,
        /// How to put it right.
        remedy: &'static str,
    },
    /// n-grams of no or of too many words.
    #[error("n-grams of up to {0} words")]
    NgramLength(usize),
    /// The source is not there.
    #[error("{0}: no such file; nothing was added: check the name and the directory")]
    Missing(String),
    /// A pattern that no file fits.
    #[error("{pattern}: {reason}; nothing was added: check the pattern and the directory")]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// Why it names no file.
        reason: String,
    },
    /// The source is a directory, and the format is of files.
    #[error(
        "{directory}: a directory, not a file of format {format}; nothing was added: give the files in it, such as '{directory}/*'"
    )]
    Directory {
        /// The source as it was named.
        directory: String,
        /// Name of the format asked for, as on the command line.
        format: &'static str,
    },
    /// The operating system does not let the source be read.
    #[error("{file}: cannot be read ({source}); nothing was added: check its permissions")]
    Unreadable {
        /// The source as it was named.
        file: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Standard input was named more than once.
    #[error("standard input (-) can be read only once; nothing was added: name it once")]
    StdinTwice,
    /// Nothing to tell the format by.
    #[error("{0}: empty, so its format cannot be told; nothing was added")]
    Empty(String),
    /// No vocabulary was named or found.
    #[error("{file}: the {format} format needs its vocabulary, and none is beside it (looked for {}); nothing was added", .looked_for.join(", "))]
    NoVocabulary {
        /// Name of the file of counts.
        file: String,
        /// Name of their format, as on the command line.
        format: &'static str,
        /// The files that were looked for.
        looked_for: Vec<String>,
    },
    /// Counted words from standard input, beside which there is no file.
    #[error("{file}: the {format} format needs its vocabulary; nothing was added")]
    UnnamedVocabulary {
        /// Name of the file of counts.
        file: String,
        /// Name of their format, as on the command line.
        format: &'static str,
    },
    /// A vocabulary was named that nothing needs.
    #[error("{}: a vocabulary, but no file here is in a format of numbered words; nothing was added", .0.display())]
    NeedlessVocabulary(PathBuf),
    /// Text and counted documents in one command.
    #[error(
        "{counted} holds counted words and {text} holds text; nothing was added: ingest them into two corpora"
    )]
    MixedKinds {
        /// Name of the first source of counts.
        counted: String,
        /// Name of the first source of text.
        text: String,
    },
    /// The corpus was made with other settings.
    #[error("corpus {corpus:?} {difference}; nothing was added: {remedy}")]
    OtherSettings {
        /// Name of the corpus.
        corpus: String,
        /// The setting that differs, with both values.
        difference: String,
        /// How to put it right: the end of the message.
        remedy: String,
    },
    /// Documents that are not in the sources may be among those that could not be read.
    #[error(
        "corpus {corpus} has {} not in what was given, of which {} could not be read: none was deleted",
        counted(*count, "document"), counted(*unread, "document")
    )]
    AbsentOrUnread {
        corpus: String,
        /// Documents of the corpus that the sources do not have.
        count: u64,
        /// Documents of the sources that could not be read.
        unread: u64,
    },
    /// More than half of the corpus would be deleted.
    #[error(
        "{count} of the {all} documents of corpus {corpus} are not in what was given: none was deleted"
    )]
    MostAbsent {
        corpus: String,
        /// Documents of the corpus that the sources do not have.
        count: u64,
        /// Documents of the corpus, with those of the sources.
        all: u64,
    },
    /// The system starts no further thread. What was committed stays.
    #[error("no thread to read the sources in: {0}; allow more processes (`ulimit -u`)")]
    NoThread(#[source] std::io::Error),
    /// The store could not be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl From<Mistake> for IngestError {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake { mistake: Box::new(mistake), kept: Kept(0) }
    }
}

/// The result of an ingest.
pub type Result<T> = std::result::Result<T, IngestError>;

/// The result of reading a source.
pub(super) type Reading<T> = std::result::Result<T, Mistake>;

/// A line as an error shows it: quoted, at most 40 characters, whatever the bytes are.
pub(super) fn excerpt(line: &[u8]) -> String {
    let start = String::from_utf8_lossy(&line[..line.len().min(200)]);
    let mut shown: String = start.chars().take(40).collect();
    if shown.len() < start.len() || line.len() > 200 {
        shown.push('…');
    }
    format!("{shown:?}")
}

/// The bytes of a line or file as UTF-8 text.
///
/// # Errors
/// When they are not UTF-8.
pub fn utf8<'a>(bytes: &'a [u8], place: &InputLocation) -> Reading<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let column = error.valid_up_to() + 1;
        let what = if place.line == 0 { "file" } else { "line" };
        Mistake::document(
            place.clone(),
            format!("not UTF-8 (byte {column} of the {what})"),
            "convert the file, for example with `iconv -f latin1 -t utf-8`",
        )
        .undecodable()
    })
}
