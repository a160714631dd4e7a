//! A document a file: the files of a directory, a pattern or a list, or a single one. Its path within what they have
//! in common is the key, the first directory of that path the field `label`. Each is read by what it is, which its
//! first bytes and its name tell; what is no text is named and refused.

pub(crate) mod listing;
pub(super) mod pdf;
pub(super) mod plain;
pub(super) mod what_it_is;

use std::io::{Cursor, Read, Seek};
use std::path::Path;

use serde_json::{Map, Value};

use self::listing::{Files, Piped};
use super::{Format, FormatDef, Opened, Opening};
use crate::batches::record::{Content, Record};
use crate::batches::units::RawDocument;
use crate::error::{IngestError, Mistake, Place, Reading, Scope};
use crate::request::Names;
use crate::source::encoding::Decoder;
use crate::source::{Source, printable};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "files",
    help: "a document a file, each read by what it is",
    ..of_files(by_what_it_is)
};

/// Makes a document of a whole file.
pub(super) type ReadFile = for<'d> fn(File<'d>) -> Reading<Whole>;

/// A format of which every file is a document.
pub(super) const fn of_files(read: ReadFile) -> FormatDef {
    FormatDef { file: Some(read), open, ..FormatDef::USUAL }
}

/// A file that becomes a document.
pub(crate) struct File<'d> {
    /// Its text, from the beginning.
    pub(super) source: Source,
    /// The file as a whole.
    pub(super) place: &'d Place,
    /// Where it is; `None` for standard input.
    pub(super) path: Option<&'d Path>,
    pub(super) decoder: Decoder<'d>,
}

/// What archives are read from.
pub(super) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

impl<'d> File<'d> {
    /// The bytes as they are, to be read in any order; those of a compressed file and of a pipe are held.
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

/// A file's document.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    pub(super) text: String,
    pub(super) title: Option<String>,
    pub(super) fields: Map<String, Value>,
    /// What people are to know of how it was read.
    pub(super) remark: Option<String>,
}

impl Whole {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// With a field, where the file says it.
    pub(super) fn with(mut self, name: &str, value: Option<String>) -> Self {
        if let Some(value) = value {
            self.fields.insert(name.into(), value.into());
        }
        self
    }

    /// As the document of a file that is called so within its root.
    fn into_record(self, inside: &Path, names: &Names) -> Record {
        let Self { text, title, mut fields, remark } = self;
        let key = printable(inside);
        let label = key.split_once('/').filter(|(label, _)| !["", ".", ".."].contains(label));
        if let Some((label, _)) = label {
            fields.insert("label".into(), label.into());
        }
        let name = || inside.file_stem().map(|stem| printable(Path::new(stem)));
        // A number is no better a title than the first words of the text, which are shown in its place.
        let title = title.or_else(|| name().filter(|name| name.contains(char::is_alphabetic)));
        Record { key, title, fields: names.fields_of(fields), content: Content::Text(text), remark }
    }
}

fn open<'a>(mut opening: Opening<'_, 'a>) -> Opened<'a> {
    let (names, decoder) = (&opening.request().names, opening.decoder());
    let read_file = opening.read_file().unwrap_or(by_what_it_is);
    if let Some(source) = opening.held() {
        let piped = Piped { source, is_read: false };
        return Ok(Some(opening.texts(
            Box::new(piped),
            Box::new(move |document| {
                let name = Path::new("stdin");
                let source = Source::of_bytes(&document.place.file, document.bytes.to_vec());
                record(source, document, None, name, read_file, decoder, names)
            }),
        )));
    }
    let (files, root) = (Files::open(&opening)?, opening.path().to_path_buf());
    Ok(Some(opening.texts(
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

fn by_what_it_is(mut file: File<'_>) -> Reading<Whole> {
    let format = Format::of_file(&mut file.source)?;
    if format.is_none()
        && let Some(mistake) = what_it_is::refusal(&file.source)
    {
        return Err(mistake);
    }
    let format = format.or_else(|| Format::by_name_of_file(file.source.name()));
    format.and_then(|format| format.0.file).unwrap_or(plain::read)(file)
}
