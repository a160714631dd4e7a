//! The formats a source can have. A format is a file in `files`, `markup`, `sheets`, `text` or `counts`, with all that the program
//! knows of it, and a line of `FORMATS`: names, help, recognition and reading follow from the list.

pub(crate) mod counts;
pub(crate) mod files;
mod markup;
mod names;
mod opening;
mod sheets;
#[cfg(test)]
mod test_paragraphs;
mod text;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use self::counts::matrix_market::BANNER;
pub(crate) use self::counts::triples::Triples;
use self::files::what_it_is::refusal;
pub(crate) use self::opening::{Context, Opened, Opening, mark_of};
pub(crate) use self::text::fields::{Quotes, TabQuotes, tab_quotes, width_of};
use super::error::{IngestError, Reading, Result};
use super::source::{Source, plain_name};

/// All formats, in the order help shows them. Of those that a source looks like the first is taken:
/// every line of LDA-C is one of SVMlight too.
static FORMATS: &[&FormatDef] = &[
    &files::FORMAT,
    &files::plain::FORMAT,
    &files::pdf::FORMAT,
    &markup::html::FORMAT,
    &markup::xml::FORMAT,
    &markup::epub::FORMAT,
    &markup::docx::FORMAT,
    &markup::odt::FORMAT,
    &markup::markdown::FORMAT,
    &text::lines::FORMAT,
    &text::jsonl::FORMAT,
    &text::delimited::CSV,
    &text::delimited::TSV,
    &sheets::FORMAT,
    #[cfg(feature = "parquet")]
    &sheets::columnar::PARQUET,
    #[cfg(feature = "parquet")]
    &sheets::columnar::ARROW,
    &counts::uci::FORMAT,
    &counts::matrix_market::FORMAT,
    &counts::ldac::FORMAT,
    &counts::svmlight::FORMAT,
    &counts::vowpal_wabbit::FORMAT,
    &text::mallet::FORMAT,
    #[cfg(test)]
    &test_paragraphs::FORMAT,
];

/// How many lines may be blank before the first that tells the format.
const BLANK_LINES: usize = 64;
/// How many lines must look alike for a format that only its lines tell.
const LINES_ALIKE: usize = 16;

/// Whether a source, from its beginning, looks like a format.
type Recognise = fn(&mut Source) -> Reading<bool>;

/// All that the program knows of a format.
pub(crate) struct FormatDef {
    name: &'static str,
    /// What it is, in a few words.
    help: &'static str,
    holds: Holds,
    /// How a file becomes a document, where every file is one.
    file: Option<files::ReadFile>,
    /// Endings of file names that tell it, in small letters.
    endings: &'static [&'static str],
    /// Whether a source begins as only this format does.
    has_signature: Recognise,
    /// Whether its files are ZIP archives, of which the name tells more where the first bytes do not.
    is_archive: bool,
    /// Whether the first lines look like it; asked where neither a signature nor the name tells.
    looks_alike: Recognise,
    /// Makes documents of a source.
    open: for<'o, 'a> fn(Opening<'o, 'a>) -> Opened<'a>,
}

impl FormatDef {
    /// What most formats have in common: files of text that nothing but `--format` tells.
    const USUAL: Self = Self {
        name: "",
        help: "",
        holds: Holds::Text,
        file: None,
        endings: &[],
        has_signature: |_| Ok(false),
        is_archive: false,
        looks_alike: |_| Ok(false),
        open: text::lines::open,
    };
}

/// What the documents of a format are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Text,
    /// Words with their counts.
    Words,
    /// Numbers of words with their counts, which a vocabulary can say the meaning of.
    Numbers,
    /// The same, meaningless without a vocabulary.
    NumbersOfVocabulary,
}

