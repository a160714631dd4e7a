//! The registry of source formats. A format is a file in `files`, `markup`, `sheets`, `text` or `counts`, and a line
//! of `FORMATS`: names, help, recognition and reading follow from the list.

pub(crate) mod counts;
mod definition;
pub(crate) mod files;
mod markup;
mod names;
pub(crate) mod opening;
pub(crate) mod sheets;
#[cfg(test)]
mod test_paragraphs;
pub(crate) mod text;

use std::path::Path;

use serde::{Deserialize, Deserializer};

pub use self::definition::Format;
use self::definition::{FormatDef, Recognise, is_blank};
use self::files::file_kind::refusal;
use super::error::{IngestError, Reading, Result};
use super::source::{Source, plain_name};

/// All formats, in the order of the help. The first that matches a source is used: every line of LDA-C is also one
/// of SVMlight.
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

impl Format {
    /// All formats, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|def| Self(def))
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// The format with a document per file, each read by the kind of file.
    pub(super) fn files() -> Self {
        Self(&files::FORMAT)
    }

    /// The document-per-file format recognised by the first bytes.
    fn file_by_signature(source: &mut Source) -> Reading<Option<Self>> {
        for format in Self::all().filter(|format| format.is_document_per_file()) {
            if (format.0.has_signature)(source)? {
                return Ok(Some(format));
            }
        }
        Ok(archive_by_name(source).filter(|format| format.is_document_per_file()))
    }

    /// The document-per-file format recognised by the name.
    fn file_by_name(name: &str) -> Option<Self> {
        by_name(name).filter(|format| format.is_document_per_file())
    }

    /// Whether a file, by its name, contains many documents.
    fn has_many_documents(path: &Path) -> bool {
        by_name(&path.to_string_lossy()).is_some_and(|format| !format.is_document_per_file())
    }

    /// The format recognised by the name and first lines of `source`. No line is consumed.
    ///
    /// # Errors
    /// [`IngestError::Empty`] if the source is blank, has no signature, and its name says no format of many documents.
    pub(super) fn recognise(source: &mut Source) -> Result<Self> {
        // An unreadable source is reported when it is read.
        let recognised = by_content(source).unwrap_or(Some(Self::default()));
        recognised.ok_or_else(|| IngestError::Empty(source.name().into()))
    }
}

fn by_content(source: &mut Source) -> Reading<Option<Format>> {
    let signed = first_matching(source, |def| def.has_signature)?;
    if let Some(format) = signed.or_else(|| archive_by_name(source)) {
        return Ok(Some(format));
    }
    if refusal(source).is_some() {
        // It is refused when it is read, with its name.
        return Ok(Some(Format::default()));
    }
    let named = by_name(source.name());
    if is_blank(source)? {
        // A file of no documents is one of its name: on a quiet night nothing comes.
        return Ok(named.filter(|format| !format.is_document_per_file()));
    }
    if named.is_some() {
        return Ok(named);
    }
    Ok(Some(first_matching(source, |def| def.looks_alike)?.unwrap_or_default()))
}

fn first_matching(
    source: &mut Source,
    test: fn(&FormatDef) -> Recognise,
) -> Reading<Option<Format>> {
    for format in Format::all() {
        if test(format.0)(source)? {
            return Ok(Some(format));
        }
    }
    Ok(None)
}

/// The format of a ZIP archive by its name: the parts that identify it can come after others. The format reports
/// damage.
fn archive_by_name(source: &Source) -> Option<Format> {
    let is_zip = [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|sign| source.head().starts_with(*sign));
    by_name(source.name()).filter(|format| is_zip && format.0.is_archive)
}

fn by_name(name: &str) -> Option<Format> {
    let name = plain_name(name).to_ascii_lowercase();
    let ending = Path::new(&name).extension()?.to_str()?;
    Format::all().find(|format| format.0.endings.contains(&ending))
}

impl Default for Format {
    fn default() -> Self {
        Self(&text::lines::FORMAT)
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
        let mut source = Source::from_bytes(name, text.as_bytes().to_vec()).expect("source");
        match Format::recognise(&mut source) {
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
