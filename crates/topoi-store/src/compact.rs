//! Compaction: gives the space of deleted rows back to the file system.

use super::Store;
use super::error::Result;
use super::open::beside;
use crate::run::run_lock::RunLock;

/// The size of a store with its log, before and after a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Compaction {
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes after. More than the compacted file as long as others read the store as it was.
    pub bytes_after: u64,
}

impl Store {
    /// Rewrites the file with its rows alone, table by table. It is one transaction of SQLite (VACUUM): after a kill at
    /// any moment the store is as it was, or compacted, and programs that have it open continue.
    ///
    /// # Errors
    /// [`super::StoreError::BeingFilled`] during an ingest; [`super::StoreError::Full`] without room for a second copy. Then the store
    /// is as it was.
    ///
    /// # Cost
    /// Reads and writes the whole store twice: to the log, and from there to the file.
    pub fn compact(&self) -> Result<Compaction> {
        let bytes_before = self.bytes();
        let corpora = self.corpora()?;
        let _locks: Vec<Vec<RunLock>> =
            corpora.iter().map(|corpus| self.lock_ingests(corpus.id)).collect::<Result<_>>()?;
        self.execute_batch("VACUUM")?;
        self.give_back_log();
        Ok(Compaction { bytes_before, bytes_after: self.bytes() })
    }

    /// Bytes of the file and of its log.
    fn bytes(&self) -> u64 {
        let bytes = |path| std::fs::metadata(path).map_or(0, |file| file.len());
        bytes(self.path().to_path_buf()) + bytes(beside(self.path(), "-wal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    #[test]
    fn a_compacted_store_is_smaller_and_has_the_same_rows_and_reader() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("s.db");
        let store = Store::open(&path, Access::Create).expect("open");
        let reader = Store::open(&path, Access::Read).expect("open");
        let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) \
                    INSERT INTO setting SELECT 'n' || i, printf('%0*d', 900, i) FROM n";
        store.execute_batch(fill).expect("filled");
        store.execute_batch("DELETE FROM setting WHERE name NOT LIKE '%7'").expect("deleted");
        let rows = |store: &Store| -> Vec<String> {
            let all = "SELECT name || value FROM setting ORDER BY name";
            store.rows(all, [], |row| row.get(0)).expect("read")
        };
        let before = rows(&store);
        let done = store.compact().expect("compacted");
        assert!(done.bytes_after * 3 < done.bytes_before, "{done:?}");
        assert_eq!((rows(&store), rows(&reader)), (before.clone(), before));
        assert_eq!(store.scalar::<String>("PRAGMA integrity_check", []).expect("checked"), "ok");
        let again = store.compact().expect("compacted");
        assert_eq!(again.bytes_before, again.bytes_after);
    }
}
