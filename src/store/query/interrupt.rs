//! Stopping work in the store from another thread.

use crate::store::Store;
use crate::store::error::Result;

/// Steps of SQLite's virtual machine between two looks: some hundredths of a millisecond.
const LOOK_EVERY: i32 = 2000;

impl Store {
    /// From now on, whatever this connection does ends with [`crate::store::StoreError::Interrupted`]
    /// as soon as `stop` says so. `stop` is asked often and must be quick.
    ///
    /// # Errors
    /// When the connection is no longer usable.
    pub fn stop_when(&self, stop: impl Fn() -> bool + Send + 'static) -> Result<()> {
        self.connection.progress_handler(LOOK_EVERY, Some(stop)).map_err(|e| self.error(e))
    }
}
