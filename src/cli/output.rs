//! Results on standard output: a table for people, JSON or CSV for programs.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;

use super::rows::RowPrinter;
use crate::records::column::Column;
use crate::shown::Shown;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OutputFormat {
    /// Columns aligned for reading.
    #[default]
    Table,
    /// One JSON value.
    Json,
    /// JSON Lines: a JSON value a line, one for each element of what json has as a list.
    #[value(name = "jsonl")]
    JsonLines,
    /// Comma-separated values with a header line.
    Csv,
    /// The same with every cell as it is: --output csv --raw.
    #[value(skip)]
    RawCsv,
}

impl OutputFormat {
    /// Whether the result is printed as JSON, in one piece or in lines.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::JsonLines)
    }

    pub fn or_raw(self, raw: bool) -> Self {
        if self == Self::Csv && raw { Self::RawCsv } else { self }
    }
}

/// Prints records under their columns; JSON is a list of objects.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_list<R>(columns: &[Column<R>], records: &[R], format: OutputFormat) -> io::Result<()> {
    let mut rows = rows_of(columns, format);
    if print_rows(&mut rows, columns, records, format)? { rows.end() } else { Ok(()) }
}

/// A list of records that come in portions, under these columns.
pub fn rows_of<R>(columns: &[Column<R>], format: OutputFormat) -> RowPrinter {
    let printed = columns.iter().filter(|column| column.is_printed);
    RowPrinter::new(printed.map(|column| column.name.to_string()).collect(), format)
}

/// Prints a portion of the records of a list. False when nobody reads it any more.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_rows<R>(
    rows: &mut RowPrinter,
    columns: &[Column<R>],
    records: &[R],
    format: OutputFormat,
) -> io::Result<bool> {
    let cell = |column: &Column<R>, record: &R| match format {
        OutputFormat::Table => column.printed_cell(record),
        _ => column.cell(record),
    };
    for record in records {
        let printed = columns.iter().filter(|column| column.is_printed);
        if !rows.row(printed.map(|column| cell(column, record)).collect())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Records under their columns as a list of objects, for JSON that has more beside it.
pub fn list_as_json<R>(columns: &[Column<R>], records: &[R]) -> Value {
    let columns: Vec<&Column<R>> = columns.iter().filter(|column| column.is_printed).collect();
    let cells = |record: &R| {
        columns.iter().map(|column| (column.name.to_string(), column.cell(record))).collect()
    };
    Value::Array(records.iter().map(|record| Value::Object(cells(record))).collect())
}

/// Prints a record as JSON: indented, or as JSON Lines on one line, a list with a line for each of its elements.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_json(record: &impl Serialize, format: OutputFormat) -> io::Result<()> {
    let text = match (format, serde_json::to_value(record)?) {
        (OutputFormat::JsonLines, Value::Array(elements)) => {
            elements.iter().map(|element| format!("{element}\n")).collect()
        }
        (OutputFormat::JsonLines, value) => format!("{value}\n"),
        (_, value) => format!("{value:#}\n"),
    };
    print_exact(&text).map(drop)
}

/// Prints what a command did: a text for people, the record as a JSON object, or its columns as
/// one line of CSV.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_outcome<R: Serialize>(
    record: &R,
    columns: &[Column<R>],
    text: &Shown,
    format: OutputFormat,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => print(text),
        OutputFormat::Json | OutputFormat::JsonLines => print_json(record, format),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            print_list(columns, std::slice::from_ref(record), format)
        }
    }
}

/// Prints text for people.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print(text: &Shown) -> io::Result<()> {
    write(text.as_str()).map(drop)
}

/// Prints what programs read: as it is, but a terminal gets no more of it than can be seen.
pub(super) fn print_exact(text: &str) -> io::Result<bool> {
    if io::stdout().is_terminal() { write(Shown::text(text).as_str()) } else { write(text) }
}

/// False when the reader has gone away (`| head`), which is no error.
fn write(text: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true),
    }
}

/// Prints a line of talk on standard error, where it does not mix with results.
pub fn say(line: &Shown) {
    // When nobody can read it there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Asks on standard error, with the cursor left behind the question.
///
/// # Errors
/// When standard error cannot be written.
pub fn ask(question: &Shown) -> io::Result<()> {
    let mut screen = io::stderr().lock();
    write!(screen, "{question} ")?;
    screen.flush()
}
