//! A directory: every file below it is a document, in the order of the names; its path within
//! the directory is the key, the first directory of the path the field `label`.
//!
//! Files and directories whose name starts with a dot are left alone. Compressed files are read
//! as what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::ingest::batches::record::{Content, Record};
use crate::ingest::batches::units::{Raw, RawDocument, Units};
use crate::ingest::error::{IngestError, Mistake, Place, Reading, Result, Scope, utf8};
use crate::ingest::formats::{FormatDef, Opened, Opening};
use crate::ingest::request::Names;
use crate::ingest::source::{Mark, Source};

pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "directory",
    help: "a directory of text files",
    is_of_directories: true,
    open,
    ..FormatDef::USUAL
};

fn open<'a>(opening: Opening<'_, 'a>) -> Opened<'a> {
    let names = &opening.request().names;
    let (last, before) = opening.after();
    let after = (!last.is_empty()).then(|| Path::new(last));
    let files = Files::open(opening.path(), after, before)?;
    Ok(Some(opening.texts(Box::new(files), Box::new(|document| read(document, names)))))
}

/// The files below a directory. Holds the names of the directories on the present path only.
pub(crate) struct Files {
    root: PathBuf,
    /// For each directory on the path, what is still to be visited, last first.
    open: Vec<Vec<PathBuf>>,
    /// The file read last, within the root.
    last: Option<PathBuf>,
    files: u64,
    bytes: u64,
    hasher: blake3::Hasher,
}

impl Files {
    /// Begins after the file `after` (within the root), before which there are `files`; or with
    /// the first.
    ///
    /// # Errors
    /// When the directory cannot be listed.
    pub(crate) fn open(root: &Path, after: Option<&Path>, files: u64) -> Result<Self> {
        let unreadable = |e: std::io::Error| IngestError::Unreadable {
            file: root.display().to_string(),
            reason: e.to_string(),
        };
        let first = listing(root).map_err(unreadable)?;
        Ok(Self {
            root: root.into(),
            open: vec![first],
            last: after.map(Path::to_path_buf),
            files,
            bytes: 0,
            hasher: blake3::Hasher::new(),
        })
    }

    /// The next file, by its path within the root.
    fn next_file(&mut self) -> Reading<Option<PathBuf>> {
        while let Some(entries) = self.open.last_mut() {
            let Some(path) = entries.pop() else {
                self.open.pop();
                continue;
            };
            let inside = path.strip_prefix(&self.root).unwrap_or(&path).to_path_buf();
            if path.is_dir() {
                match listing(&path) {
                    Ok(entries) => self.open.push(entries),
                    Err(error) => return Err(unreadable(&path, &error.to_string())),
                }
            } else if self.last.as_ref().is_none_or(|last| *last < inside) {
                return Ok(Some(inside));
            }
        }
        Ok(None)
    }
}

/// The visible entries of a directory, last first, without following links to directories.
fn listing(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let kind = entry.file_type()?;
        let is_linked_directory = kind.is_symlink() && entry.path().is_dir();
        let is_readable = kind.is_dir() || entry.path().is_file();
        if !is_hidden && !is_linked_directory && is_readable {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable_by(|a, b| b.cmp(a));
    Ok(paths)
}

fn unreadable(path: &Path, reason: &str) -> Mistake {
    let place = Place { file: path.display().to_string().into(), line: 0 };
    Mistake::document(place, format!("cannot be read ({reason})"), "check its permissions")
}

impl Units for Files {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let Some(inside) = self.next_file()? else { return Ok(false) };
        let path = self.root.join(&inside);
        let name = inside.to_string_lossy().into_owned();
        self.hasher.update(name.as_bytes());
        self.hasher.update(&[0]);
        self.files += 1;
        self.last = Some(inside);
        let mut source = Source::open(&path).map_err(|e| unreadable(&path, &e.to_string()))?;
        let of_file = |mistake: Mistake| {
            let place = Place { line: 0, ..mistake.place.clone() };
            Mistake { place, scope: Scope::Document, ..mistake }
        };
        source.refuse_utf16().map_err(of_file)?;
        let bytes = source.read_rest().map_err(of_file)?;
        raw.push(Place { file: path.display().to_string().into(), line: 0 }, Some(name), bytes);
        self.bytes += source.consumed();
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        let cursor = self.last.as_ref().map(|path| path.to_string_lossy().into_owned());
        let hash = self.hasher.finalize().as_bytes().to_vec();
        (Mark { bytes: self.bytes, lines: self.files, hash }, cursor.unwrap_or_default())
    }

    fn consumed(&self) -> u64 {
        self.bytes
    }
}

/// The document of a file.
pub(crate) fn read(document: RawDocument<'_>, names: &Names) -> Reading<Option<Record>> {
    let text = utf8(document.bytes, document.place)?;
    let name = document.name.unwrap_or_default();
    let mut fields = Map::new();
    if let Some((label, _)) = name.split_once('/') {
        fields.insert("label".into(), Value::String(label.into()));
    }
    let content = Content::Text(text.into());
    Ok(Some(Record { key: name.into(), title: None, fields: names.fields_of(fields), content }))
}
