//! The formats a source can have, and telling which one it has.

pub(crate) mod delimited;
pub(crate) mod directory;
pub(crate) mod jsonl;
pub(crate) mod ldac;
pub(crate) mod lines;
pub(crate) mod mallet;
pub(crate) mod matrix_market;
pub(crate) mod numbered_words;
pub(crate) mod open_batches;
pub(crate) mod svmlight;
pub(crate) mod triples;
pub(crate) mod uci;
pub(crate) mod vocabulary;
pub(crate) mod vowpal_wabbit;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::error::{IngestError, Reading, Result};
use super::source::{Source, plain_name};

/// How many lines may be blank before the first that tells the format.
const BLANK_LINES: usize = 64;
/// How many lines must look alike for a format that only its lines tell.
const LINES_ALIKE: usize = 16;

/// What a source is read as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Told by the first lines.
    #[default]
    Auto,
    /// A directory of files, each a document.
    Directory,
    /// One document a line.
    Lines,
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// A `docword` file of the UCI bag-of-words collections, with its vocabulary.
    Uci,
    /// Matrix Market, with its vocabulary.
    MatrixMarket,
    /// Blei's LDA-C, with its vocabulary.
    Ldac,
    /// SVMlight (libsvm).
    Svmlight,
    /// Vowpal Wabbit, or BigARTM's dialect of it.
    Vw,
    /// MALLET's one document a line: name, label, text.
    Mallet,
}

impl Format {
    /// All formats, in the order help shows them.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::Directory,
        Self::Lines,
        Self::Jsonl,
        Self::Csv,
        Self::Tsv,
        Self::Uci,
        Self::MatrixMarket,
        Self::Ldac,
        Self::Svmlight,
        Self::Vw,
        Self::Mallet,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Directory => "directory",
            Self::Lines => "lines",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Uci => "uci",
            Self::MatrixMarket => "matrix-market",
            Self::Ldac => "ldac",
            Self::Svmlight => "svmlight",
            Self::Vw => "vw",
            Self::Mallet => "mallet",
        }
    }

    /// Whether documents come as counts of words rather than as text.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Uci | Self::MatrixMarket | Self::Ldac | Self::Svmlight | Self::Vw)
    }

    /// Whether words are numbers, which a vocabulary can say the meaning of.
    pub fn has_numbered_words(self) -> bool {
        self.is_counted() && self != Self::Vw
    }

    /// Whether numbers mean nothing without a vocabulary.
    pub fn needs_vocabulary(self) -> bool {
        self.has_numbered_words() && self != Self::Svmlight
    }

    /// This format, or for [`Format::Auto`] the one that name and first lines of `source` show.
    /// Takes no line from the source.
    ///
    /// # Errors
    /// When there is nothing to tell the format by.
    pub(crate) fn recognise(self, source: &mut Source) -> Result<Self> {
        if self != Self::Auto {
            return Ok(self);
        }
        // A source that cannot be read says so when it is read.
        let told = by_content(source).unwrap_or(Some(Self::Lines));
        told.ok_or_else(|| IngestError::Empty(source.name().into()))
    }
}

fn by_content(source: &mut Source) -> Reading<Option<Format>> {
    if source.peek(0)?.is_some_and(|line| line.starts_with(matrix_market::BANNER)) {
        return Ok(Some(Format::MatrixMarket));
    }
    if uci::is_source(source)? {
        return Ok(Some(Format::Uci));
    }
    let by_name = by_name(source.name());
    let first = (0..BLANK_LINES).find_map(|index| match source.peek(index) {
        Ok(Some(line)) if line.trim_ascii().is_empty() => None,
        Ok(Some(line)) => Some(Ok(Some(is_json_object(line)))),
        Ok(None) => Some(Ok(None)),
        Err(mistake) => Some(Err(mistake)),
    });
    match first.unwrap_or(Ok(Some(false)))? {
        None => return Ok(None),
        Some(true) => return Ok(Some(Format::Jsonl)),
        Some(false) if by_name.is_some() => return Ok(by_name),
        Some(false) => {}
    }
    by_lines(source).map(Some)
}

/// The first format that all lines fit: every line of LDA-C is one of SVMlight too.
fn by_lines(source: &mut Source) -> Reading<Format> {
    if are_alike(source, ldac::is_line)? {
        return Ok(Format::Ldac);
    }
    if are_alike(source, svmlight::is_line)? {
        for index in 0..LINES_ALIKE {
            if source.peek(index)?.is_some_and(svmlight::has_features) {
                return Ok(Format::Svmlight);
            }
        }
    }
    if are_alike(source, vowpal_wabbit::is_line)? {
        return Ok(Format::Vw);
    }
    Ok(Format::Lines)
}

fn by_name(name: &str) -> Option<Format> {
    let name = plain_name(name).to_ascii_lowercase();
    match Path::new(&name).extension()?.to_str()? {
        "csv" => Some(Format::Csv),
        "tsv" | "tab" => Some(Format::Tsv),
        "vw" => Some(Format::Vw),
        "mallet" => Some(Format::Mallet),
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        _ => None,
    }
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

fn is_json_object(line: &[u8]) -> bool {
    type Object = std::collections::HashMap<String, serde::de::IgnoredAny>;
    line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<Object>(line).is_ok()
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = IngestError;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        let known = || Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| IngestError::UnknownFormat { name: name.into(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised_as(name: &str, text: &str) -> String {
        let mut source = Source::from_bytes(name, text.as_bytes().to_vec()).expect("source");
        match Format::Auto.recognise(&mut source) {
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
    fn names_are_read_back() {
        for format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().expect("name"), format);
        }
        let error = "xml".parse::<Format>().expect_err("no such format").to_string();
        assert!(
            error.starts_with("\"xml\" is not a format; there are auto, directory,"),
            "{error}"
        );
    }
}
