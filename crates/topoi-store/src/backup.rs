//! A copy of a store as it is at one moment, made while others read and write it.

use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::error::{Result, StoreError};
use super::open::{beside, could_be_draft, located};
use super::{Access, Store};

/// Pages copied at a time: 16 MiB of the usual ones.
const PAGES: i32 = 1024;

/// A copy that was made.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Copied {
    /// Path of its file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

impl Store {
    /// Copies the store to `to`: to a draft beside it, which is read by `check` and takes its place
    /// only when it passes and is on the disk. Readable by whom the store is readable by. A store
    /// that is at `to` is replaced where `replaces`; anything else that is there is refused.
    ///
    /// # Errors
    /// [`StoreError::InTheWay`]; what `check` returned; when the store
    /// cannot be read or the copy not be written. Then there is no copy, and what was at `to` stays.
    pub fn back_up<E: From<StoreError>>(
        &self,
        to: &Path,
        replaces: bool,
        check: impl FnOnce(&Self) -> std::result::Result<(), E>,
    ) -> std::result::Result<Copied, E> {
        let fail = |source| StoreError::File { path: to.into(), source };
        self.refuse_place(to, replaces)?;
        let draft = Draft::begin(&beside(to, ".unfinished"), self.path())?;
        self.copy_pages(&draft.path)?;
        check(&Self::open(&draft.path, Access::Read)?)?;
        draft.file.sync_all().map_err(fail)?;
        // Somebody may have put something there meanwhile.
        self.refuse_place(to, replaces)?;
        let bytes = draft.move_to(to)?;
        Ok(Copied { path: to.into(), bytes })
    }

    /// Copies the store as it is, sound or not, to the first free one of `STORE.before-repair.bak`,
    /// `STORE.before-repair.2.bak` …
    ///
    /// # Errors
    /// When it cannot be read, or the copy not be written.
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

    fn refuse_place(&self, to: &Path, replaces: bool) -> Result<()> {
        let Ok(there) = std::fs::symlink_metadata(to) else { return Ok(()) };
        let own = std::fs::metadata(self.path());
        let is_own = own.is_ok_and(|own| (own.dev(), own.ino()) == (there.dev(), there.ino()));
        // What stands beside a database belongs to it: a store that is in use stays.
        let in_use = ["-wal", "-journal"].iter().any(|ending| beside(to, ending).exists());
        if !replaces || is_own || in_use || !could_be_draft(to) {
            return Err(StoreError::InTheWay(to.into()));
        }
        Ok(())
    }

    /// Copies all pages as they are at this moment. Writers go on: they write to the log.
    fn copy_pages(&self, to: &Path) -> Result<()> {
        let copied = |source| StoreError::at(to, source);
        let mut copy = Connection::open(located(to)?).map_err(copied)?;
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

/// A copy that is being made; removed if it does not come to its end.
struct Draft {
    path: PathBuf,
    /// Locked, so that two copies to one place do not mix.
    file: File,
    is_done: bool,
}

impl Draft {
    /// An empty file with the permissions of the store. What a killed process left is used again.
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
            // Of a draft that was killed: it must not be taken for part of the new one.
            let _ = std::fs::remove_file(beside(path, ending));
        }
        let mode = std::fs::metadata(store).map_err(fail)?.permissions().mode() & 0o777;
        file.set_permissions(Permissions::from_mode(mode)).map_err(fail)?;
        Ok(Self { path: path.into(), file, is_done: false })
    }

    /// Puts the draft in its place, for good; its size.
    fn move_to(mut self, to: &Path) -> Result<u64> {
        let fail = |source| StoreError::File { path: to.into(), source };
        let bytes = self.file.metadata().map_err(fail)?.len();
        std::fs::rename(&self.path, to).map_err(fail)?;
        self.is_done = true;
        let folder = located(to)?.parent().map(Path::to_path_buf).unwrap_or_default();
        // The name is on the disk only when its folder is; some file systems cannot say.
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
