//! Which file is the store, and opening it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::output::say;
use crate::store::{Access, Store, StoreError};

/// Opens the store; says so where that has brought it up to date.
///
/// # Errors
/// As [`Store::open`].
pub fn opened(path: &Path, access: Access) -> Result<Store, StoreError> {
    let store = Store::open(path, access)?;
    if let Some(upgrade) = store.upgraded() {
        say(&upgrade.to_string());
    }
    Ok(store)
}

/// `--store`, else `$TOPICA_STORE`, else `$XDG_DATA_HOME/topica/topica.db`, else
/// `~/.local/share/topica/topica.db`.
pub fn store_path(flag: Option<PathBuf>) -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    flag.or_else(|| set("TOPICA_STORE").map(PathBuf::from)).unwrap_or_else(|| {
        let data = set("XDG_DATA_HOME").map(PathBuf::from).unwrap_or_else(|| {
            let home = set("HOME").map_or_else(|| PathBuf::from("."), PathBuf::from);
            home.join(".local/share")
        });
        data.join("topica").join("topica.db")
    })
}
