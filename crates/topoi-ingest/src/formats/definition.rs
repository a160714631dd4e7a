//! The definition of a format, and the tests of first lines that several formats share.

use std::fmt;

use serde::{Serialize, Serializer};

use super::files::ReadFile;
use super::opening::{FormatInput, OpenResult};
use crate::error::Reading;
use crate::source::Source;

/// Maximum number of blank lines before the first line that shows the format.
const BLANK_LINES: usize = 64;
/// Number of first lines that must look alike in a format recognised by its lines only.
pub(super) const LINES_ALIKE: usize = 16;

/// Tests whether a source begins like a format.
pub(super) type Recognise = fn(&mut Source) -> Reading<bool>;

/// Opens a source as documents.
pub(super) type OpenSource = for<'o, 'a> fn(FormatInput<'o, 'a>) -> OpenResult<'a>;

/// A format: its name, help, recognition and reading.
pub(crate) struct FormatDef {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// A description of a few words.
    pub(super) help: &'static str,
    pub(super) content: ContentKind,
    /// The function that reads a whole file as a document; `None` in formats with many documents per file.
    pub(super) file: Option<ReadFile>,
    /// Extensions of the format's file names, in lower case.
    pub(super) endings: &'static [&'static str],
    /// Whether a source begins as only this format does.
    pub(super) has_signature: Recognise,
    /// Whether a record has a key and named fields.
    pub(super) is_table: bool,
    /// Whether files are ZIP archives. The name identifies an archive whose first bytes do not.
    pub(super) is_archive: bool,
    /// Whether the first lines look like the format. Called if neither a signature nor the name shows a format.
    pub(super) looks_alike: Recognise,
    pub(super) open: OpenSource,
}

impl FormatDef {
    /// A nameless text format that is never recognised. Every format changes what differs.
    pub(super) const fn with_open(open: OpenSource) -> Self {
        Self {
            name: "",
            help: "",
            content: ContentKind::Text,
            file: None,
            endings: &[],
            has_signature: |_| Ok(false),
            is_table: false,
            is_archive: false,
            looks_alike: |_| Ok(false),
            open,
        }
    }
}

/// The content of a format's documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentKind {
    Text,
    /// Words with their counts.
    WordCounts,
    /// Numbers of words with their counts. A vocabulary can give the words.
    NumberCounts,
    /// Numbers of words with their counts, meaningless without a vocabulary.
    VocabularyNumberCounts,
}

/// The format of a source. The default has a document per line.
#[derive(Clone, Copy)]
pub struct Format(pub(super) &'static FormatDef);

impl Format {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A description of a few words.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// Whether every file is a document.
    pub(crate) fn is_document_per_file(self) -> bool {
        self.0.file.is_some()
    }

    /// Whether a record has a key and named fields.
    pub(crate) fn is_table(self) -> bool {
        self.0.is_table
    }

    /// Whether documents come as counts of words rather than as text.
    pub fn is_counted(self) -> bool {
        self.0.content != ContentKind::Text
    }

    /// Whether words are numbers. A vocabulary can give the words.
    pub fn has_numbered_words(self) -> bool {
        matches!(self.0.content, ContentKind::NumberCounts | ContentKind::VocabularyNumberCounts)
    }

    /// Whether words are numbers that are meaningless without a vocabulary.
    pub fn needs_vocabulary(self) -> bool {
        self.0.content == ContentKind::VocabularyNumberCounts
    }

    /// Opens a source as documents.
    pub(super) fn open<'a>(self, input: FormatInput<'_, 'a>) -> OpenResult<'a> {
        (self.0.open)(input)
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The index of the first line that is not blank; `None` if the first [`BLANK_LINES`] are blank.
pub(super) fn first_line(source: &mut Source) -> Reading<Option<usize>> {
    for index in 0..BLANK_LINES {
        match source.peek(index)? {
            None => break,
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(_) => return Ok(Some(index)),
        }
    }
    Ok(None)
}

/// Whether a source ends within [`BLANK_LINES`] lines and all of them are blank.
pub(super) fn is_blank(source: &mut Source) -> Reading<bool> {
    Ok(first_line(source)?.is_none() && source.peek(BLANK_LINES - 1)?.is_none())
}

/// Whether the first [`LINES_ALIKE`] lines all satisfy `is_line`. A shorter source needs two lines: one line of
/// numbers can be anything.
pub(super) fn are_alike(source: &mut Source, is_line: fn(&[u8]) -> bool) -> Reading<bool> {
    for index in 0..LINES_ALIKE {
        match source.peek(index)? {
            None => return Ok(index > 1),
            Some(line) if !is_line(line) => return Ok(false),
            Some(_) => {}
        }
    }
    Ok(true)
}
