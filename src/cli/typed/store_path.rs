//! Finding and opening the store.

use crate::base_directory::BaseDirectory;
use crate::shown::shown;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::messages::say;
use topoi_store::command::CommandWords;
use topoi_store::{Access, Store, StoreError};

/// Opens the store in this file; reports an upgrade of its schema.
pub fn open(path: &Path, access: Access) -> Result<Store, StoreError> {
    let store = Store::open(path, access)?;
    if let Some(upgrade) = store.upgraded() {
        say(&shown!("{upgrade}"));
    }
    Ok(store)
}

/// The environment variable with the path of the store.
const VARIABLE: &str = "TOPOI_STORE";

/// The path of the store, and whether the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePath {
    /// `None` if the user named no store and has no home directory.
    path: Option<PathBuf>,
    /// Whether it is from `--store` or the environment.
    pub is_named: bool,
    /// The command that is given, which what it makes is saved with; empty for none.
    pub command: CommandWords,
}

impl StorePath {
    /// Path of the store's file.
    pub fn path(&self) -> anyhow::Result<&Path> {
        self.path.as_deref().context(
            "which store is meant is not known, as HOME is not set to an absolute path; name its file with \
             --store PATH or TOPOI_STORE",
        )
    }

    /// The same for a command that is given.
    pub fn for_command(self, command: CommandWords) -> Self {
        Self { command, ..self }
    }

    /// Opens the store; reports an upgrade of its schema.
    pub fn open(&self, access: Access) -> anyhow::Result<Store> {
        let mut store = open(self.path()?, access)?;
        store.set_command((!self.command.is_empty()).then(|| self.command.clone()));
        Ok(store)
    }

    /// `--store`, else `$TOPOI_STORE`, else `$XDG_DATA_HOME/topoi/topoi.db`, else `~/.local/share/topoi/topoi.db`;
    /// without a home directory no path.
    pub fn find(flag: Option<PathBuf>) -> Self {
        let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        if let Some(path) = flag.or_else(|| variable().map(PathBuf::from)) {
            return Self { path: Some(path), is_named: true, command: Vec::new() };
        }
        Self {
            path: BaseDirectory::Data.path().map(|data| data.join("topoi/topoi.db")),
            is_named: false,
            command: Vec::new(),
        }
    }
}