/// What a source is read as. The default is a document a line.
#[derive(Clone, Copy)]
pub struct Format(&'static FormatDef);

impl Format {
    /// All formats, in the order help shows them.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|def| Self(def))
    }

    /// The format of this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// That of which every file is a document and read by what it is.
    pub(super) fn of_files() -> Self {
        Self(&files::FORMAT)
    }

    /// The format of a whole file that its first bytes show.
    fn of_file(source: &mut Source) -> Reading<Option<Self>> {
        for format in Self::all().filter(|format| format.is_of_files()) {
            if (format.0.has_signature)(source)? {
                return Ok(Some(format));
            }
        }
        Ok(of_archive(source).filter(|format| format.is_of_files()))
    }

    /// The format of a whole file that its name shows.
    fn by_name_of_file(name: &str) -> Option<Self> {
        by_name(name).filter(|format| format.is_of_files())
    }

    /// Whether a file, by its name, holds many documents.
    fn is_of_records(path: &Path) -> bool {
        by_name(&path.to_string_lossy()).is_some_and(|format| !format.is_of_files())
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it is, in a few words.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// Whether every file is a document.
    pub(super) fn is_of_files(self) -> bool {
        self.0.file.is_some()
    }

    /// Whether documents come as counts of words rather than as text.
    pub fn is_counted(self) -> bool {
        self.0.holds != Holds::Text
    }

    /// Whether words are numbers, which a vocabulary can say the meaning of.
    pub fn has_numbered_words(self) -> bool {
        matches!(self.0.holds, Holds::Numbers | Holds::NumbersOfVocabulary)
    }

    /// Whether numbers mean nothing without a vocabulary.
    pub fn needs_vocabulary(self) -> bool {
        self.0.holds == Holds::NumbersOfVocabulary
    }

    /// The format that name and first lines of `source` show. Takes no line from the source.
    ///
    /// # Errors
    /// When there is nothing to tell the format by.
    pub(super) fn of(source: &mut Source) -> Result<Self> {
        // A source that cannot be read says so when it is read.
        let told = by_content(source).unwrap_or(Some(Self::default()));
        told.ok_or_else(|| IngestError::Empty(source.name().into()))
    }

    /// Makes documents of a source.
    pub(super) fn open<'a>(self, opening: Opening<'_, 'a>) -> Opened<'a> {
        (self.0.open)(opening)
    }
}

fn by_content(source: &mut Source) -> Reading<Option<Format>> {
    let signed = first_that(source, |def| def.has_signature)?;
    if let Some(format) = signed.or_else(|| of_archive(source)) {
        return Ok(Some(format));
    }
    if refusal(source).is_some() {
        // It is refused when it is read, and named.
        return Ok(Some(Format::default()));
    }
    if is_blank(source)? {
        return Ok(None);
    }
    if let Some(format) = by_name(source.name()) {
        return Ok(Some(format));
    }
    Ok(Some(first_that(source, |def| def.looks_alike)?.unwrap_or_default()))
}

fn first_that(source: &mut Source, test: fn(&FormatDef) -> Recognise) -> Reading<Option<Format>> {
    for format in Format::all() {
        if test(format.0)(source)? {
            return Ok(Some(format));
        }
    }
    Ok(None)
}

/// The format of an archive by its name: the parts that show it can stand behind others, and what is broken in
/// it is for the format to say.
fn of_archive(source: &Source) -> Option<Format> {
    let is_zip = [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|sign| source.head().starts_with(*sign));
    by_name(source.name()).filter(|format| is_zip && format.0.is_archive)
}

fn by_name(name: &str) -> Option<Format> {
    let name = plain_name(name).to_ascii_lowercase();
    let ending = Path::new(&name).extension()?.to_str()?;
    Format::all().find(|format| format.0.endings.contains(&ending))
}

/// The number of the first line that is not blank, where it is among the first.
fn first_line(source: &mut Source) -> Reading<Option<usize>> {
    for index in 0..BLANK_LINES {
        match source.peek(index)? {
            None => break,
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(_) => return Ok(Some(index)),
        }
    }
    Ok(None)
}

/// Whether a source ends before a line that is not blank.
fn is_blank(source: &mut Source) -> Reading<bool> {
    Ok(first_line(source)?.is_none() && source.peek(BLANK_LINES - 1)?.is_none())
}

/// Whether the first lines are all of a kind. Two at least: one line of numbers can be anything.
fn are_alike(source: &mut Source, is_line: fn(&[u8]) -> bool) -> Reading<bool> {
    for index in 0..LINES_ALIKE {
        match source.peek(index)? {
            None => return Ok(index > 1),
            Some(line) if !is_line(line) => return Ok(false),
            Some(_) => {}
        }
    }
    Ok(true)
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

impl Default for Format {
    fn default() -> Self {
        Self(&text::lines::FORMAT)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("{name:?} is not a format"));
        Self::named(&name).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised_as(name: &str, text: &str) -> String {
        let mut source = Source::of_bytes(name, text.as_bytes().to_vec()).expect("source");
        match Format::of(&mut source) {
            Ok(format) => format.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn recognised(text: &str) -> String {
        recognised_as("x", text)
    }

    #[test]
    fn the_first_lines_tell_the_format() {
        assert_eq!(recognised("2\n3\n1\n1 2 3\n"), "uci");
        assert_eq!(recognised("2 \r\n3\r\n1\r\n1 2 3\r\n"), "uci");
        assert_eq!(recognised("2\n3\n0\n"), "uci");
        assert_eq!(recognised("2\n3\n4\n"), "lines");
        assert_eq!(recognised("2\n3\n1\n1 2\n"), "lines");
        assert_eq!(recognised_as("a/docword.x.txt.gz", "2\n3\n1\n1 x 2\n"), "uci");
        assert_eq!(recognised("\n \n{\"text\": \"a\"}\n"), "jsonl");
        assert_eq!(recognised("{curly} but not JSON\n"), "lines");
        assert_eq!(recognised("[1, 2]\n"), "lines");
        assert_eq!(recognised("a line\n"), "lines");
        assert_eq!(
            recognised("%%MatrixMarket matrix coordinate real general\n1 1 0\n"),
            "matrix-market"
        );
        assert_eq!(recognised("2 0:1 3:4\n1 2:2\n"), "ldac");
        assert_eq!(recognised("1 1:1 3:4\n-1 2:2 # x\n"), "svmlight");
        assert_eq!(recognised("| 1:1 3:4\n1 |ns a:2 b\n"), "vw");
        assert_eq!(recognised("at 7:30 | in town\nsome text\n"), "lines");
        assert!(recognised("\n\n").starts_with("x: empty, so its format cannot be told"));
    }

    #[test]
    fn names_tell_what_lines_cannot() {
        assert_eq!(recognised_as("a.csv", "text,id\nwords,1\n"), "csv");
        assert_eq!(recognised_as("a.tsv.gz", "text\tid\n"), "tsv");
        assert_eq!(recognised_as("a.mallet", "name label text\n"), "mallet");
    }

    #[test]
    fn every_format_has_a_name_of_its_own_and_a_line_of_help() {
        for format in Format::all() {
            assert_eq!(Format::named(format.name()), Some(format));
            assert_eq!(Format::all().filter(|other| *other == format).count(), 1);
            assert!(!format.help().is_empty() && !format.help().contains('\n'), "{format}");
            let json = serde_json::to_string(&format).expect("JSON");
            assert_eq!(serde_json::from_str::<Format>(&json).expect("a format"), format);
        }
        assert_eq!(Format::named("auto"), None);
        assert!(serde_json::from_str::<Format>("\"auto\"").is_err());
    }
}
