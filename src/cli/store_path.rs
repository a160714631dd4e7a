//! Which file is the store, and opening it.

use crate::base_directory::BaseDirectory;
use crate::shown::shown;
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

/// The store's variable.
const VARIABLE: &str = "TOPOI_STORE";

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
    /// `~/.local/share/topoi/topoi.db`; without a home none.
    pub fn find(flag: Option<PathBuf>) -> Self {
        let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        if let Some(path) = flag.or_else(|| variable().map(PathBuf::from)) {
            return Self { path: Some(path), is_named: true };
        }
        Self {
            path: BaseDirectory::Data.path().map(|data| data.join("topoi/topoi.db")),
            is_named: false,
        }
    }
}
