//! `sql`.

use std::path::Path;

use serde_json::Value;

use super::arguments::SqlArgs;
use super::output::Table;
use super::store_path::opened;
use topoi::store::Access;
use topoi::store::query::Cell;

/// Runs the user's statement and prints its rows.
///
/// # Errors
/// When the statement is wrong or writes without `--write`.
pub fn sql(path: &Path, args: &SqlArgs) -> anyhow::Result<()> {
    let store = opened(path, if args.write { Access::Write } else { Access::Read })?;
    let result = store.query(&args.query)?;
    let value = |cell: Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => number.into(),
        Cell::Real(number) => number.into(),
        Cell::Text(text) => text.into(),
    };
    let rows = result.rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect();
    Ok(Table { columns: result.columns, rows }.print(args.printing.output)?)
}
