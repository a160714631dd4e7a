//! The directory beside a store for lock files and logs. Anyone who can write to the folder of the
//! store could put one there: nothing is opened through a link, and nothing but plain files of a
//! directory that belongs to this account or to the store's.

use std::fs::{DirBuilder, File, Metadata, metadata};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::PathBuf;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::Store;
use crate::error::{Result, StoreError};

/// How a file in the directory is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// For adding to its end; it is made if it is not there.
    Append,
    /// For reading, if it is there.
    Read,
}

/// The directory, held open so that nobody can put another in its place.
struct Directory {
    handle: OwnedFd,
    path: PathBuf,
    /// Permissions of the files in here.
    permissions: u32,
    /// Whether it had other permissions.
    is_changed: bool,
}

impl Store {
    /// The directory for a store's lock files and logs.
    pub fn runs_directory(&self) -> PathBuf {
        let mut name = self.path().as_os_str().to_os_string();
        name.push(".runs");
        PathBuf::from(name)
    }

    /// The log file of a run.
    pub fn log_path(&self, run: i64) -> PathBuf {
        self.runs_directory().join(format!("{run}.log"))
    }

    /// The log file of workers that have no run yet.
    pub fn worker_log_path(&self) -> PathBuf {
        self.runs_directory().join(WORKER_LOG)
    }

    /// Opens the log of a run, or of workers that have no run yet, to add to it.
    ///
    /// # Errors
    /// When it is not a plain file of the store's or this account, or cannot be written.
    pub fn open_log(&self, run: Option<i64>) -> Result<File> {
        let name = run.map_or_else(|| WORKER_LOG.to_string(), |run| format!("{run}.log"));
        let path = self.runs_directory().join(&name);
        let gone = || StoreError::File { path, source: ErrorKind::NotFound.into() };
        self.open_beside(&name, Opening::Append)?.ok_or_else(gone)
    }

    /// What the worker of a run wrote; `None` if there is no log here.
    ///
    /// # Errors
    /// When the log is not a plain file of the store's or this account, or cannot be read.
    pub fn log_of(&self, run: i64) -> Result<Option<String>> {
        let Some(mut file) = self.open_beside(&format!("{run}.log"), Opening::Read)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let fail = |source| StoreError::File { path: self.log_path(run), source };
        file.read_to_end(&mut bytes).map_err(fail)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Opens the file `name` of the directory; `None` where it is only to be read and not there.
    pub(crate) fn open_beside(&self, name: &str, opening: Opening) -> Result<Option<File>> {
        let directory = self.open_runs_directory(opening == Opening::Append)?;
        directory.map_or(Ok(None), |directory| directory.open(name, opening))
    }

    /// Removes the log and the lock file of a run. What cannot be removed does no harm: numbers of
    /// runs are never used again.
    pub fn remove_files_of(&self, run: i64) {
        if let Ok(Some(Directory { handle, .. })) = self.open_runs_directory(false) {
            for name in [format!("{run}.log"), lock_name(run)] {
                let _ = rustix::fs::unlinkat(&handle, name, AtFlags::empty());
            }
        }
    }

    /// Permissions for files beside the store: its own, and those of its group where that can write to the folder. Such
    /// a folder is shared, and its owner gives the store to the group later than the first command makes these files.
    fn permissions_beside(&self, store: &Metadata) -> u32 {
        let folder = self.path().parent().and_then(|folder| metadata(folder).ok());
        let is_shared = folder.is_some_and(|folder| folder.mode() & 0o020 != 0);
        store.mode() & 0o777 | if is_shared { 0o060 } else { 0 }
    }

    /// Gives the directory and all files in it the permissions that they should have by now, as far as they are this
    /// account's: the store may have got others since they were made.
    pub(crate) fn share_runs_directory(&self) {
        let Ok(Some(directory)) = self.open_runs_directory(false) else { return };
        if !directory.is_changed {
            return;
        }
        for name in Dir::read_from(&directory.handle).into_iter().flatten().flatten() {
            // What is no file of ours stays as it is.
            let _ = name.file_name().to_str().map(|name| directory.open(name, Opening::Read));
        }
    }

    fn open_runs_directory(&self, is_made: bool) -> Result<Option<Directory>> {
        let path = self.runs_directory();
        let fail = |source| StoreError::File { path: path.clone(), source };
        let store = metadata(self.path()).map_err(fail)?;
        let permissions = self.permissions_beside(&store);
        if is_made {
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(fail(error)),
                _ => {}
            }
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
        let handle = match rustix::fs::open(&path, flags, Mode::empty()) {
            Ok(handle) => handle,
            Err(Errno::NOENT) if !is_made => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                return Err(StoreError::NotOurs { path, reason: "it is no directory".into() });
            }
            Err(error) => return Err(fail(error.into())),
        };
        let stat = rustix::fs::fstat(&handle).map_err(|error| fail(error.into()))?;
        if stat.st_uid != own_uid() && stat.st_uid != store.uid() {
            let reason = format!("it belongs to another account (uid {})", stat.st_uid);
            return Err(StoreError::NotOurs { path, reason });
        }
        // Who may read the store may look into the directory.
        let is_changed = give(&handle, &stat, permissions | (permissions & 0o444) >> 2);
        Ok(Some(Directory { handle, path, permissions, is_changed }))
    }
}

const WORKER_LOG: &str = "worker.log";

/// The name of a run's lock file.
pub(super) fn lock_name(run: i64) -> String {
    format!("{run}.lock")
}

impl Directory {
    fn open(&self, name: &str, opening: Opening) -> Result<Option<File>> {
        let path = || self.path.join(name);
        let refused = || StoreError::NotOurs { path: path(), reason: "it is no plain file".into() };
        let fail = |error: Errno| StoreError::File { path: path(), source: error.into() };
        let access = match opening {
            Opening::Append => OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE,
            Opening::Read => OFlags::RDONLY,
        };
        // A pipe's other end is not waited for.
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = match rustix::fs::openat(&self.handle, name, flags, mode) {
            Ok(file) => file,
            Err(Errno::NOENT) if opening == Opening::Read => return Ok(None),
            Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => return Err(refused()),
            Err(error) => return Err(fail(error)),
        };
        let stat = rustix::fs::fstat(&file).map_err(fail)?;
        // A second name of the file could be anywhere.
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink > 1 {
            return Err(refused());
        }
        give(&file, &stat, self.permissions & 0o666);
        Ok(Some(File::from(file)))
    }
}

/// Gives a file of this account these permissions, as SQLite does with the files beside a store; whether it had others.
fn give(file: &OwnedFd, stat: &Stat, permissions: u32) -> bool {
    let differs = stat.st_uid == own_uid() && stat.st_mode & 0o777 != permissions;
    if differs {
        // Where that is refused others of a group cannot use it, and are told so.
        let _ = rustix::fs::fchmod(file, Mode::from_raw_mode(stat.st_mode & 0o7000 | permissions));
    }
    differs
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}
