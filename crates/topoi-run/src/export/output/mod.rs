//! Atomic output: an exported file or folder is complete or absent.

pub(crate) mod beside;
mod replace;
pub(crate) mod zip;

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf, is_separator};

use self::replace::{MARKER, Shape, create_draft, publish, replaceable_at, write_error};
use super::error::ExportError;

/// The destination of an export: one file, or a folder of several. A draft is written beside it and renamed at the end.
#[derive(Debug)]
pub struct Output {
    place: PathBuf,
    replaces: bool,
    is_stream: bool,
}

impl Output {
    /// Writes to `place`. With `replaces`, an earlier export or an ordinary file at `place` is replaced; anything else
    /// never is.
    pub fn at(place: &Path, replaces: bool) -> Self {
        Self { place: place.to_path_buf(), replaces, is_stream: false }
    }

    /// Standard output, for an export of one file.
    pub fn standard() -> Self {
        Self { place: "-".into(), replaces: false, is_stream: true }
    }

    /// Writes the one file.
    ///
    /// # Errors
    /// [`ExportError::NoName`], [`ExportError::InTheWay`], [`ExportError::Irreplaceable`]; the errors of `write`;
    /// [`ExportError::Write`].
    pub fn file(
        self,
        write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
    ) -> Result<PathBuf, ExportError> {
        if self.is_stream {
            let stream = io::stdout().as_fd().try_clone_to_owned();
            let file = File::from(stream.map_err(|e| write_error(&self.place, e))?);
            return match fill(file, &self.place, write) {
                // The reader has closed the pipe.
                Err(ExportError::Unread) | Ok(()) => Ok(self.place),
                Err(error) => Err(error),
            };
        }
        self.file_then(write, |()| Ok(())).map(|(place, ())| place)
    }

    /// Writes the one file, and calls `then` before it is moved to its place.
    fn file_then<T>(
        self,
        write: impl FnOnce(&mut Sink) -> Result<T, ExportError>,
        then: impl FnOnce(&T) -> Result<(), ExportError>,
    ) -> Result<(PathBuf, T), ExportError> {
        let place = checked_path(&self.place, Shape::File)?;
        replaceable_at(&place, Shape::File, self.replaces)?;
        let (draft, file) = create_draft(&place, |path| File::create_new(path))?;
        let written = fill(file, &place, write).and_then(|with| {
            then(&with)?;
            self.publish(&draft, &place)?;
            Ok(with)
        });
        if written.is_err() {
            // The draft is incomplete.
            let _ = fs::remove_file(&draft);
        }
        written.map(|with| (place, with))
    }

    /// Creates the folder, in which `write` writes files.
    ///
    /// # Errors
    /// [`ExportError::NoName`], [`ExportError::InTheWay`], [`ExportError::Irreplaceable`]; the errors of `write`;
    /// [`ExportError::Write`].
    pub fn directory(
        self,
        write: impl FnOnce(&ExportFolder) -> Result<(), ExportError>,
    ) -> Result<PathBuf, ExportError> {
        if self.is_stream {
            return Err(ExportError::NoFolder);
        }
        let place = checked_path(&self.place, Shape::ExportFolder)?;
        replaceable_at(&place, Shape::ExportFolder, self.replaces)?;
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent).map_err(|e| write_error(&place, e))?;
        }
        let (draft, ()) = create_draft(&place, |path| fs::create_dir(path))?;
        let folder = ExportFolder { draft, place, names: RefCell::default() };
        let written = write(&folder)
            .and_then(|()| folder.mark())
            .and_then(|()| self.publish(&folder.draft, &folder.place));
        if written.is_err() {
            let _ = fs::remove_dir_all(&folder.draft);
        }
        written.map(|()| folder.place)
    }

    /// Checks `place` again, which may have changed during the writing, and moves the draft there.
    fn publish(&self, draft: &Path, place: &Path) -> Result<(), ExportError> {
        let shape = if draft.is_dir() { Shape::ExportFolder } else { Shape::File };
        publish(draft, place, replaceable_at(place, shape, self.replaces)?.as_ref())
    }
}

/// The path without a trailing separator, which would follow a symbolic link.
///
/// # Errors
/// [`ExportError::NoName`] for the root and for paths that end in `.` or `..`; for a file, also with a trailing
/// separator.
fn checked_path(place: &Path, shape: Shape) -> Result<PathBuf, ExportError> {
    let text = place.as_os_str().as_encoded_bytes();
    let mut parts = text.rsplit(|&byte| is_separator(char::from(byte)));
    let what = match shape {
        Shape::File => "a file",
        Shape::ExportFolder => "a folder of its own",
    };
    let name = match shape {
        Shape::File => parts.next(),
        Shape::ExportFolder => parts.find(|part| !part.is_empty()),
    };
    match name {
        None | Some(b"" | b"." | b"..") => {
            Err(ExportError::NoName { path: place.to_path_buf(), shape: what })
        }
        Some(_) => Ok(place.components().as_path().to_path_buf()),
    }
}

/// A folder that is being written.
#[derive(Debug)]
pub struct ExportFolder {
    draft: PathBuf,
    place: PathBuf,
    names: RefCell<Vec<String>>,
}

impl ExportFolder {
    /// Writes a file of the folder.
    pub fn file(
        &self,
        name: &str,
        write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let place = self.place.join(name);
        let file = File::create_new(self.draft.join(name)).map_err(|e| write_error(&place, e))?;
        self.names.borrow_mut().push(name.to_string());
        fill(file, &place, write)
    }

    /// Writes the marker file, which lists the files of the export.
    fn mark(&self) -> Result<(), ExportError> {
        let names: String = self.names.take().iter().map(|name| format!("{name}\n")).collect();
        self.file(MARKER, |sink| sink.write(names))
    }
}

/// A file that is being written; errors name its final path.
pub struct Sink {
    writer: BufWriter<File>,
    place: PathBuf,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// For files of a folder; standard output cannot seek.
impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.writer.seek(to)
    }
}

impl Sink {
    /// The final path.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Writes a text.
    pub fn write(&mut self, text: impl AsRef<[u8]>) -> Result<(), ExportError> {
        self.writer.write_all(text.as_ref()).map_err(|e| write_error(&self.place, e))
    }

    /// Replaces the first bytes of a file of a folder, for a header whose numbers are known at the end only.
    pub(super) fn replace_start(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        let replaced = self
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.write_all(bytes))
            .and_then(|()| self.seek(SeekFrom::End(0)));
        replaced.map(drop).map_err(|e| write_error(&self.place, e))
    }
}

fn fill<T>(
    file: File,
    place: &Path,
    write: impl FnOnce(&mut Sink) -> Result<T, ExportError>,
) -> Result<T, ExportError> {
    let mut sink = Sink { writer: BufWriter::new(file), place: place.to_path_buf() };
    let written = write(&mut sink)?;
    sink.writer.flush().map_err(|e| write_error(place, e))?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_and_what_ends_in_dots_name_nothing_and_a_separator_at_the_end_is_dropped() {
        for place in ["", "/", "//", ".", "..", "/.", "a/..", "a/../", "a/.", "a/./"] {
            for shape in [Shape::File, Shape::ExportFolder] {
                assert!(checked_path(Path::new(place), shape).is_err(), "{place:?}");
            }
        }
        assert!(checked_path(Path::new("a/"), Shape::File).is_err());
        for (place, name) in [("a//", "a"), ("../a", "../a"), ("/a/b/", "/a/b"), ("..a", "..a")] {
            let path = checked_path(Path::new(place), Shape::ExportFolder).expect(place);
            assert_eq!(path.as_os_str(), name);
        }
    }
}
