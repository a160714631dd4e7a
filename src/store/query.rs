//! The user's own SQL.

use rusqlite::types::ValueRef;

use super::Store;
use super::error::{Result, StoreError};

/// One cell of a result.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// SQL NULL.
    Null,
    /// An integer.
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
}

impl Store {
    /// Runs one SQL statement as the user wrote it. A store that was opened for reading refuses
    /// statements that write.
    ///
    /// # Errors
    /// [`StoreError::Query`] with SQLite's words when the statement is wrong, there is more than
    /// one, or it writes where it may not.
    pub fn query(&self, sql: &str) -> Result<QueryResult> {
        let refuse_attach = |context: rusqlite::hooks::AuthContext<'_>| match context.action {
            rusqlite::hooks::AuthAction::Attach { .. } => rusqlite::hooks::Authorization::Deny,
            rusqlite::hooks::AuthAction::Pragma { pragma_name, pragma_value: Some(_) }
                if !pragma_name.ends_with("_info") && !pragma_name.ends_with("_list") =>
            {
                rusqlite::hooks::Authorization::Deny
            }
            _ => rusqlite::hooks::Authorization::Allow,
        };
        self.connection.authorizer(Some(refuse_attach)).map_err(|e| self.error(e))?;
        let result = self.run_query(sql);
        let none: Option<fn(rusqlite::hooks::AuthContext<'_>) -> rusqlite::hooks::Authorization> =
            None;
        self.connection.authorizer(none).map_err(|e| self.error(e))?;
        result
    }

    fn run_query(&self, sql: &str) -> Result<QueryResult> {
        let words = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::OperationInterrupted) => StoreError::Interrupted,
            Some(rusqlite::ErrorCode::ReadOnly) => {
                StoreError::Query("this statement writes; give --write to allow it".into())
            }
            Some(rusqlite::ErrorCode::AuthorizationForStatementDenied) => StoreError::Query(
                "this statement is not allowed; query tables of this store, without ATTACH or \
                 settings"
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
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(words)? {
            let cells = (0..width).map(|column| row.get_ref(column).map(cell));
            rows.push(cells.collect::<rusqlite::Result<_>>().map_err(words)?);
        }
        Ok(QueryResult { columns, rows })
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
