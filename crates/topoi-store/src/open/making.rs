//! Making a new store: its schema at once, as all migrations leave it, which takes a fifth of their time.

use super::migrations::KNOWN;
use super::{WITH_LOG, wait_a_while};
use crate::error::Result;
use crate::{Store, StoreError};

/// Written by the test below from what the migrations make.
const WHOLE: &str = include_str!("../../schema/whole.sql");

impl Store {
    /// Makes the tables of a store that has none, unless another process is quicker; the version that it has
    /// then.
    pub(super) fn make(&mut self) -> Result<i64> {
        self.transaction(|store| {
            let version: i64 = store.scalar("PRAGMA user_version", [])?;
            if version > 0 {
                return Ok(version);
            }
            store.execute_batch(WHOLE)?;
            store.execute_batch(&format!("PRAGMA user_version = {KNOWN}"))?;
            Ok(KNOWN)
        })
    }

    /// Writes go to a log from now on. SQLite itself does not wait for who else is making the schema or turning
    /// the log on.
    pub(super) fn turn_log_on(&self) -> Result<()> {
        let mut looks = 0;
        loop {
            match self.scalar::<String>(WITH_LOG, []) {
                Err(StoreError::Busy(_)) if wait_a_while(looks) => looks += 1,
                turned => return turned.map(drop),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;
    use rusqlite_migration::Migrations;

    use super::super::migrations::migrations;

    const OBJECTS: &str = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL \
                           AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
    /// A statement for each table that says how its rows are written as SQL.
    const ROWS: &str = "SELECT 'SELECT ''INSERT INTO ' || tables.name || ' VALUES ('' || ' \
        || group_concat('quote(' || columns.name || ')', ' || '', '' || ') || ' || '')'' FROM ' || tables.name \
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns \
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY tables.name";

    fn texts(connection: &Connection, sql: &str) -> Vec<String> {
        let mut statement = connection.prepare(sql).expect(sql);
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<rusqlite::Result<_>>().expect("texts")
    }

    /// All statements that make a database what it is.
    fn dumped(connection: &Connection) -> Vec<String> {
        let rows = texts(connection, ROWS);
        assert!(rows.len() > 30, "{}", rows.len());
        let rows = rows.iter().flat_map(|sql| texts(connection, sql));
        texts(connection, OBJECTS).into_iter().chain(rows).collect()
    }

    #[test]
    fn a_new_store_is_as_the_migrations_would_have_made_it() {
        let mut migrated = Connection::open_in_memory().expect("open");
        Migrations::new(migrations()).to_latest(&mut migrated).expect("made");
        let statements = dumped(&migrated);
        let head = "-- What all migrations make together, for new stores. Written by a test \
                    (UPDATE_DOCS=1 cargo test --lib store::open::making).\n";
        let whole = format!("{head}\n{};\n", statements.join(";\n\n"));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/whole.sql");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &whole).expect("write");
        }
        let saved = std::fs::read_to_string(path).expect("read");
        assert!(saved == whole, "{path} is not what the migrations make: UPDATE_DOCS=1 mends it");
        let made = Connection::open_in_memory().expect("open");
        made.execute_batch(&whole).expect("made");
        assert_eq!(dumped(&made), statements);
    }
}
