//! One file, with a folder of further files beside it if it needs one.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::replace::{Shape, create_draft, publish, replaceable_at, write_error};
use super::{ExportFolder, Output, Sink};
use crate::export::error::ExportError;

/// The folder beside a file, which is created with the first file in it.
#[derive(Debug)]
pub struct FolderBeside {
    /// The file.
    file: PathBuf,
    /// `None` beside standard output.
    place: Option<PathBuf>,
    replaces: bool,
    folder: Option<ExportFolder>,
}

impl FolderBeside {
    /// Its name; `None` beside standard output, which has no folder.
    pub fn name(&self) -> Option<OsString> {
        self.place.as_ref()?.file_name().map(OsString::from)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// [`ExportError::NoFolder`] beside standard output; [`ExportError::InTheWay`], [`ExportError::Irreplaceable`] and
    /// [`ExportError::Write`] for the folder.
    pub fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Sink) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        if self.folder.is_none() {
            let place = self.place.as_ref().ok_or(ExportError::NoFolder)?;
            replaceable_at(place, Shape::ExportFolder, self.replaces)?;
            let (draft, ()) = create_draft(place, |path| fs::create_dir(path))?;
            let place = place.clone();
            self.folder = Some(ExportFolder { draft, place, names: Default::default() });
        }
        self.folder.as_ref().map_or(Ok(()), |folder| folder.file(name, write))
    }

    /// Moves the folder to its place, if it has files.
    fn publish(&self) -> Result<(), ExportError> {
        let (Some(place), Some(folder)) = (&self.place, &self.folder) else { return Ok(()) };
        folder.mark()?;
        let old = replaceable_at(place, Shape::ExportFolder, self.replaces)?;
        if let (None, Ok(file)) = (&old, fs::metadata(&self.file)) {
            // The folder must not be readable by more people than the file that is replaced.
            let mode = file.permissions().mode() & 0o777;
            let mode = Permissions::from_mode(mode | 0o700 | (mode & 0o444) >> 2);
            fs::set_permissions(&folder.draft, mode).map_err(|e| write_error(place, e))?;
        }
        publish(&folder.draft, place, old.as_ref())
    }

    /// Deletes the files of an earlier export that had a folder, where this one has none. Anything else with its name is
    /// none of the export's.
    fn clear_earlier(&self) {
        let (Some(place), None) = (&self.place, &self.folder) else { return };
        if let Ok(Some(earlier)) = replaceable_at(place, Shape::ExportFolder, self.replaces) {
            earlier.clear(place);
        }
    }
}

impl Drop for FolderBeside {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // The draft is incomplete, or is no longer there.
            let _ = fs::remove_dir_all(&folder.draft);
        }
    }
}

/// `page.html` has `page_files`, as browsers name what they save with a page.
fn place_beside(file: &Path) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_os_string();
    name.push("_files");
    file.with_file_name(name)
}

impl Output {
    /// Writes the one file, and files in the folder beside it. The folder is moved to its place before the file, which
    /// refers to it; of two moves the second can fail, and then the folder is there without the file.
    ///
    /// # Errors
    /// As [`Output::file`] and `FolderBeside::file`.
    pub fn file_and_folder(
        self,
        write: impl FnOnce(&mut Sink, &mut FolderBeside) -> Result<(), ExportError>,
    ) -> Result<PathBuf, ExportError> {
        let (file, replaces) = (self.place.clone(), self.replaces);
        let beside = |place| FolderBeside { file, place, replaces, folder: None };
        if self.is_stream {
            let mut none = beside(None);
            return self.file(|sink| write(sink, &mut none));
        }
        let mut beside = beside(Some(place_beside(&self.place)));
        let write = |sink: &mut Sink| write(sink, &mut beside).map(|()| beside);
        let (place, beside) = self.file_then(write, FolderBeside::publish)?;
        beside.clear_earlier();
        Ok(place)
    }
}
