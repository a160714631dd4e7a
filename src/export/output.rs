//! Where exports go: files that are there whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::error::ExportError;

/// A place for the files of an export: one file, or a directory of several. They are written
/// beside it and take its name at the end.
#[derive(Debug)]
pub struct Output {
    place: PathBuf,
    draft: PathBuf,
    replaces: bool,
}

impl Output {
    /// Prepares to write to `place`; what is there already is only replaced where `replaces`.
    ///
    /// # Errors
    /// [`ExportError::InTheWay`].
    pub fn at(place: &Path, replaces: bool) -> Result<Self, ExportError> {
        if place.exists() && !replaces {
            return Err(ExportError::InTheWay(place.to_path_buf()));
        }
        let mut name = place.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.part", std::process::id()));
        let draft = place.with_file_name(name);
        Ok(Self { place: place.to_path_buf(), draft, replaces })
    }

    /// Writes the one file.
    ///
    /// # Errors
    /// Those of `write`; when the file cannot be written.
    pub fn file(
        self,
        write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
    ) -> Result<PathBuf, ExportError> {
        let written = write_file(&self.draft, &self.place, write);
        self.settle(written)
    }

    /// Makes the directory, in which `write` writes files.
    ///
    /// # Errors
    /// Those of `write`; when the directory cannot be made.
    pub fn directory(
        self,
        write: impl FnOnce(&Folder) -> Result<(), ExportError>,
    ) -> Result<PathBuf, ExportError> {
        let made = std::fs::create_dir_all(&self.draft).map_err(|e| wrong(&self.place, &e));
        let written = made
            .and_then(|()| write(&Folder { draft: self.draft.clone(), place: self.place.clone() }));
        self.settle(written)
    }

    fn settle(self, written: Result<(), ExportError>) -> Result<PathBuf, ExportError> {
        let moved = written.and_then(|()| {
            if self.replaces && self.place.is_dir() {
                std::fs::remove_dir_all(&self.place).map_err(|e| wrong(&self.place, &e))?;
            }
            std::fs::rename(&self.draft, &self.place).map_err(|e| wrong(&self.place, &e))
        });
        if moved.is_err() {
            // Whatever is left of it is of no use to anyone.
            let _ = std::fs::remove_file(&self.draft);
            let _ = std::fs::remove_dir_all(&self.draft);
        }
        moved.map(|()| self.place)
    }
}

/// A directory that is being written.
#[derive(Debug)]
pub struct Folder {
    draft: PathBuf,
    place: PathBuf,
}

impl Folder {
    /// Writes a file of the directory.
    ///
    /// # Errors
    /// Those of `write`; when the file cannot be written.
    pub fn file(
        &self,
        name: &str,
        write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        write_file(&self.draft.join(name), &self.place.join(name), write)
    }
}

/// A file that is being written; its errors name the file it will be.
pub struct Sink {
    writer: BufWriter<File>,
    place: PathBuf,
}

impl Sink {
    /// Writes a text.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, text: impl AsRef<[u8]>) -> Result<(), ExportError> {
        self.writer.write_all(text.as_ref()).map_err(|e| wrong(&self.place, &e))
    }
}

fn write_file(
    draft: &Path,
    place: &Path,
    write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let file = File::create(draft).map_err(|e| wrong(place, &e))?;
    let mut sink = Sink { writer: BufWriter::new(file), place: place.to_path_buf() };
    write(&mut sink)?;
    sink.writer.flush().map_err(|e| wrong(place, &e))
}

fn wrong(path: &Path, error: &io::Error) -> ExportError {
    ExportError::Write { path: path.to_path_buf(), reason: error.to_string() }
}
