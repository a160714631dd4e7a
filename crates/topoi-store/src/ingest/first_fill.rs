//! Filling a store without documents, without a write-ahead log.
//! Pages appended to the file need no journal, so they are written once instead of twice. Another process that
//! opens the store for writing turns the log on again, and the ingest continues with it. Without the log,
//! readers wait for the end of a batch, and the ingest waits for readers.

use crate::Store;
use crate::error::Result;
use crate::open::WITH_LOG;

const IS_EMPTY: &str = "SELECT NOT EXISTS (SELECT 1 FROM document)";
const WITHOUT_LOG: &str = "PRAGMA journal_mode = TRUNCATE";

impl Store {
    /// Turns off the log if the store contains no documents and no other process has it open.
    pub(crate) fn begin_first_fill(&self) -> Result<()> {
        if !self.scalar::<bool>(IS_EMPTY, [])? {
            return Ok(());
        }
        self.without_waiting(|connection| {
            // Refused while others have the store open: then the log stays.
            let _ = connection.query_row(WITHOUT_LOG, [], |row| row.get::<_, String>(0));
        })?;
        // A long read must not end the ingest.
        self.wait_for_writers()
    }

    /// Turns the log on again.
    pub(crate) fn end_first_fill(&self) {
        let _: Result<()> = self.execute_batch(WITH_LOG);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::ingest::{IngestWriter, NewDocument};

    fn mode(store: &Store) -> String {
        store.scalar("PRAGMA journal_mode", []).expect("a mode")
    }

    fn add(writer: &mut IngestWriter<'_>, key: &str) {
        let terms = [("text", 1)];
        let document = NewDocument { terms: &terms, ..NewDocument::counted(key, &[]) };
        writer.add(document).expect("added");
    }

    fn begin(store: &Store) -> IngestWriter<'_> {
        IngestWriter::begin(store, "c", "{}", "here", "lines").expect("begun")
    }

    #[test]
    fn only_a_store_without_documents_is_filled_without_a_log() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        for expected in ["truncate", "wal"] {
            let mut writer = begin(&store);
            assert_eq!(mode(&store), expected);
            add(&mut writer, expected);
            writer.finish().expect("finished");
            assert_eq!(mode(&store), "wal");
        }
        assert_eq!(store.corpus("c").expect("corpus").documents, 2);
    }

    #[test]
    fn a_store_that_others_have_open_keeps_its_log() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        let store = Store::open(&path, Access::Create).expect("open");
        let other = Store::open(&path, Access::Create).expect("open");
        let mut writer = begin(&store);
        assert_eq!(mode(&store), "wal");
        add(&mut writer, "a");
        writer.finish().expect("finished");
        assert_eq!(other.corpus("c").expect("corpus").documents, 1);
    }

    #[test]
    fn another_process_that_opens_the_store_turns_the_log_on_and_the_ingest_continues() {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        let store = Store::open(&path, Access::Create).expect("open");
        let mut writer = begin(&store);
        assert_eq!(mode(&store), "truncate");
        let other = Store::open(&path, Access::Create).expect("open");
        assert_eq!(mode(&other), "wal");
        add(&mut writer, "a");
        writer.finish().expect("finished");
        assert_eq!(mode(&store), "wal");
        assert_eq!(other.corpus("c").expect("corpus").documents, 1);
        assert!(other.check(&crate::check::RowValidators::NONE).expect("checked").is_empty());
    }
}
