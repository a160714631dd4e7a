//! `sql`.

use std::sync::Arc;
use std::time::Duration;

use crate::cli::output::OutputFormat;
use crate::cli::rows::RowPrinter;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::{self, StorePath};
use serde_json::Value;
use topoi_store::query::Cell;
use topoi_store::{Access, Store, StoreError};

/// Ask the store with one SQL query
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One SQL statement; `schema/README.md` describes the tables, and the functions beyond SQLite's own:
    /// median, quantile, REGEXP, mathematical ones, relevance, frex, jsd, hellinger
    query: String,
    /// Allow the statement to change the store
    #[arg(long)]
    write: bool,
    /// How long the statement may take; 0 is as long as it takes
    #[arg(long, value_name = "N", default_value_t = 60)]
    limit_seconds: u64,
    #[command(flatten)]
    printing: Printing,
}

/// Prints each row as it arrives.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let path = store.path()?;
    let access = if args.write { Access::Write } else { Access::Read };
    let store = match store_path::open(path, access) {
        // What keeps the store from being opened is removed without opening it.
        Err(StoreError::OtherSchema { .. })
            if args.write && Store::remove_added(path, &args.query)? =>
        {
            return Ok(());
        }
        opened => opened?,
    };
    let time = match args.limit_seconds {
        0 => Duration::MAX,
        seconds => Duration::from_secs(seconds),
    };
    let format = args.printing.format();
    let mut printer: Option<RowPrinter> = None;
    let mut printed = Ok(true);
    let found = store.visit_query(&args.query, time, &Arc::default(), |columns, cells| {
        let printer = match &mut printer {
            Some(printer) => Ok(printer),
            none => rows_of(columns, format).map(|rows| none.insert(rows)),
        };
        let row = cells.into_iter().map(value).collect();
        printed = printer.and_then(|printer| Ok(printer.row(row)?));
        matches!(printed, Ok(true))
    });
    if !printed? {
        return Ok(());
    }
    match (found, printer) {
        (Ok(_), Some(printer)) => printer.end()?,
        (Ok(columns), None) => rows_of(&columns, format)?.end()?,
        (Err(error), printer) => {
            printer.map(RowPrinter::cut_off).transpose()?;
            return Err(error.into());
        }
    }
    Ok(())
}

/// Refuses columns of equal names for JSON, whose objects have unique keys.
fn rows_of(columns: &[String], format: OutputFormat) -> anyhow::Result<RowPrinter> {
    let twice = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name));
    if let Some((_, name)) = twice.filter(|_| format.is_json()) {
        anyhow::bail!("sql: two columns are called {name:?}; name one otherwise: … AS other");
    }
    Ok(RowPrinter::new(columns.to_vec(), format).with_plain_numbers())
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => number.into(),
        Cell::Real(number) => number.into(),
        Cell::Text(text) => text.into(),
    }
}
