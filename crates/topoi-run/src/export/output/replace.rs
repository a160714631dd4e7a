//! Replacing an earlier export.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, FileType, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::export::error::ExportError;

/// The marker file of an exported folder: the names of the files that the export wrote, one per line.
pub(super) const MARKER: &str = ".topoi-export";
/// The first bytes of every SQLite database, and so of every store.
const DATABASE: &[u8; 16] = b"SQLite format 3\0";
/// Suffixes of the files that belong to a database.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    File,
    ExportFolder,
}

/// An existing file or folder that may be replaced.
#[derive(Debug)]
pub(super) struct Replaceable {
    permissions: Permissions,
    /// The files in a folder that an export wrote.
    listed: Vec<String>,
}

/// The file or folder at `place`, if there is one.
///
/// # Errors
/// [`ExportError::Irreplaceable`] for another kind of file, a database, and a folder that no export made;
/// [`ExportError::InTheWay`] for anything else unless `replaces`.
pub(super) fn replaceable_at(
    place: &Path,
    shape: Shape,
    replaces: bool,
) -> Result<Option<Replaceable>, ExportError> {
    let found = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|e| write_error(place, e))?,
    };
    let listed = match shape {
        Shape::File => file_at(place, found.file_type()),
        Shape::ExportFolder => folder_at(place, found.file_type()),
    };
    match listed.map_err(|e| write_error(place, e))? {
        Err(what) => Err(ExportError::Irreplaceable { path: place.to_path_buf(), what }),
        Ok(_) if !replaces => Err(ExportError::InTheWay(place.to_path_buf())),
        Ok(listed) => Ok(Some(Replaceable { permissions: found.permissions(), listed })),
    }
}

/// `Err` with the kind of file that a file may not replace.
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

/// The files that an export wrote; `Err` with the kind of file that a folder may not replace.
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

/// Creates a file or folder beside `place` under a random name, so that nobody can have placed a symbolic link there.
pub(super) fn create_draft<T>(
    place: &Path,
    make: impl Fn(&Path) -> io::Result<T>,
) -> Result<(PathBuf, T), ExportError> {
    loop {
        let number = RandomState::new().build_hasher().finish();
        let path = place.with_file_name(format!("{MARKER}.{number:016x}.part"));
        match make(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((path, made.map_err(|e| write_error(place, e))?)),
        }
    }
}

/// Moves the draft to `place`. A file is replaced in one step. A folder is renamed away first, and back if anything
/// fails; its entries that no export wrote move to the new folder.
///
/// # Errors
/// [`ExportError::Write`] if a rename fails; [`ExportError::Foreign`] for an entry that no export wrote with the name
/// of a new file.
pub(super) fn publish(
    draft: &Path,
    place: &Path,
    old: Option<&Replaceable>,
) -> Result<(), ExportError> {
    let Some(old) = old else {
        return fs::rename(draft, place).map_err(|e| write_error(place, e));
    };
    // The new file must not be readable by more people than the old one.
    fs::set_permissions(draft, old.permissions.clone()).map_err(|e| write_error(place, e))?;
    if !draft.is_dir() {
        return fs::rename(draft, place).map_err(|e| write_error(place, e));
    }
    let (aside, ()) = create_draft(place, |path| fs::create_dir(path))?;
    let mut moved = Vec::new();
    if let Err(error) = swap(draft, place, &aside, old, &mut moved) {
        let undone = moved.iter().rev().try_for_each(|(from, to)| fs::rename(to, from));
        // Removes it only if it is empty.
        let _ = fs::remove_dir(&aside);
        return Err(match undone {
            Ok(()) => error,
            Err(undoing) => {
                let what = format!("{undoing}; what was there is now in {}", aside.display());
                ExportError::Write { path: place.to_path_buf(), source: what.into() }
            }
        });
    }
    old.clear(&aside);
    Ok(())
}

/// Renames, and records (from, to) of each rename in `moved`.
fn swap(
    draft: &Path,
    place: &Path,
    aside: &Path,
    old: &Replaceable,
    moved: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), ExportError> {
    let mut rename = |from: &Path, to: &Path| {
        fs::rename(from, to).map_err(|e| write_error(place, e))?;
        moved.push((from.to_path_buf(), to.to_path_buf()));
        Ok::<(), ExportError>(())
    };
    rename(place, aside)?;
    rename(draft, place)?;
    for entry in entries(aside).map_err(|e| write_error(place, e))? {
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

impl Replaceable {
    /// Deletes the files in `folder` that the earlier export wrote, and the folder if it is empty then. Iterates over the
    /// folder, not the list, which may name any path. Failures are ignored, as the new files are in place.
    pub(super) fn clear(&self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if self.has(&entry.file_name()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(folder);
    }

    /// Whether an export wrote the entry `name`.
    fn has(&self, name: &OsStr) -> bool {
        name == MARKER || self.listed.iter().any(|listed| name == listed.as_str())
    }
}

/// The operating system's error with its path.
pub(super) fn write_error(path: &Path, error: io::Error) -> ExportError {
    if error.kind() == ErrorKind::BrokenPipe {
        return ExportError::Unread;
    }
    ExportError::Write { path: path.to_path_buf(), source: error.into() }
}
