//! Lines (document, word, count), with the lines of a document adjacent: the bodies of the UCI and Matrix
//! Market formats.

use super::numbered_words::parse_count;
use crate::error::{InputLocation, Mistake, Reading, Scope, excerpt};
use crate::source::Source;

const REMEDY: &str = "correct the line";

/// Numbers announced by the header, and the notation of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// D, the number of documents.
    pub(crate) documents: u64,
    /// W, the number of words.
    pub(crate) words: u64,
    /// N, the number of triples.
    pub(crate) triples: u64,
    /// Notation of the lines.
    pub(crate) lines: LineKind,
}

/// The notation of a triple on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Three integers.
    Integers,
    /// Matrix Market: row, column, and a value that may be written as a real number and may be zero.
    Entry {
        /// Rows are words, and columns are documents.
        transposed: bool,
        /// There is no value; it is 1.
        pattern: bool,
    },
}

/// Document, word and count on a line; numbers above [`MAX_NUMBER`] are reduced to it.
type Triple = [u64; 3];

/// A document, and its (word id − 1, count) unless the count is zero.
type Entry = (u64, Option<(u32, u32)>);

/// The documents of a source of triples, in order.
pub(crate) struct Triples {
    pub(crate) source: Source,
    pub(crate) layout: Layout,
    /// Number of triples read.
    pub(crate) read: u64,
    /// The document read last.
    pub(crate) last: u64,
    /// A document in which an error was found: its other lines are skipped.
    pub(crate) malformed: Option<u64>,
}

impl Triples {
    /// The documents after the header.
    pub(crate) fn new(source: Source, layout: Layout) -> Self {
        Self { source, layout, read: 0, last: 0, malformed: None }
    }

    /// Reads the next document: returns its id and puts its (word id − 1, count) into `entries`, in source
    /// order, possibly with repeated words.
    ///
    /// # Errors
    /// If a line violates the format or the header. The next call continues after the document of that line.
    pub(crate) fn next_document(&mut self, entries: &mut Vec<(u32, u32)>) -> Reading<Option<u64>> {
        entries.clear();
        let mut document = None;
        loop {
            match self.next() {
                Ok(None) => return Ok(document),
                Ok(Some((id, _))) if document.is_some_and(|document| document != id) => {
                    self.source.unread_line();
                    self.read -= 1;
                    return Ok(document);
                }
                Ok(Some((id, entry))) => {
                    document = Some(id);
                    self.last = id;
                    entries.extend(entry);
                }
                Err(mistake) => {
                    let is_of_another = mistake.scope == Scope::Document
                        && document.is_some()
                        && self.malformed.is_some_and(|malformed| Some(malformed) != document);
                    if is_of_another {
                        // This document is complete. The line is read again after it.
                        self.source.unread_line();
                        self.read -= 1;
                        self.malformed = None;
                        return Ok(document);
                    }
                    self.malformed = self.malformed.or(document);
                    return Err(mistake);
                }
            }
        }
    }

    /// The next triple, checked against the header; no entry if its count is zero.
    #[inline]
    fn next(&mut self) -> Reading<Option<Entry>> {
        loop {
            let Some(line) = self.source.next_line()? else { return self.end().map(|()| None) };
            let Some(triple) = triple_of(line, self.layout.lines) else {
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let found = excerpt(line);
                let line_document = document_of(line, self.layout.lines);
                let is_integers = self.layout.lines == LineKind::Integers;
                let what = if is_integers {
                    "three integers (document, word, count)"
                } else {
                    "row, column and a whole count"
                };
                self.read += 1;
                // The document is known even if its count is invalid.
                self.malformed = line_document;
                return Err(self.mistake(format!("expected {what}, found {found}"), REMEDY));
            };
            let [document, word, count] = triple;
            if self.malformed == Some(document) {
                self.read += 1;
                continue;
            }
            let in_range = (1..=self.layout.documents).contains(&document)
                && (1..=self.layout.words).contains(&word)
                && (1..=u64::from(u32::MAX)).contains(&count)
                && self.read < self.layout.triples
                && document >= self.last;
            self.read += 1;
            // The vocabulary has fewer than 2³² words, so the header cannot promise more.
            let position = word.checked_sub(1).and_then(|word| u32::try_from(word).ok());
            let entry = position.zip(u32::try_from(count).ok()).filter(|_| in_range);
            if entry.is_some() {
                self.malformed = None;
                return Ok(Some((document, entry)));
            }
            return self.unusual(triple);
        }
    }

