//! Which file is the store.

use std::ffi::OsString;
use std::path::PathBuf;

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
