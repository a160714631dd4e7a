//! The path of a store: its file by its only name.
//!
//! SQLite derives the names of log and journal, and topoi that of the locks' folder, from the path. Under a
//! second name a store would have a second log and second locks, and data saved through one would be lost
//! through the other. Links are therefore resolved once, when a store is opened. Names that cannot be resolved
//! to one are refused.

use std::fs::{Metadata, canonicalize, read_link};
use std::io::{Error, ErrorKind, Result as IoResult};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::identity::beside;
use crate::error::{Result, StoreError};

/// Maximum number of links followed to a file that does not exist yet, as in the kernel.
const MAX_LINKS: usize = 40;
/// Endings of the files that SQLite keeps beside a database and opens without checks.
const COMPANION_ENDINGS: [&str; 3] = ["-wal", "-journal", "-shm"];

/// Identity of a file: device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId(u64, u64);

impl From<&Metadata> for FileId {
    fn from(file: &Metadata) -> Self {
        Self(file.dev(), file.ino())
    }
}

/// The absolute path of a store without links. The store need not exist.
pub(super) fn resolved(path: &Path) -> Result<PathBuf> {
    resolve(path)
        .map_err(|error| StoreError::CannotOpen { path: path.into(), source: error.into() })
}

fn resolve(path: &Path) -> IoResult<PathBuf> {
    let mut path = std::path::absolute(path)?;
    for _ in 0..MAX_LINKS {
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

/// Refuses a file with a second name, or one that is mounted by itself.
pub(super) fn refuse_other_names(path: &Path, file: &Metadata) -> Result<()> {
    if file.nlink() > 1 {
        return Err(StoreError::SecondName { path: path.into(), names: file.nlink() });
    }
    if is_mounted_alone(path) {
        return Err(StoreError::MountedAlone(path.into()));
    }
    Ok(())
}

/// Refuses files that SQLite would wait for, or write into, in place of its own: pipes, devices and links.
/// Folders are harmless: where one is in the way, SQLite cannot create its file.
pub(super) fn refuse_foreign_files(path: &Path) -> Result<()> {
    for ending in COMPANION_ENDINGS {
        let path = beside(path, ending);
        let there = std::fs::symlink_metadata(&path);
        if there.is_ok_and(|file| !file.is_file() && !file.is_dir()) {
            return Err(StoreError::NotOurs { path, reason: "it is no plain file".into() });
        }
    }
    Ok(())
}

/// Whether the file itself is a mount point, as with a single file in a container. Its log would be in another
/// folder than for programs outside, and be gone with the container.
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
