//! Which file is the store, and opening it.

use crate::base_directory::BaseDirectory;
use crate::shown::shown;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::output::say;
use topoi_store::{Access, Store, StoreError};

/// Opens the store in this file; says so where that has brought it up to date.
///
/// # Errors
/// As [`Store::open`].
pub fn open(path: &Path, access: Access) -> Result<Store, StoreError> {
    let store = Store::open(path, access)?;
    if let Some(upgrade) = store.upgraded() {
        say(&shown!("{upgrade}"));
    }
    Ok(store)
}

/// The store's variable, and what it was called when the program was `topica`.
const VARIABLE: &str = "TOPOI_STORE";
const OLD_VARIABLE: &str = "TOPICA_STORE";

/// The store that is meant, and whether somebody named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePath {
    /// `None` where nothing says where a store could be.
    path: Option<PathBuf>,
    /// Whether `--store` or the environment names it.
    pub is_named: bool,
}

impl StorePath {
    /// The store's file.
    ///
    /// # Errors
    /// When neither a flag nor the environment says where it could be.
    pub fn path(&self) -> anyhow::Result<&Path> {
        self.path.as_deref().context(
            "which store is meant is not known, as HOME is not set to an absolute path; name its file with \
             --store PATH or TOPOI_STORE",
        )
    }

    /// Opens the store; says so where that has brought it up to date.
    ///
    /// # Errors
    /// As [`StorePath::path`] and [`Store::open`].
    pub fn open(&self, access: Access) -> anyhow::Result<Store> {
        Ok(open(self.path()?, access)?)
    }

    /// `--store`, else `$TOPOI_STORE`, else `$XDG_DATA_HOME/topoi/topoi.db`, else
    /// `~/.local/share/topoi/topoi.db`; without a home none. What has the program's old name is used where there
    /// is nothing under the new one, and a line says so.
    pub fn find(flag: Option<PathBuf>) -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
        let named = |path| Self { path: Some(path), is_named: true };
        if let Some(path) = flag.or_else(|| set(VARIABLE).map(PathBuf::from)) {
            return named(path);
        }
        if let Some(path) = set(OLD_VARIABLE) {
            say(&shown!(
                "{OLD_VARIABLE} is the old name of {VARIABLE} and is used as long as that is not set"
            ));
            return named(PathBuf::from(path));
        }
        Self { path: BaseDirectory::Data.path().map(|data| usual(&data)), is_named: false }
    }
}

/// The usual store in the folder for data; one of the program's old name where there is only that.
fn usual(data: &Path) -> PathBuf {
    let (path, old) = (data.join("topoi/topoi.db"), data.join("topica/topica.db"));
    if path.exists() || !old.exists() {
        return path;
    }
    say(&shown!(
        "using {}, made when topoi was called topica; move it (and the folder {}.runs) to {} to be rid \
         of this line",
        old.display(),
        old.display(),
        path.display(),
    ));
    old
}
