//! A user's statement, executed within limits and interruptible.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rusqlite::limits::Limit;

use super::policy::{NO_AUTHORIZER, StatementPolicy};
use super::{Cell, QueryResult, cell};
use crate::Store;
use crate::error::{Result, StoreError};

/// Steps of SQLite's virtual machine between two checks: some tens of microseconds.
const STEPS_PER_CHECK: i32 = 2000;

/// Limits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of rows.
    pub rows: usize,
    /// No further row is read once the texts read so far have this many bytes.
    pub bytes: usize,
    /// Maximum working time of SQLite.
    pub time: Duration,
}

impl Limits {
    /// No limit.
    pub const NONE: Self = Self { rows: usize::MAX, bytes: usize::MAX, time: Duration::MAX };
}

/// Maximum bytes of a text or blob that a query may create: twice the longest text that is ingested.
const MAX_VALUE_BYTES: i32 = 128 << 20;
const NO_STATEMENT: &str =
    "there is no statement; give one, such as `SELECT count(*) FROM document`";
/// Limit of SQLite's heap in this process after a user's query, and where what is sorted goes that has no room there: files
/// of SQLite's, which nobody sees (below SQLITE_TMPDIR, TMPDIR, /var/tmp or /tmp). Read-only connections, such as the
/// program's own, take a few MB.
const MEMORY: &str = "PRAGMA hard_heap_limit = 1073741824; PRAGMA temp_store = FILE";

impl Store {
    /// From now on, every operation of this connection ends with [`crate::StoreError::Interrupted`] soon after
    /// `stop` returns true. `stop` is called often and must be fast.
    pub fn stop_when(&self, stop: impl Fn() -> bool + Send + 'static) -> Result<()> {
        self.connection.progress_handler(STEPS_PER_CHECK, Some(stop)).map_err(|e| self.error(e))
    }

    /// Executes one SQL statement of the user. A store that was opened for reading refuses statements that
    /// write.
    ///
    /// # Errors
    /// [`StoreError::Query`], with SQLite's message, if the statement is invalid, not the only one, or not
    /// allowed.
    pub fn query(&self, sql: &str) -> Result<QueryResult> {
        self.query_within(sql, Limits::NONE, &Arc::default())
    }

    /// As [`Store::query`], within `limits`; [`QueryResult::more`] is set if there are further rows.
    /// Rows that are not read cost nothing if SQLite finds them one by one. Stops when `stop` is set.
    ///
    /// # Errors
    /// As [`Store::query`]; [`StoreError::TookTooLong`]; [`StoreError::Interrupted`].
    pub fn query_within(
        &self,
        sql: &str,
        limits: Limits,
        stop: &Arc<AtomicBool>,
    ) -> Result<QueryResult> {
        let (mut rows, mut bytes, mut more) = (Vec::new(), 0, false);
        let columns = self.visit_query(sql, limits.time, stop, |_, cells| {
            more = rows.len() == limits.rows || bytes >= limits.bytes;
            if !more {
                bytes += cells.iter().map(Cell::bytes).sum::<usize>();
                rows.push(cells);
            }
            !more
        })?;
        Ok(QueryResult { columns, rows, more })
    }

    /// Executes one SQL statement and calls `visit` with the column names and each row until it returns false.
    /// Returns the column names. The time of `visit` does not count.
    ///
    /// # Errors
    /// As [`Store::query_within`].
    pub fn visit_query(
        &self,
        sql: &str,
        time: Duration,
        stop: &Arc<AtomicBool>,
        visit: impl FnMut(&[String], Vec<Cell>) -> bool,
    ) -> Result<Vec<String>> {
        let fail = |source| self.error(source);
        let clock = Arc::new(Clock::start(time));
        self.connection.execute_batch(MEMORY).map_err(fail)?;
        self.define_views()?;
        let longest =
            self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES).map_err(fail)?;
        let (seen, watched) = (Arc::clone(stop), Arc::clone(&clock));
        self.stop_when(move || seen.load(Ordering::SeqCst) || watched.is_over())?;
        let allowed = StatementPolicy::new(self)?;
        let refused = allowed.watch(&self.connection).map_err(fail)?;
        let result = self.run_query(sql, &clock, &refused, visit);
        self.connection.authorizer(NO_AUTHORIZER).map_err(fail)?;
        self.connection.progress_handler(0, NO_PROGRESS_HANDLER).map_err(fail)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest).map_err(fail)?;
        match result {
            Err(StoreError::Interrupted) if clock.is_over() && !stop.load(Ordering::SeqCst) => {
                Err(StoreError::TookTooLong { seconds: time.as_secs() })
            }
            other => other,
        }
    }

    fn run_query(
        &self,
        sql: &str,
        clock: &Clock,
        refused: &OnceLock<String>,
        mut visit: impl FnMut(&[String], Vec<Cell>) -> bool,
    ) -> Result<Vec<String>> {
        let words = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::Interrupted,
            Some(rusqlite::ErrorCode::ReadOnly) => StoreError::QueryWrites,
            Some(rusqlite::ErrorCode::AuthorizationForStatementDenied) => StoreError::Query(
                refused.get().map_or("this statement is not allowed", String::as_str).into(),
            ),
            Some(rusqlite::ErrorCode::OutOfMemory) => StoreError::Query(
                "the statement takes more than 1 GB of memory; sort, group or join fewer rows"
                    .into(),
            ),
            Some(rusqlite::ErrorCode::TooBig) => StoreError::Query(format!(
                "a value of more than {} MB; take a part of it with substr",
                MAX_VALUE_BYTES >> 20
            )),
            Some(
                rusqlite::ErrorCode::DiskFull
                | rusqlite::ErrorCode::DatabaseBusy
                | rusqlite::ErrorCode::DatabaseCorrupt
                | rusqlite::ErrorCode::SystemIoFailure,
            ) => self.error(error),
            _ => StoreError::Query(format!(
                "{}; schema/README.md describes the tables",
                message(error)
            )),
        };
        let mut statement = self.connection.prepare(sql).map_err(words)?;
        if statement.column_count() == 0
            && statement.expanded_sql().is_none_or(|sql| sql.is_empty())
        {
            return Err(StoreError::Query(NO_STATEMENT.into()));
        }
        let columns: Vec<String> = statement.column_names().into_iter().map(Into::into).collect();
        let width = columns.len();
        let mut found = statement.query([]).map_err(words)?;
        while let Some(row) = found.next().map_err(words)? {
            let cells = (0..width).map(|column| row.get_ref(column).map(cell));
            let cells: Vec<Cell> = cells.collect::<rusqlite::Result<_>>().map_err(words)?;
            if !clock.paused(|| visit(&columns, cells)) {
                break;
            }
        }
        Ok(columns)
    }
}

