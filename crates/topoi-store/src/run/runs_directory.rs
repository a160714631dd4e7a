//! The directory beside a store for lock files and logs.
//! Anyone who can write to the store's folder could create one. Therefore links are not followed, and only
//! plain files are opened, in a directory that belongs to this account or to the store's owner.

use std::fs::{DirBuilder, File, Metadata, metadata};
use std::io::{ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::Store;
use crate::error::{Result, StoreError};
use crate::id::RunId;
use crate::open::beside;

/// How a file in the directory is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenMode {
    /// For appending; created if it does not exist.
    Append,
    /// For reading, if it exists.
    Read,
    /// For reading and writing; created if it does not exist.
    Update,
}

/// The directory of the store at this path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunsDirectory<'a>(pub &'a Path);

/// The directory, held open so that it cannot be replaced.
struct OpenDirectory {
    handle: OwnedFd,
    path: PathBuf,
    /// Permissions of the files in it.
    permissions: u32,
    /// Whether opening it changed its permissions.
    is_changed: bool,
}

impl Store {
    /// Path of the directory for a store's lock files and logs.
    pub fn runs_directory(&self) -> PathBuf {
        RunsDirectory(self.path()).path()
    }

    /// Path of the log of a run.
    pub fn log_path(&self, run: RunId) -> PathBuf {
        self.runs_directory().join(format!("{run}.log"))
    }

    /// Path of the log of workers without a run.
    pub fn worker_log_path(&self) -> PathBuf {
        self.runs_directory().join(WORKER_LOG)
    }

    /// Opens the log of a run, or of workers without a run, for appending.
    ///
    /// # Errors
    /// [`StoreError::NotOurs`] if it is not a plain file of this account or the store's owner;
    /// [`StoreError::File`].
    pub fn open_log(&self, run: Option<RunId>) -> Result<File> {
        let name = run.map_or_else(|| WORKER_LOG.to_string(), |run| format!("{run}.log"));
        let path = self.runs_directory().join(&name);
        let gone = || StoreError::File { path, source: ErrorKind::NotFound.into() };
        self.open_beside(&name, OpenMode::Append)?.ok_or_else(gone)
    }

    /// The log of a run; `None` if there is none on this host.
    ///
    /// # Errors
    /// As [`Store::open_log`].
    pub fn log_of(&self, run: RunId) -> Result<Option<String>> {
        let Some(mut file) = self.open_beside(&format!("{run}.log"), OpenMode::Read)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        let fail = |source| StoreError::File { path: self.log_path(run), source };
        file.read_to_end(&mut bytes).map_err(fail)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Opens the file `name` of the directory; `None` if it is to be read and does not exist.
    pub(crate) fn open_beside(&self, name: &str, opening: OpenMode) -> Result<Option<File>> {
        RunsDirectory(self.path()).open_file(name, opening)
    }

    /// Removes the log and the lock file of a run. Files that cannot be removed are harmless: run numbers are
    /// never reused.
    pub fn remove_files_of(&self, run: RunId) {
        if let Ok(Some(OpenDirectory { handle, .. })) = RunsDirectory(self.path()).open(false) {
            for name in [format!("{run}.log"), lock_name(run)] {
                let _ = rustix::fs::unlinkat(&handle, name, AtFlags::empty());
            }
        }
    }

    /// Updates the permissions of the directory and of this account's files in it: the store's permissions may
    /// have changed since they were created.
    pub(crate) fn share_runs_directory(&self) {
        let Ok(Some(directory)) = RunsDirectory(self.path()).open(false) else { return };
        if !directory.is_changed {
            return;
        }
        for name in Dir::read_from(&directory.handle).into_iter().flatten().flatten() {
            // Other files stay as they are.
            let _ = name.file_name().to_str().map(|name| directory.open(name, OpenMode::Read));
        }
    }
}

impl RunsDirectory<'_> {
    pub(crate) fn path(self) -> PathBuf {
        beside(self.0, ".runs")
    }

    /// Opens the file `name` of the directory; `None` if it is to be read and does not exist.
    pub(crate) fn open_file(self, name: &str, opening: OpenMode) -> Result<Option<File>> {
        let directory = self.open(opening != OpenMode::Read)?;
        directory.map_or(Ok(None), |directory| directory.open(name, opening))
    }

    /// Permissions for files beside the store: its own, plus those of the group if the group can write to the
    /// folder.
    /// Such a folder is shared, and the store may get its group permissions after these files are created.
    fn permissions(self, store: &Metadata) -> u32 {
        let folder = self.0.parent().and_then(|folder| metadata(folder).ok());
        let is_shared = folder.is_some_and(|folder| folder.mode() & 0o020 != 0);
        store.mode() & 0o777 | if is_shared { 0o060 } else { 0 }
    }

    fn open(self, is_made: bool) -> Result<Option<OpenDirectory>> {
        let path = self.path();
        let fail = |source| StoreError::File { path: path.clone(), source };
        let store = metadata(self.0).map_err(fail)?;
        let permissions = self.permissions(&store);
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
        // Users who can read the store can list the directory.
        let is_changed = set_permissions(&handle, &stat, permissions | (permissions & 0o444) >> 2);
        Ok(Some(OpenDirectory { handle, path, permissions, is_changed }))
    }
}

const WORKER_LOG: &str = "worker.log";

/// The name of a run's lock file.
pub(super) fn lock_name(run: RunId) -> String {
    format!("{run}.lock")
}

impl OpenDirectory {
    fn open(&self, name: &str, opening: OpenMode) -> Result<Option<File>> {
        let path = || self.path.join(name);
        let refused = || StoreError::NotOurs { path: path(), reason: "it is no plain file".into() };
        let fail = |error: Errno| StoreError::File { path: path(), source: error.into() };
        let access = match opening {
            OpenMode::Append => OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE,
            OpenMode::Read => OFlags::RDONLY,
            OpenMode::Update => OFlags::RDWR | OFlags::CREATE,
        };
        // Opening a pipe must not block.
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = match rustix::fs::openat(&self.handle, name, flags, mode) {
            Ok(file) => file,
            Err(Errno::NOENT) if opening == OpenMode::Read => return Ok(None),
            Err(Errno::LOOP | Errno::NXIO | Errno::ISDIR) => return Err(refused()),
            Err(error) => return Err(fail(error)),
        };
        let stat = rustix::fs::fstat(&file).map_err(fail)?;
        // A second name could be in any folder.
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_nlink > 1 {
            return Err(refused());
        }
        set_permissions(&file, &stat, self.permissions & 0o666);
        Ok(Some(File::from(file)))
    }
}

/// Sets the permissions of a file of this account, as SQLite does with files beside a store. Returns whether
/// they differed.
fn set_permissions(file: &OwnedFd, stat: &Stat, permissions: u32) -> bool {
    let differs = stat.st_uid == own_uid() && stat.st_mode & 0o777 != permissions;
    if differs {
        // If this fails, other users of the group get an error when they open it.
        let _ = rustix::fs::fchmod(file, Mode::from_raw_mode(stat.st_mode & 0o7000 | permissions));
    }
    differs
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}
