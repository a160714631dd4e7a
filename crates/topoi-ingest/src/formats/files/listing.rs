//! The files of a directory or list, in the order of their names, so that the last one read is enough to
//! resume.
//! Hidden files and directories are skipped. So are files with many documents each, which are sources of their
//! own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::batches::units::{Raw, Units};
use crate::error::{IngestError, InputLocation, Mistake, Reading, Result};
use crate::formats::definition::Format;
use crate::formats::opening::FormatInput;
use crate::source::{Mark, Source, path_of, printable};

/// The files below a directory, or those of a list.
/// Memory: only the entries of the directories on the current path.
pub(super) struct Files {
    root: PathBuf,
    /// For each directory on the path, the entries still to be visited, last first.
    open: Vec<Vec<PathBuf>>,
    /// Whether files with many documents are sources of their own.
    skips_multi_document: bool,
    /// The file read last, within the root.
    last: Option<PathBuf>,
    files: u64,
    bytes: u64,
    hasher: blake3::Hasher,
}

impl Files {
    /// The files of a source, after those that were read before.
    ///
    /// # Errors
    /// [`IngestError::Unreadable`] if the directory cannot be listed.
    pub(super) fn open(input: &FormatInput<'_, '_>) -> Result<Self> {
        let root = input.path();
        let unreadable =
            |e: std::io::Error| IngestError::Unreadable { file: printable(root), source: e };
        let listed = input.listed().map(|files| files.iter().rev().cloned().collect());
        let first = listed.map_or_else(|| listing(root), Ok).map_err(unreadable)?;
        let (last, files) = input.after();
        Ok(Self {
            root: root.into(),
            open: vec![first],
            skips_multi_document: input.request().format.is_none(),
            last: (!last.is_empty()).then(|| path_of(last)),
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
            } else if self.last.as_ref().is_none_or(|last| *last < inside)
                && !(self.skips_multi_document && Format::has_many_documents(&path))
            {
                return Ok(Some(inside));
            }
        }
        Ok(None)
    }
}

/// The files with many documents below a directory, sorted by name.
pub(crate) fn multi_document_files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(directory) = waiting.pop() {
        // A directory that cannot be listed is reported when its files are read.
        for path in listing(&directory).unwrap_or_default() {
            if path.is_dir() {
                waiting.push(path);
            } else if Format::has_many_documents(&path) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether a directory has a file, somewhere below it, that is a document.
pub(crate) fn has_single_documents(root: &Path) -> bool {
    let mut waiting = vec![root.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for path in listing(&directory).unwrap_or_default() {
            if path.is_dir() {
                waiting.push(path);
            } else if !Format::has_many_documents(&path) {
                return true;
            }
        }
    }
    false
}

/// The visible entries of a directory, last first, without symbolic links to directories.
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

pub(super) fn unreadable(path: &Path, reason: &str) -> Mistake {
    let place = InputLocation { file: printable(path).into(), line: 0 };
    Mistake::document(place, format!("cannot be read ({reason})"), "check its permissions")
}

impl Units for Files {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        let Some(inside) = self.next_file()? else { return Ok(false) };
        let path = self.root.join(&inside);
        self.hasher.update(inside.as_os_str().as_encoded_bytes());
        self.hasher.update(&[0]);
        self.files += 1;
        // A file without a size is reported when it is read.
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        let place = InputLocation { file: printable(&path).into(), line: 0 };
        raw.push_file(place, inside.clone(), usize::try_from(bytes).unwrap_or(usize::MAX));
        self.last = Some(inside);
        self.bytes += bytes;
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        let cursor = self.last.as_deref().map(printable);
        let hash = self.hasher.finalize().as_bytes().to_vec();
        (Mark { bytes: self.bytes, lines: self.files, hash }, cursor.unwrap_or_default())
    }

    fn consumed(&self) -> u64 {
        self.bytes
    }
}

/// The content of a pipe, as one document.
pub(super) struct Piped {
    pub(super) source: Source,
    pub(super) is_read: bool,
}

impl Units for Piped {
    fn next(&mut self, raw: &mut Raw) -> Reading<bool> {
        if std::mem::replace(&mut self.is_read, true) {
            return Ok(false);
        }
        let place = InputLocation { file: self.source.name().into(), line: 0 };
        raw.push(place, self.source.read_rest()?);
        Ok(true)
    }

    fn mark(&mut self) -> (Mark, String) {
        (Mark { lines: 1, ..self.source.mark() }, String::new())
    }

    fn consumed(&self) -> u64 {
        self.source.consumed()
    }
}
