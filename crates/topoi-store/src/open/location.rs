//! The one place of a store: its file by its only name.
//!
//! SQLite names the log and the journal by the path it is given, and topoi the folder of locks. Under a second
//! name a store would have a second log and second locks, and what is saved through one would be lost through
//! the other. Links are therefore resolved once, when a store is opened, and names that cannot be resolved
//! to one are refused.

use std::fs::{Metadata, canonicalize, read_link};
use std::io::{Error, ErrorKind, Result as IoResult};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::identity::beside;
use crate::error::{Result, StoreError};

/// Links that are followed to a file that is still to be made, as many as the kernel follows.
const MOST_LINKS: usize = 40;
/// What SQLite keeps beside a database, and opens without looking.
const BESIDE: [&str; 3] = ["-wal", "-journal", "-shm"];

/// A file whatever its name: device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

impl From<&Metadata> for FileId {
    fn from(file: &Metadata) -> Self {
        Self(file.dev(), file.ino())
    }
}

/// The absolute path of a store without links, also of one that is still to be made.
pub(super) fn resolved(path: &Path) -> Result<PathBuf> {
    resolve(path)
        .map_err(|error| StoreError::CannotOpen { path: path.into(), source: error.into() })
}

fn resolve(path: &Path) -> IoResult<PathBuf> {
    let mut path = std::path::absolute(path)?;
    for _ in 0..MOST_LINKS {
        match canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        let folder = path.parent().unwrap_or(Path::new("/"));
        let Ok(target) = read_link(&path) else {
            let folder = canonicalize(folder).unwrap_or_else(|_| folder.into());
            return Ok(path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name)));
        };
        path = folder.join(target);
    }
    Err(Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error()))
}

/// Refuses a file that has a second name, or has one that hides in which folder it is.
pub(super) fn refuse_other_names(path: &Path, file: &Metadata) -> Result<()> {
    if file.nlink() > 1 {
        return Err(StoreError::SecondName { path: path.into(), names: file.nlink() });
    }
    if is_mounted_alone(path) {
        return Err(StoreError::MountedAlone(path.into()));
    }
    Ok(())
}

/// Refuses what SQLite would wait for, or write into, in the place of its own files: pipes, devices and links. A
/// folder does neither: where that is in the way, nothing can be made there.
pub(super) fn refuse_foreign_files(path: &Path) -> Result<()> {
    for ending in BESIDE {
        let path = beside(path, ending);
        let there = std::fs::symlink_metadata(&path);
        if there.is_ok_and(|file| !file.is_file() && !file.is_dir()) {
            return Err(StoreError::NotOurs { path, reason: "it is no plain file".into() });
        }
    }
    Ok(())
}

/// Whether the file itself is mounted, as containers do with a single file: then its log lies in another folder
/// than that of the programs outside, and is gone with the container.
#[cfg(target_os = "linux")]
fn is_mounted_alone(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    statx(CWD, path, AtFlags::empty(), StatxFlags::empty())
        .is_ok_and(|file| file.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(target_os = "linux"))]
fn is_mounted_alone(_: &Path) -> bool {
    false
}
