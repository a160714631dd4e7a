//! What an export may take the place of, and how it does.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, FileType, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::export::error::ExportError;

/// The file in a folder that says that an export made it: the names of the files it wrote, a line
/// each.
pub(super) const MARKER: &str = ".topoi-export";
/// What every SQLite database begins with, and so every store.
const DATABASE: &[u8; 16] = b"SQLite format 3\0";
/// Ends of the names of the files that belong to a database beside them.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    File,
    Folder,
}

/// What is there and may be replaced.
#[derive(Debug)]
pub(super) struct Old {
    permissions: Permissions,
    /// Of a folder: the files that an export wrote.
    listed: Vec<String>,
}

/// What is at `place`, if anything.
///
/// # Errors
/// [`ExportError::Irreplaceable`] for what is of another shape, or may be of use to somebody;
/// [`ExportError::InTheWay`] for anything else unless `replaces`.
pub(super) fn old_at(
    place: &Path,
    shape: Shape,
    replaces: bool,
) -> Result<Option<Old>, ExportError> {
    let found = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|e| wrong(place, &e))?,
    };
    let listed = match shape {
        Shape::File => file_at(place, found.file_type()),
        Shape::Folder => folder_at(place, found.file_type()),
    };
    match listed.map_err(|e| wrong(place, &e))? {
        Err(what) => Err(ExportError::Irreplaceable { path: place.to_path_buf(), what }),
        Ok(_) if !replaces => Err(ExportError::InTheWay(place.to_path_buf())),
        Ok(listed) => Ok(Some(Old { permissions: found.permissions(), listed })),
    }
}

/// Why a file may not take this place.
fn file_at(place: &Path, found: FileType) -> io::Result<Result<Vec<String>, &'static str>> {
    if !found.is_file() {
        return Ok(Err(other_than_file(found)));
    }
    if is_database(place)? {
        return Ok(Err("a database"));
    }
    // Locks and logs of a store are in a folder beside it.
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
    let (name, folder) = (place.to_string_lossy(), folder.to_string_lossy());
    let owners = BESIDE_DATABASE.iter().filter_map(|end| name.strip_suffix(end));
    let owners = owners.chain(folder.strip_suffix(".runs"));
    for owner in owners.map(Path::new).filter(|owner| owner.is_file()) {
        if is_database(owner)? {
            return Ok(Err("part of a database"));
        }
    }
    Ok(Ok(Vec::new()))
}

/// The files that an export wrote, or why a folder may not take this place.
fn folder_at(place: &Path, found: FileType) -> io::Result<Result<Vec<String>, &'static str>> {
    if found.is_file() {
        return Ok(Err("a file"));
    }
    if !found.is_dir() {
        return Ok(Err(other_than_file(found)));
    }
    let marker = place.join(MARKER);
    match fs::symlink_metadata(&marker) {
        Ok(found) if found.is_file() => {
            Ok(Ok(fs::read_to_string(&marker)?.lines().map(str::to_string).collect()))
        }
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Err(_) if fs::read_dir(place)?.next().is_none() => Ok(Ok(Vec::new())),
        _ => Ok(Err("a folder that no export made")),
    }
}

fn other_than_file(found: FileType) -> &'static str {
    match (found.is_symlink(), found.is_dir()) {
        (true, _) => "a link",
        (_, true) => "a folder",
        _ => "no ordinary file",
    }
}

fn is_database(file: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(file)?.take(DATABASE.len() as u64).read_to_end(&mut head)?;
    Ok(head == DATABASE)
}

/// Makes something beside `place`, under a name that nobody can foresee: nobody can have put a
/// link there to have it followed.
pub(super) fn beside<T>(
    place: &Path,
    make: impl Fn(&Path) -> io::Result<T>,
) -> Result<(PathBuf, T), ExportError> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let path = place.with_file_name(format!("{MARKER}.{number:016x}.part"));
        match make(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((path, made.map_err(|e| wrong(place, &e))?)),
        }
    }
}

/// Gives the draft its name. What had it is whole until the draft has it: a file is replaced in
/// one step; a folder is renamed away, and back again should anything fail. Entries of the old
/// folder that no export wrote move to the new one.
///
/// # Errors
/// When the system refuses, or the new folder has a name that an entry has that no export wrote.
pub(super) fn take_place(draft: &Path, place: &Path, old: Option<&Old>) -> Result<(), ExportError> {
    let Some(old) = old else {
        return fs::rename(draft, place).map_err(|e| wrong(place, &e));
    };
    // Nobody is to read the new who could not read the old.
    fs::set_permissions(draft, old.permissions.clone()).map_err(|e| wrong(place, &e))?;
    if !draft.is_dir() {
        return fs::rename(draft, place).map_err(|e| wrong(place, &e));
    }
    let (aside, ()) = beside(place, |path| fs::create_dir(path))?;
    let mut moved = Vec::new();
    if let Err(error) = swap(draft, place, &aside, old, &mut moved) {
        let undone = moved.iter().rev().try_for_each(|(from, to)| fs::rename(to, from));
        // Only ever an empty folder.
        let _ = fs::remove_dir(&aside);
        return Err(match undone {
            Ok(()) => error,
            Err(undoing) => {
                let reason = format!("{undoing}; what was there is now in {}", aside.display());
                ExportError::Write { path: place.to_path_buf(), reason }
            }
        });
    }
    clear(&aside, old);
    Ok(())
}

/// Renames, and keeps in `moved` from where to where.
fn swap(
    draft: &Path,
    place: &Path,
    aside: &Path,
    old: &Old,
    moved: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), ExportError> {
    let mut rename = |from: &Path, to: &Path| {
        fs::rename(from, to).map_err(|e| wrong(place, &e))?;
        moved.push((from.to_path_buf(), to.to_path_buf()));
        Ok::<(), ExportError>(())
    };
    rename(place, aside)?;
    rename(draft, place)?;
    for entry in entries(aside).map_err(|e| wrong(place, &e))? {
        let name = entry.file_name();
        if old.has(&name) && entry.file_type().is_ok_and(|found| found.is_file()) {
            continue;
        }
        let to = place.join(&name);
        if fs::symlink_metadata(&to).is_ok() {
            return Err(ExportError::Foreign(to));
        }
        rename(&entry.path(), &to)?;
    }
    Ok(())
}

fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    fs::read_dir(folder)?.collect()
}

/// Deletes the files that an export wrote, and the folder if nothing else is in it. It goes by what
/// is in the folder, as a list may name anything. The new files are in their place: what cannot be
/// deleted is no failure.
fn clear(aside: &Path, old: &Old) {
    for entry in fs::read_dir(aside).into_iter().flatten().flatten() {
        if old.has(&entry.file_name()) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_dir(aside);
}

impl Old {
    /// Whether an export wrote an entry of this name.
    fn has(&self, name: &OsStr) -> bool {
        name == MARKER || self.listed.iter().any(|listed| name == listed.as_str())
    }
}

/// The system's error, with the file or folder that it is about.
pub(super) fn wrong(path: &Path, error: &io::Error) -> ExportError {
    if error.kind() == ErrorKind::BrokenPipe {
        return ExportError::Unread;
    }
    ExportError::Write { path: path.to_path_buf(), reason: error.to_string() }
}
