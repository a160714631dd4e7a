//! Statements and transactions of the store's own code.

use rusqlite::types::ToSqlOutput;

use super::Store;
use crate::error::{Result, StoreError};

/// Number of rows that one statement inserts.
const ROWS_AT_ONCE: usize = 64;

impl Store {
    pub(crate) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(|source| self.error(source))
    }

    pub(crate) fn execute(&self, sql: &str, values: impl rusqlite::Params) -> Result<usize> {
        let run = || self.connection.prepare_cached(sql)?.execute(values);
        run().map_err(|source| self.error(source))
    }

    /// Executes a statement once with each of the values.
    pub(crate) fn execute_each<P: rusqlite::Params>(
        &self,
        sql: &str,
        all: impl IntoIterator<Item = P>,
    ) -> Result<()> {
        let run = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            all.into_iter().try_for_each(|values| statement.execute(values).map(drop))
        };
        run().map_err(|source| self.error(source))
    }

    /// Inserts rows into a table, named with its columns. Several rows share one statement, which saves a third
    /// of the time.
    pub(crate) fn insert_rows<'v, const C: usize>(
        &self,
        into: &str,
        rows: impl IntoIterator<Item = [ToSqlOutput<'v>; C]>,
    ) -> Result<()> {
        let row = format!("(?{})", ",?".repeat(C - 1));
        let one = format!("INSERT INTO {into} VALUES {row}");
        let many = format!("{one}{}", format!(",{row}").repeat(ROWS_AT_ONCE - 1));
        let run = || {
            let (mut rows, mut taken) = (rows.into_iter(), Vec::with_capacity(ROWS_AT_ONCE));
            loop {
                taken.extend(rows.by_ref().take(ROWS_AT_ONCE));
                let (sql, length) =
                    if taken.len() == ROWS_AT_ONCE { (&many, taken.len()) } else { (&one, 1) };
                if taken.is_empty() {
                    return Ok(());
                }
                let mut statement = self.connection.prepare_cached(sql)?;
                for rows in taken.chunks(length) {
                    statement.execute(rusqlite::params_from_iter(rows.as_flattened()))?;
                }
                taken.clear();
            }
        };
        run().map_err(|source| self.error(source))
    }

    pub(crate) fn scalar<T: rusqlite::types::FromSql>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> Result<T> {
        let run = || self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0));
        run().map_err(|source| self.error(source))
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let run = || -> rusqlite::Result<Vec<T>> {
            self.connection.prepare_cached(sql)?.query_map(values, read)?.collect()
        };
        run().map_err(|source| self.error(source))
    }

    /// Runs `read`, which writes nothing, in one read transaction.
    ///
    /// # Errors
    /// The error of `read`.
    pub fn at_one_moment<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Self) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.execute_batch("BEGIN")?;
        let found = read(self);
        // A read transaction has nothing to lose.
        let _ = self.connection.execute_batch("ROLLBACK");
        found
    }

    /// Runs `work` in one immediate transaction: all of it is kept, or nothing.
    pub(crate) fn transaction<T>(&mut self, work: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        self.execute_batch("BEGIN IMMEDIATE")?;
        let done = self
            .check_not_replaced()
            .and_then(|()| work(self))
            .and_then(|value| self.execute_batch("COMMIT").map(|()| value));
        if done.is_err() {
            // SQLite may have rolled back already, as it does on a full disk.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }
}
