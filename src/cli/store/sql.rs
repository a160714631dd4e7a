//! `sql`.

use crate::cli::arguments::Printing;
use crate::cli::output::Table;
use crate::cli::store_path::StorePath;
use serde_json::Value;
use topoi::store::Access;
use topoi::store::query::Cell;

/// Ask the store with one SQL query
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One SQL statement; `schema/README.md` describes the tables, and the functions relevance, frex
    /// and jsd
    query: String,
    /// Allow the statement to change the store
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(if args.write { Access::Write } else { Access::Read })?;
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
