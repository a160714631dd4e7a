//! A connection for functions that read the store while a query calls them: a function must not use the one it is called on.

use std::path::PathBuf;

use crate::error::Result;
use crate::{Access, Store};

#[derive(Debug)]
pub(super) struct FunctionReader {
    path: PathBuf,
    reader: Option<Store>,
    version: i64,
}

impl FunctionReader {
    pub(super) fn new(store: &Store) -> Self {
        Self { path: store.path().into(), reader: None, version: 0 }
    }

    pub(super) fn store(&mut self) -> Result<&Store> {
        Ok(match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(Store::open(&self.path, Access::Read)?),
        })
    }

    /// Whether the store has changed since the last call, or there was none.
    pub(super) fn has_changed(&mut self) -> Result<bool> {
        let version = self.store()?.scalar("PRAGMA data_version", [])?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }
}
