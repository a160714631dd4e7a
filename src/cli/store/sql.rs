//! `sql`.

use std::sync::Arc;
use std::time::Duration;

use crate::cli::arguments::Printing;
use crate::cli::output::{CsvLines, OutputFormat, Table};
use crate::cli::store_path::StorePath;
use serde_json::Value;
use topoi::store::query::{Cell, Limits};
use topoi::store::{Access, Store, StoreError};

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

/// Bytes of a result that are held in memory; CSV is printed row by row.
const HELD: usize = 256 << 20;

/// As a table and as JSON, a result is printed when all of it is there; as CSV, row by row.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = match store.open(if args.write { Access::Write } else { Access::Read }) {
        // What keeps the store from being opened is removed without opening it.
        Err(StoreError::OtherSchema { .. })
            if args.write && Store::remove_added(&store.path, &args.query)? =>
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
    if matches!(format, OutputFormat::Csv | OutputFormat::RawCsv) {
        return print_rows(&store, &args.query, time, format);
    }
    let limits = Limits { bytes: HELD, time, ..Limits::NONE };
    let result = store.query_within(&args.query, limits, &Arc::default())?;
    anyhow::ensure!(
        !result.more,
        "sql: the result is larger than {} MB; take fewer rows with LIMIT, or print them one by one \
         with --output csv",
        HELD >> 20
    );
    let rows = result.rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect();
    Ok(Table { columns: result.columns, rows, plain_numbers: true }.print(format)?)
}

fn print_rows(
    store: &Store,
    query: &str,
    time: Duration,
    format: OutputFormat,
) -> anyhow::Result<()> {
    let mut lines = CsvLines::new(format);
    let mut printed = Ok(true);
    let columns = store.visit_query(query, time, &Arc::default(), |columns, cells| {
        printed = lines.print(columns, cells.into_iter().map(value));
        matches!(printed, Ok(true))
    })?;
    printed?;
    Ok(lines.end(&columns)?)
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => number.into(),
        Cell::Real(number) => number.into(),
        Cell::Text(text) => text.into(),
    }
}
