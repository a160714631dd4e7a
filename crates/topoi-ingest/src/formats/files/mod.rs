//! A document per file: the files of a directory, pattern or list, or a single file.
//! The key is the path below their common directory, and the first directory of that path is the field `label`.
//! The first bytes and the name of a file decide how it is read. Files that are not text are reported with
//! their kind and refused.

pub(super) mod file_kind;
pub(crate) mod listing;
pub(super) mod pdf;
pub(super) mod plain;

use std::io::{Cursor, Read, Seek};
use std::path::Path;

use serde_json::{Map, Value};

use self::listing::{Files, Piped};
use crate::batches::record::{Content, Record};
use crate::batches::units::RawDocument;
use crate::error::{IngestError, InputLocation, Mistake, Reading, Scope};
use crate::formats::definition::{Format, FormatDef};
use crate::formats::opening::{FormatInput, OpenResult};
use crate::request::Names;
use crate::source::encoding::Decoder;
use crate::source::{Source, printable};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "files",
    help: "a document a file, each read by what it is",
    ..document_per_file(read_by_kind)
};

/// Reads a whole file as a document.
pub(super) type ReadFile = for<'d> fn(File<'d>) -> Reading<FileDocument>;

/// A format in which every file is a document.
pub(super) const fn document_per_file(read: ReadFile) -> FormatDef {
    FormatDef { file: Some(read), ..FormatDef::with_open(open) }
}

/// A file to be read as a document.
pub(crate) struct File<'d> {
    /// Its content, from the beginning.
    pub(super) source: Source,
    /// The location of the whole file.
    pub(super) place: &'d InputLocation,
    /// Its path; `None` for standard input.
    pub(super) path: Option<&'d Path>,
    pub(super) decoder: Decoder<'d>,
}

/// A source of an archive.
pub(super) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'d> File<'d> {
    /// The raw bytes with random access. Those of a compressed file or a pipe are kept in memory.
    pub(super) fn seekable(&mut self) -> Reading<Box<dyn ReadSeek + 'd>> {
        match self.path.filter(|_| !self.source.is_compressed()) {
            Some(path) => match std::fs::File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(listing::unreadable(path, &error.to_string())),
            },
            None => Ok(Box::new(Cursor::new(self.source.read_rest()?.to_vec()))),
        }
    }
}

/// A document read from a file.
#[derive(Debug, Default)]
pub(crate) struct FileDocument {
    pub(super) text: String,
    pub(super) title: Option<String>,
    pub(super) fields: Map<String, Value>,
    /// A remark for the user about how it was read.
    pub(super) remark: Option<String>,
}

impl FileDocument {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn with_title(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Sets a field if it has a value.
    pub(super) fn with_field(mut self, name: &str, value: Option<String>) -> Self {
        if let Some(value) = value {
            self.fields.insert(name.into(), value.into());
        }
        self
    }

    /// The record of the file at `inside` within its root.
    fn into_record(self, inside: &Path, names: &Names) -> Record {
        let Self { text, title, mut fields, remark } = self;
        let key = printable(inside);
        let label = key.split_once('/').filter(|(label, _)| !["", ".", ".."].contains(label));
        if let Some((label, _)) = label {
            fields.insert("label".into(), label.into());
        }
        let name = || inside.file_stem().map(|stem| printable(Path::new(stem)));
        // A number is not a better title than the first words of the text, which are displayed without a title.
        let title = title.or_else(|| name().filter(|name| name.contains(char::is_alphabetic)));
        Record { key, title, fields: names.fields_of(fields), content: Content::Text(text), remark }
    }
}

fn open<'a>(mut input: FormatInput<'_, 'a>) -> OpenResult<'a> {
    let (names, decoder) = (&input.request().names, input.decoder());
    let read_file = input.read_file().unwrap_or(read_by_kind);
    if let Some(source) = input.take_open_source() {
        let piped = Piped { source, is_read: false };
        return Ok(Some(input.texts(
            Box::new(piped),
            Box::new(move |document| {
                let name = Path::new("stdin");
                let source = Source::from_bytes(&document.place.file, document.bytes.to_vec());
                record(source, document, None, name, read_file, decoder, names)
            }),
        )));
    }
    let (files, root) = (Files::open(&input)?, input.path().to_path_buf());
    Ok(Some(input.texts(
        Box::new(files),
        Box::new(move |document| {
            let inside = document.file.unwrap_or(Path::new(""));
            let path = root.join(inside);
            let source = Source::open_as(&path, decoder.named);
            record(source, document, Some(&path), inside, read_file, decoder, names)
        }),
    )))
}

fn record(
    source: Result<Source, IngestError>,
    document: RawDocument<'_>,
    path: Option<&Path>,
    inside: &Path,
    read: ReadFile,
    decoder: Decoder<'_>,
    names: &Names,
) -> Reading<Option<Record>> {
    let place = document.place;
    let source = source.map_err(|error| match error {
        IngestError::Unreadable { source, .. } => {
            listing::unreadable(Path::new(&*place.file), &source.to_string())
        }
        error => listing::unreadable(Path::new(&*place.file), &error.to_string()),
    })?;
    let whole = read(File { source, place, path, decoder });
    let whole = whole.map_err(|mistake| Mistake { scope: Scope::Document, ..mistake })?;
    Ok(Some(whole.into_record(inside, names)))
}

fn read_by_kind(mut file: File<'_>) -> Reading<FileDocument> {
    let format = Format::file_by_signature(&mut file.source)?;
    if format.is_none()
        && let Some(mistake) = file_kind::refusal(&file.source)
    {
        return Err(mistake);
    }
    let format = format.or_else(|| Format::file_by_name(file.source.name()));
    format.and_then(|format| format.0.file).unwrap_or(plain::read)(file)
}