    #[cold]
    fn unusual(&mut self, [document, word, count]: Triple) -> Reading<Option<Entry>> {
        let Layout { documents, words, triples, lines } = self.layout;
        let range = "correct the line or the header";
        let outside = |what: &str, id: u64, limit: u64| {
            format!("{what} {id} is outside the header's 1 to {limit}")
        };
        self.malformed = Some(document);
        if self.read > triples {
            let mut mistake = self.mistake(
                format!("a triple more than the {triples} the header says"),
                "correct the header's third number",
            );
            mistake.scope = Scope::Source;
            return Err(mistake);
        }
        if !(1..=documents).contains(&document) {
            return Err(self.mistake(outside("document", document, documents), range));
        }
        if !(1..=words).contains(&word) {
            return Err(self.mistake(outside("word", word, words), range));
        }
        if document < self.last {
            let problem = format!("document {document} after document {}", self.last);
            let remedy = "sort the lines by document (keep the header lines first), or give \
                          --transpose if the columns are the documents";
            return Err(self.mistake(problem, remedy));
        }
        if count > 0 {
            let problem =
                format!("word {word} occurs more than 4294967295 times in document {document}");
            return Err(self.mistake(problem, "correct the count"));
        }
        if lines == LineKind::Integers {
            let remedy = "remove the line and lower the header's third number by one";
            return Err(self.mistake("the count is 0".into(), remedy));
        }
        self.malformed = None;
        Ok(Some((document, None)))
    }

    fn mistake(&self, problem: String, remedy: &'static str) -> Mistake {
        Mistake::document(self.source.place(), problem, remedy)
    }

    fn end(&mut self) -> Reading<()> {
        let (found, expected) = (self.read, self.layout.triples);
        if found >= expected {
            return Ok(());
        }
        // Reported once.
        self.read = expected;
        let problem =
            format!("the file ends after {found} triples, but its header says {expected}");
        let remedy = "copy or download it again, or correct the header's third number";
        Err(Mistake::source(self.source.place(), problem, remedy))
    }
}

/// Document, word and count of a line.
#[inline]
pub(super) fn triple_of(line: &[u8], kind: LineKind) -> Option<Triple> {
    match kind {
        LineKind::Integers => integers(line),
        LineKind::Entry { transposed, pattern } => {
            let [row, column, value] = integers(line).or_else(|| entry(line, pattern))?;
            Some(if transposed { [column, row, value] } else { [row, column, value] })
        }
    }
}

/// The document number of an invalid line, if it can be read.
fn document_of(line: &[u8], kind: LineKind) -> Option<u64> {
    let is_second = matches!(kind, LineKind::Entry { transposed: true, .. });
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    integer(words.nth(usize::from(is_second))?)
}

/// A line of row, column, and an optional value that is not a plain integer.
fn entry(line: &[u8], pattern: bool) -> Option<Triple> {
    let mut parts = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let (row, column) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let value = match parts.next() {
        Some(value) => parse_count(value)?.into(),
        None if pattern => 1,
        None => return None,
    };
    parts.next().is_none().then_some([row, column, value])
}

/// The single integer on a line; surrounding spaces are allowed. Saturates.
pub(crate) fn integer(line: &[u8]) -> Option<u64> {
    let mut rest = line;
    let number = next_integer(&mut rest)?;
    rest.trim_ascii().is_empty().then_some(number)
}

/// The three integers on a line. Saturates.
#[inline]
pub(crate) fn integers(line: &[u8]) -> Option<Triple> {
    let mut rest = line;
    let triple = [next_integer(&mut rest)?, next_integer(&mut rest)?, next_integer(&mut rest)?];
    (rest.is_empty() || rest.trim_ascii().is_empty()).then_some(triple)
}

/// Removes leading spaces and an integer from `rest`. The integer must end at a space or at the end of the
/// line.
#[inline]
fn next_integer(rest: &mut &[u8]) -> Option<u64> {
    let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let digits = &rest[start..];
    let mut number = 0u64;
    let mut length = 0;
    let next = |length: usize| digits.get(length).filter(|byte| byte.is_ascii_digit());
    // 19 digits always fit.
    while length < 19
        && let Some(byte) = next(length)
    {
        number = number * 10 + u64::from(byte - b'0');
        length += 1;
    }
    while let Some(byte) = next(length) {
        number = number.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
        length += 1;
    }
    let ends = digits.get(length).is_none_or(u8::is_ascii_whitespace);
    *rest = &digits[length..];
    (length > 0 && ends).then_some(number.min(MAX_NUMBER))
}

/// The largest number that a store can save.
const MAX_NUMBER: u64 = i64::MAX as u64;

/// The single number on the next line of a header.
pub(crate) fn header_line(source: &mut Source, what: &str, remedy: &'static str) -> Reading<u64> {
    let (number, found) = match source.next_line()? {
        Some(line) => (integer(line), excerpt(line)),
        None => (None, "the end of the file".into()),
    };
    let place = InputLocation { file: source.name().into(), line: source.number().max(1) };
    number.ok_or_else(|| {
        let problem = format!("expected the number of {what} alone on the line, found {found}");
        Mistake::source(place, problem, remedy)
    })
}
