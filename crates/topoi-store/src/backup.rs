//! Backs up a store as it is at one moment, while other processes read and write it.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::error::{Result, StoreError};
use super::open::{absolute_path, beside, could_be_draft};
use super::{Access, Store};

/// Pages copied per step: 16 MiB at the usual page size.
const PAGES: i32 = 1024;

/// A finished copy of a store.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct BackupFile {
    /// Path of the copy.
    pub path: PathBuf,
    /// Size of the copy in bytes.
    pub bytes: u64,
}

impl Store {
    /// Copies the store to `to`.
    /// The copy is written to a draft beside `to`, which `check` reads. It is moved to `to` only after `check`
    /// has passed and the draft is on the disk. It gets the store's permissions. An existing store at `to` is
    /// replaced if `replaces` is true; any other file there is refused.
    ///
    /// # Errors
    /// [`StoreError::InTheWay`] if a file at `to` must not be replaced; the error of `check`. On any error
    /// there is no copy, and the file at `to` stays.
    pub fn back_up<E: From<StoreError>>(
        &self,
        to: &Path,
        replaces: bool,
        check: impl FnOnce(&Self) -> std::result::Result<(), E>,
    ) -> std::result::Result<BackupFile, E> {
        let fail = |source| StoreError::File { path: to.into(), source };
        self.check_destination(to, replaces)?;
        let draft = Draft::begin(&beside(to, ".unfinished"), self.path())?;
        self.copy_pages(&draft.path)?;
        check(&Self::open(&draft.path, Access::Read)?)?;
        draft.file.sync_all().map_err(fail)?;
        // Somebody may have put something there meanwhile.
        self.check_destination(to, replaces)?;
        let bytes = draft.move_to(to)?;
        Ok(BackupFile { path: to.into(), bytes })
    }

    /// Copies the store as it is, sound or not, to the first free name of `STORE.before-repair.bak`,
    /// `STORE.before-repair.2.bak` …
    pub(crate) fn keep_copy_before_repair(&self) -> Result<PathBuf> {
        let name = |count: u32| match count {
            1 => ".before-repair.bak".to_string(),
            _ => format!(".before-repair.{count}.bak"),
        };
        let free = (1..).map(|count| beside(self.path(), &name(count))).find(|to| !to.exists());
        let to = free.unwrap_or_default();
        let draft = Draft::begin(&beside(&to, ".unfinished"), self.path())?;
        self.copy_pages(&draft.path)?;
        draft.file.sync_all().map_err(|source| StoreError::File { path: to.clone(), source })?;
        draft.move_to(&to)?;
        Ok(to)
    }

    fn check_destination(&self, to: &Path, replaces: bool) -> Result<()> {
        let Ok(there) = std::fs::symlink_metadata(to) else { return Ok(()) };
        let own = std::fs::metadata(self.path());
        let is_own = own.is_ok_and(|own| (own.dev(), own.ino()) == (there.dev(), there.ino()));
        // Files beside a database belong to it: a store that is in use is not replaced.
        let in_use = ["-wal", "-journal"].iter().any(|ending| beside(to, ending).exists());
        if !replaces || is_own || in_use || !could_be_draft(to) {
            return Err(StoreError::InTheWay(to.into()));
        }
        Ok(())
    }

    /// Copies all pages as they are at this moment. Writers continue: they write to the log.
    fn copy_pages(&self, to: &Path) -> Result<()> {
        let copied = |source| StoreError::at(to, source);
        let mut copy = Connection::open(absolute_path(to)?).map_err(copied)?;
        self.at_one_moment(|store| {
            // The snapshot begins with the first read; without it every commit of others would
            // make the copying start again.
            store.scalar::<i64>("PRAGMA schema_version", [])?;
            store.scalar::<i64>("SELECT count(*) FROM sqlite_schema", [])?;
            let backup = Backup::new(&store.connection, &mut copy).map_err(copied)?;
            loop {
                match backup.step(PAGES).map_err(copied)? {
                    StepResult::Done => return Ok(()),
                    StepResult::More => {}
                    // Another process writes to a store that has no log yet.
                    _ => std::thread::sleep(std::time::Duration::from_millis(20)),
                }
            }
        })
    }
}

/// A copy in progress; removed unless it is finished.
struct Draft {
    path: PathBuf,
    /// Locked, so that two copies to one path do not mix.
    file: File,
    is_done: bool,
}

impl Draft {
    /// Creates an empty file with the permissions of the store. A draft left by a killed process is reused.
    fn begin(path: &Path, store: &Path) -> Result<Self> {
        let fail = |source| StoreError::File { path: path.into(), source };
        let options = || OpenOptions::new().read(true).write(true).mode(0o600).clone();
        let file = match options().create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if !could_be_draft(path) {
                    return Err(StoreError::InTheWay(path.into()));
                }
                options().open(path)
            }
            other => other,
        };
        let file = file.map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy(path.into())),
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        file.set_len(0).map_err(fail)?;
        for ending in ["-wal", "-journal"] {
            // Left by a killed draft: it must not be taken for part of the new one.
            let _ = std::fs::remove_file(beside(path, ending));
        }
        let mode = std::fs::metadata(store).map_err(fail)?.permissions().mode() & 0o777;
        file.set_permissions(Permissions::from_mode(mode)).map_err(fail)?;
        Ok(Self { path: path.into(), file, is_done: false })
    }

    /// Moves the draft to its final path; returns its size in bytes.
    fn move_to(mut self, to: &Path) -> Result<u64> {
        let fail = |source| StoreError::File { path: to.into(), source };
        let bytes = self.file.metadata().map_err(fail)?.len();
        std::fs::rename(&self.path, to).map_err(fail)?;
        self.is_done = true;
        let folder = absolute_path(to)?.parent().map(Path::to_path_buf).unwrap_or_default();
        // The name is durable only when its folder is synced; some file systems cannot do that.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(bytes)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
