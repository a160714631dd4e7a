//! The user's own SQL, and the tables and columns it can name.

pub mod functions;

use rusqlite::types::ValueRef;

use super::Store;
use super::error::{Result, StoreError};

/// Steps of SQLite's virtual machine between two looks: some hundredths of a millisecond.
const LOOK_EVERY: i32 = 2000;

/// One cell of a result.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// SQL NULL.
    Null,
    /// A 64-bit integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text; a BLOB comes as its hexadecimal digits.
    Text(String),
}

impl Cell {
    /// The integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }
}

/// Column names and rows of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryResult {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// There are more rows, which were not read.
    pub more: bool,
}

/// How much of a result is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of rows that are read.
    pub rows: usize,
    /// No further row is read once the texts of those before it have this many bytes.
    pub bytes: usize,
}

impl Limits {
    /// No limit.
    pub const NONE: Self = Self { rows: usize::MAX, bytes: usize::MAX };
}

impl Store {
    /// From now on, whatever this connection does ends with [`crate::store::StoreError::Interrupted`]
    /// as soon as `stop` says so. `stop` is asked often and must be quick.
    ///
    /// # Errors
    /// When the connection is no longer usable.
    pub fn stop_when(&self, stop: impl Fn() -> bool + Send + 'static) -> Result<()> {
        self.connection.progress_handler(LOOK_EVERY, Some(stop)).map_err(|e| self.error(e))
    }

    /// Runs one SQL statement as the user wrote it. A store that was opened for reading refuses
    /// statements that write.
    ///
    /// # Errors
    /// [`StoreError::Query`] with SQLite's words when the statement is wrong, there is more than
    /// one, or it writes where it may not.
    pub fn query(&self, sql: &str) -> Result<QueryResult> {
        self.query_within(sql, Limits::NONE)
    }

    /// The same for the first rows of a result; [`QueryResult::more`] tells whether there were
    /// more. What is not read costs nothing where SQLite finds rows one by one.
    ///
    /// # Errors
    /// As [`Store::query`].
    pub fn query_within(&self, sql: &str, limits: Limits) -> Result<QueryResult> {
        let refuse = |context: rusqlite::hooks::AuthContext<'_>| match context.action {
            // A transaction that stays open would keep others from writing, or hold old pages.
            rusqlite::hooks::AuthAction::Attach { .. }
            | rusqlite::hooks::AuthAction::Transaction { .. }
            | rusqlite::hooks::AuthAction::Savepoint { .. } => rusqlite::hooks::Authorization::Deny,
            rusqlite::hooks::AuthAction::Pragma { pragma_name, pragma_value: Some(_) }
                if !pragma_name.ends_with("_info") && !pragma_name.ends_with("_list") =>
            {
                rusqlite::hooks::Authorization::Deny
            }
            _ => rusqlite::hooks::Authorization::Allow,
        };
        self.connection.authorizer(Some(refuse)).map_err(|e| self.error(e))?;
        let result = self.run_query(sql, limits);
        let none: Option<fn(rusqlite::hooks::AuthContext<'_>) -> rusqlite::hooks::Authorization> =
            None;
        self.connection.authorizer(none).map_err(|e| self.error(e))?;
        result
    }

    fn run_query(&self, sql: &str, limits: Limits) -> Result<QueryResult> {
        let words = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::Interrupted,
            Some(rusqlite::ErrorCode::ReadOnly) => {
                StoreError::Query("this statement writes; `topoi sql --write` allows it".into())
            }
            Some(rusqlite::ErrorCode::AuthorizationForStatementDenied) => StoreError::Query(
                "this statement is not allowed; query tables of this store, without ATTACH, \
                 transactions or settings"
                    .into(),
            ),
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
        let columns: Vec<String> = statement.column_names().into_iter().map(Into::into).collect();
        let width = columns.len();
        let mut found = statement.query([]).map_err(words)?;
        let (mut rows, mut bytes, mut more) = (Vec::new(), 0, false);
        while let Some(row) = found.next().map_err(words)? {
            if rows.len() == limits.rows || bytes >= limits.bytes {
                more = true;
                break;
            }
            let cells = (0..width).map(|column| row.get_ref(column).map(cell));
            let cells: Vec<Cell> = cells.collect::<rusqlite::Result<_>>().map_err(words)?;
            bytes += cells.iter().map(Cell::bytes).sum::<usize>();
            rows.push(cells);
        }
        Ok(QueryResult { columns, rows, more })
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Cell::Text(bytes.iter().map(|b| format!("{b:02x}")).collect()),
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

impl Cell {
    /// Bytes of its text.
    fn bytes(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 0 }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

const COLUMNS: &str = "SELECT s.name, c.name FROM sqlite_schema AS s \
    JOIN pragma_table_xinfo(s.name) AS c WHERE s.type IN ('table', 'view') \
    AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.name, c.cid";

/// A table or view that queries can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumns {
    /// Name of the table or view.
    pub name: String,
    /// Names of its columns, in their order.
    pub columns: Vec<String>,
}

impl Store {
    /// All tables and views by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn table_columns(&self) -> Result<Vec<TableColumns>> {
        let mut tables: Vec<TableColumns> = Vec::new();
        let pairs = self.rows(COLUMNS, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (name, column) in pairs {
            match tables.last_mut().filter(|table: &&mut TableColumns| table.name == name) {
                Some(table) => table.columns.push(column),
                None => tables.push(TableColumns { name, columns: vec![column] }),
            }
        }
        Ok(tables)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::store::Access;

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
        let result = store.query_within(NUMBERS, limits).expect("query");
        assert_eq!((result.rows.len(), result.more), (5, true));
        let long =
            "SELECT hex(zeroblob(500)) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)";
        let limits = Limits { bytes: 1500, ..Limits::NONE };
        let result = store.query_within(long, limits).expect("query");
        assert_eq!((result.rows.len(), result.more), (2, true));
        let result = store.query_within("SELECT 1", Limits { rows: 1, bytes: 1 }).expect("query");
        assert_eq!((result.rows.len(), result.more), (1, false));
    }

    #[test]
    fn a_statement_that_never_ends_can_be_stopped_and_the_next_one_works() {
        let (_directory, store) = store();
        let stop = Arc::new(AtomicBool::new(true));
        let seen = Arc::clone(&stop);
        store.stop_when(move || seen.load(Ordering::SeqCst)).expect("set");
        let endless = format!("SELECT count(*) FROM ({NUMBERS})");
        assert!(matches!(store.query(&endless), Err(StoreError::Interrupted)));
        stop.store(false, Ordering::SeqCst);
        assert_eq!(store.query("SELECT 1").expect("query").rows, [[Cell::Integer(1)]]);
    }

    #[test]
    fn a_statement_that_writes_is_refused() {
        let (_directory, store) = store();
        let error = store.query("DELETE FROM run").expect_err("refused").to_string();
        assert!(error.contains("topoi sql --write"), "{error}");
    }

    #[test]
    fn tables_and_views_have_their_columns() {
        let directory = tempfile::tempdir().expect("tempdir");
        let store = Store::open(&directory.path().join("t.db"), Access::Create).expect("open");
        let tables = store.table_columns().expect("read");
        let columns = |name: &str| {
            let found = tables.iter().find(|table| table.name == name);
            found.map(|table| table.columns.join(" "))
        };
        assert_eq!(columns("triple").as_deref(), Some("document_id term_id count"));
        assert_eq!(columns("topic_word").as_deref(), Some("run_id topic rank word probability"));
        assert!(tables.iter().all(|table| !table.name.starts_with("sqlite_")));
    }
}
