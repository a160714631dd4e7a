//! Users' SQL, and the tables and columns it can refer to.

mod condition;
mod distances;
pub mod functions;
mod group_means;
mod mathematics;
mod policy;
mod reader;
mod statement;

use rusqlite::types::ValueRef;

pub use self::statement::Limits;
use super::Store;
use super::error::Result;

/// A value in a result.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// SQL NULL.
    Null,
    /// A 64-bit integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text; a short BLOB as hexadecimal digits, a longer one as its size, `<2048 bytes>`.
    Text(String),
}

impl Cell {
    /// The integer, if the value is one.
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
    /// Whether there are further rows, which were not read.
    pub more: bool,
}

/// Maximum bytes of a BLOB that is shown in hexadecimal digits; of a longer one only the size is shown.
const MAX_HASH_BYTES: usize = 32;

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) if bytes.len() > MAX_HASH_BYTES => {
            Cell::Text(format!("<{} bytes>", bytes.len()))
        }
        ValueRef::Blob(bytes) => Cell::Text(bytes.iter().map(|b| format!("{b:02x}")).collect()),
    }
}

impl Cell {
    /// Bytes of the text; 0 for other values.
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
    AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
    AND s.name NOT GLOB 'topoi_search_*_*' ORDER BY s.name, c.cid";

/// A table or view that queries can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumns {
    /// Name of the table or view.
    pub name: String,
    /// Names of its columns, in order.
    pub columns: Vec<String>,
}

impl Store {
    /// All tables and views, by name.
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
    use super::*;
    use crate::Access;

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