const NO_PROGRESS_HANDLER: Option<fn() -> bool> = None;

/// Measures the working time of SQLite against a limit.
#[derive(Debug)]
struct Clock {
    begun: Instant,
    time: Duration,
    /// Nanoseconds that are not counted.
    pauses: AtomicU64,
}

impl Clock {
    fn start(time: Duration) -> Self {
        Self { begun: Instant::now(), time, pauses: AtomicU64::new(0) }
    }

    fn is_over(&self) -> bool {
        let pauses = Duration::from_nanos(self.pauses.load(Ordering::Relaxed));
        self.begun.elapsed().saturating_sub(pauses) > self.time
    }

    fn paused<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        let nanoseconds = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.pauses.fetch_add(nanoseconds, Ordering::Relaxed);
        done
    }
}

fn message(error: rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message,
        rusqlite::Error::SqlInputError { msg, .. } => msg,
        rusqlite::Error::MultipleStatement => "give one statement at a time".into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    const NUMBERS: &str =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

    fn store() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("tempdir");
        let path = directory.path().join("t.db");
        drop(Store::open(&path, Access::Create).expect("create"));
        let store = Store::open(&path, Access::Read).expect("open");
        (directory, store)
    }

    #[test]
    fn an_endless_result_is_read_up_to_its_limits() {
        let (_directory, store) = store();
        let limits = Limits { rows: 5, ..Limits::NONE };
        let result = store.query_within(NUMBERS, limits, &Arc::default()).expect("query");
        assert_eq!((result.rows.len(), result.more), (5, true));
        let long =
            "SELECT hex(zeroblob(500)) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)";
        let limits = Limits { bytes: 1500, ..Limits::NONE };
        let result = store.query_within(long, limits, &Arc::default()).expect("query");
        assert_eq!((result.rows.len(), result.more), (2, true));
        let result = store
            .query_within("SELECT 1", Limits { rows: 1, bytes: 1, ..Limits::NONE }, &Arc::default())
            .expect("query");
        assert_eq!((result.rows.len(), result.more), (1, false));
    }

    #[test]
    fn a_statement_that_never_ends_can_be_stopped_and_the_next_one_works() {
        let (_directory, store) = store();
        let endless = format!("SELECT count(*) FROM ({NUMBERS})");
        let stop = Arc::new(AtomicBool::new(true));
        let stopped = store.query_within(&endless, Limits::NONE, &stop);
        assert!(matches!(stopped, Err(StoreError::Interrupted)));
        let limits = Limits { time: Duration::from_millis(1), ..Limits::NONE };
        let stopped = store.query_within(&endless, limits, &Arc::default());
        assert!(matches!(stopped, Err(StoreError::TookTooLong { .. })));
        assert_eq!(store.query("SELECT 1").expect("query").rows, [[Cell::Integer(1)]]);
    }

    #[test]
    fn the_time_of_the_visitor_does_not_count() {
        let (_directory, store) = store();
        let time = Duration::from_millis(50);
        let mut seen = 0;
        let end = format!("{NUMBERS} LIMIT 3");
        let visit = |_: &[String], _| {
            std::thread::sleep(time);
            seen += 1;
            true
        };
        store.visit_query(&end, time, &Arc::default(), visit).expect("in time");
        assert_eq!(seen, 3);
    }

    #[test]
    fn values_that_are_too_large_and_results_that_need_too_much_memory_are_refused() {
        let (_directory, store) = store();
        let refused = |sql: &str| store.query(sql).expect_err(sql).to_string();
        assert!(refused("SELECT hex(zeroblob(200000000))").contains("128 MB"));
        assert!(refused("SELECT zeroblob(2000000000)").contains("128 MB"));
        let result = store.query("SELECT zeroblob(1000), x'00ff'").expect("query");
        assert_eq!(result.rows[0], ["<1000 bytes>", "00ff"].map(|text| Cell::Text(text.into())));
    }

    #[test]
    fn a_statement_that_writes_is_refused() {
        let (_directory, store) = store();
        let error = store.query("DELETE FROM run").expect_err("refused");
        assert!(matches!(error, StoreError::QueryWrites), "{error}");
    }
}
