//! The tables and views of a store with their columns, as the file itself has them.

use crate::store::Store;
use crate::store::error::Result;

const COLUMNS: &str = "SELECT s.name, c.name FROM sqlite_schema AS s \
    JOIN pragma_table_xinfo(s.name) AS c WHERE s.type IN ('table', 'view') \
    AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.name, c.cid";

/// A table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumns {
    /// Its name.
    pub name: String,
    /// Its columns in their order.
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
    use super::*;
    use crate::store::Access;

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
