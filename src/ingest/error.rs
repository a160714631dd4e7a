//! What can be wrong with an ingest, in words that say where and what to do.

use std::fmt;
use std::path::PathBuf;

use crate::store::StoreError;

/// A line of a source, shown as `file:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named, or `stdin`.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why nothing was ingested. Each message is one line: where, what, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The corpus name is blank.
    #[error("a corpus needs a name; give one before the files")]
    NoName,
    /// The format's name is not one there is.
    #[error("{0:?} is not a format; there are auto, uci, jsonl and lines")]
    UnknownFormat(String),
    /// The list of stop words is not one there is.
    #[error("{0:?} is not a list of stop words; there are en and none")]
    UnknownStopWords(String),
    /// The limits of a word's length leave no length.
    #[error(
        "words of at least {min_length} and at most {max_length} characters: there are none; raise --max-length or lower --min-length"
    )]
    NoLength {
        /// The shortest length that is kept.
        min_length: usize,
        /// The longest.
        max_length: usize,
    },
    /// The source is not there.
    #[error("{0}: no such file; nothing was added: check the name and the directory")]
    Missing(String),
    /// The source is a directory.
    #[error("{0}: a directory; nothing was added: give the files in it, such as {0}/*")]
    Directory(String),
    /// The operating system does not let the source be read.
    #[error("{file}: cannot be read ({reason}); nothing was added: check its permissions")]
    Unreadable {
        /// The source.
        file: String,
        /// What the operating system said.
        reason: String,
    },
    /// Standard input was named more than once.
    #[error("standard input (-) can be read only once; nothing was added: name it once")]
    StdinTwice,
    /// Nothing to tell the format by.
    #[error(
        "{0}: empty, so its format cannot be told; nothing was added: leave it out or say its --format"
    )]
    Empty(String),
    /// A compression that is not read.
    #[error(
        "{0}: compressed with zstd, which is not read; nothing was added: `zstd -dc {0} | topica ingest CORPUS -`"
    )]
    Zstandard(String),
    /// A gzip stream that ends too early.
    #[error("{0}: the gzip file is cut short here; nothing was added: copy or download it again")]
    CutShort(Place),
    /// A gzip stream that does not decode.
    #[error(
        "{place}: the gzip file is damaged here ({reason}); nothing was added: copy or download it again"
    )]
    Damaged {
        /// The line that was being read.
        place: Place,
        /// What the decoder said.
        reason: String,
    },
    /// A line longer than memory is kept for.
    #[error(
        "{place}: a line longer than {limit} MiB; nothing was added: put each document on a line of its own"
    )]
    LongLine {
        /// The line.
        place: Place,
        /// The longest line read, in MiB.
        limit: u64,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "{place}: not UTF-8 (byte {column} of the line); nothing was added: convert the file, for example with `iconv -f latin1 -t utf-8`"
    )]
    NotUtf8 {
        /// The line.
        place: Place,
        /// The first byte that is wrong, counted from 1.
        column: usize,
    },
    /// A line of a JSON Lines source that does not hold what it must.
    #[error("{place}: {problem}; nothing was added: {remedy}")]
    Json {
        /// The line.
        place: Place,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The header of a docword file does not hold what it must.
    #[error(
        "{place}: expected the number of {what} alone on the line, found {found}; nothing was added: a docword file starts with three such lines (documents, words, triples)"
    )]
    Header {
        /// The line.
        place: Place,
        /// What the line should count.
        what: &'static str,
        /// What stands there.
        found: String,
    },
    /// A line of a docword file that is no triple.
    #[error(
        "{place}: expected three integers (document, word, count), found {found}; nothing was added: correct the line"
    )]
    Triple {
        /// The line.
        place: Place,
        /// What stands there.
        found: String,
    },
    /// An id that the header does not allow.
    #[error(
        "{place}: {what} {found} is outside the header's 1 to {limit}; nothing was added: correct the line or the header"
    )]
    OutOfRange {
        /// The line.
        place: Place,
        /// `document` or `word`.
        what: &'static str,
        /// The id.
        found: u64,
        /// The largest id the header allows.
        limit: u64,
    },
    /// A triple that counts nothing.
    #[error(
        "{0}: the count is 0; nothing was added: remove the line and lower the header's third number by one"
    )]
    CountZero(Place),
    /// A count that does not fit 32 bits.
    #[error(
        "{place}: word {word} occurs more than 4294967295 times in document {document}; nothing was added: correct the count"
    )]
    CountTooLarge {
        /// The line.
        place: Place,
        /// The document.
        document: u64,
        /// The word.
        word: u64,
    },
    /// Documents that are not in order.
    #[error(
        "{place}: document {found} after document {last}; nothing was added: sort the lines by document (keep the three header lines first)"
    )]
    Backwards {
        /// The line.
        place: Place,
        /// The document of the line.
        found: u64,
        /// The document of the line before.
        last: u64,
    },
    /// A docword file that ends too early.
    #[error(
        "{place}: the file ends after {found} triples, but its header says {expected}; nothing was added: copy or download it again, or correct the header's third number"
    )]
    TooFewTriples {
        /// The last line.
        place: Place,
        /// Triples there are.
        found: u64,
        /// Triples the header announces.
        expected: u64,
    },
    /// A docword file that goes on.
    #[error(
        "{place}: a triple more than the {expected} the header says; nothing was added: correct the header's third number"
    )]
    TooManyTriples {
        /// The line.
        place: Place,
        /// Triples the header announces.
        expected: u64,
    },
    /// No vocabulary was named or found.
    #[error("{file}: the uci format needs its vocabulary, and none is beside it (looked for {}); nothing was added: name it with --vocab FILE", .looked_for.join(", "))]
    NoVocabulary {
        /// The docword file.
        file: String,
        /// The files that were looked for.
        looked_for: Vec<String>,
    },
    /// Counted words from standard input, beside which there is no file.
    #[error(
        "{0}: the uci format needs its vocabulary; nothing was added: name it with --vocab FILE"
    )]
    UnnamedVocabulary(String),
    /// A vocabulary was named that nothing needs.
    #[error("{}: a vocabulary, but no file here is in the uci format; nothing was added: leave out --vocab or say --format uci", .0.display())]
    NeedlessVocabulary(PathBuf),
    /// The vocabulary has another number of words than the docword file says.
    #[error(
        "{file}: {found} words, but {docword} says {expected}; nothing was added: give the vocabulary that belongs to it with --vocab FILE"
    )]
    VocabularyLength {
        /// The vocabulary.
        file: String,
        /// Words in it.
        found: u64,
        /// The docword file.
        docword: String,
        /// Words the header announces.
        expected: u64,
    },
    /// The vocabulary has a line without a word.
    #[error(
        "{0}: an empty line where a word should be; nothing was added: each line of a vocabulary is one word"
    )]
    EmptyWord(Place),
    /// The vocabulary has a word twice.
    #[error(
        "{place}: the word {word:?} stands on line {first} already; nothing was added: each word may stand once"
    )]
    DuplicateWord {
        /// The second place.
        place: Place,
        /// The word.
        word: String,
        /// The first line.
        first: u64,
    },
    /// Text and counted documents in one command.
    #[error(
        "{counted} holds counted words and {text} holds text; nothing was added: ingest them into two corpora"
    )]
    MixedKinds {
        /// A source of counts.
        counted: String,
        /// A source of text.
        text: String,
    },
    /// The corpus was made with other settings.
    #[error("corpus {corpus:?} {difference}; nothing was added: {remedy}")]
    OtherSettings {
        /// The corpus.
        corpus: String,
        /// The setting that differs, with both values.
        difference: String,
        /// What to do.
        remedy: String,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of reading or ingesting.
pub type Result<T> = std::result::Result<T, IngestError>;

/// A line as an error shows it: quoted, at most 40 characters, whatever the bytes are.
pub(super) fn excerpt(line: &[u8]) -> String {
    let start = String::from_utf8_lossy(&line[..line.len().min(200)]);
    let mut shown: String = start.chars().take(40).collect();
    if shown.len() < start.len() || line.len() > 200 {
        shown.push('…');
    }
    format!("{shown:?}")
}
