//! How much of the store a connection keeps in memory.

/// For much writing in no order, as of an index: 64 MiB.
pub(crate) const LARGE: &str = "PRAGMA cache_size = -65536";
/// As a connection is opened: 2 MiB.
pub(crate) const USUAL: &str = "PRAGMA cache_size = -2000";
