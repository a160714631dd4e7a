//! The queue: waiting runs, their order, and how many may work at a time.

use crate::Store;
use crate::error::Result;
use crate::id::RunId;

/// Default number of runs at a time.
const DEFAULT_PARALLEL_RUNS: u64 = 1;

impl Store {
    /// The waiting runs, next first.
    pub fn queued_runs(&self) -> Result<Vec<RunId>> {
        self.rows("SELECT id FROM run WHERE status = 'queued' ORDER BY queued_at, id", [], |row| {
            row.get(0)
        })
    }

    /// The runs with status `running`, oldest first. Their workers may be dead.
    pub fn running_runs(&self) -> Result<Vec<RunId>> {
        self.rows("SELECT id FROM run WHERE status = 'running' ORDER BY id", [], |row| row.get(0))
    }

    /// Maximum number of runs at a time, at least 1.
    pub fn at_once(&self) -> Result<u64> {
        let read = "SELECT value FROM setting WHERE name = 'at_once'";
        let found: Vec<i64> = self.rows(read, [], |row| row.get(0))?;
        Ok(found.first().map_or(DEFAULT_PARALLEL_RUNS, |&count| count.max(1).cast_unsigned()))
    }

    /// Sets the maximum number of runs at a time. Running ones continue.
    pub fn set_at_once(&self, count: u64) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO setting (name, value) VALUES ('at_once', ?1)",
            [count.cast_signed()],
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;
    use crate::id::CorpusId;
    use crate::run::{NewRun, RunEnd, RunStatus};

    #[test]
    fn runs_wait_in_the_order_of_their_requests_and_a_resumed_one_at_the_end() {
        let directory = tempfile::tempdir().expect("tempdir");
        let mut store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let corpus = "INSERT INTO corpus (name, created_at, settings) VALUES ('c', '', '{}')";
        store.execute_batch(corpus).expect("corpus");
        let run =
            NewRun { corpus_id: CorpusId(1), model: "lr-jsmf", k: 2, seed: 1, settings: "{}" };
        for _ in 0..3 {
            store.create_run(&run).expect("run");
        }
        assert_eq!(store.queued_runs().expect("queue"), [1, 2, 3].map(RunId));
        assert!(
            store.take_run(RunId(1)).expect("take") && !store.take_run(RunId(1)).expect("take")
        );
        assert_eq!(store.running_runs().expect("running"), [RunId(1)]);
        assert!(!store.queue_again(RunId(1)).expect("it runs"));
        let end = RunEnd {
            seconds: Some(2.0),
            error: Some("why"),
            ..RunEnd::new(RunStatus::Interrupted)
        };
        store.end_run(RunId(1), end).expect("end");
        // Times have millisecond resolution.
        store.execute("UPDATE run SET queued_at = '2020'", []).expect("long ago");
        assert!(store.queue_again(RunId(1)).expect("again"));
        assert_eq!(store.queued_runs().expect("queue"), [2, 3, 1].map(RunId));
        let again = store.run(RunId(1)).expect("run");
        assert_eq!((again.error, again.finished_at, again.seconds), (None, None, Some(2.0)));
        assert!(store.take_run(RunId(1)).expect("take"));
        store.end_run(RunId(1), RunEnd { seconds: Some(0.5), error: None, ..end }).expect("end");
        assert_eq!(store.run(RunId(1)).expect("run").seconds, Some(2.5));
        assert!(
            store.queue_again(RunId(1)).expect("again") && store.take_run(RunId(1)).expect("take")
        );
        store.end_run(RunId(1), RunEnd { seconds: None, ..end }).expect("end");
        assert_eq!(store.run(RunId(1)).expect("run").seconds, Some(2.5));
    }

    #[test]
    fn one_run_at_a_time_unless_the_store_says_otherwise() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        assert_eq!(store.at_once().expect("default"), 1);
        store.set_at_once(3).expect("set");
        assert_eq!(store.at_once().expect("set"), 3);
    }
}
