//! Results on standard output: a table for people, JSON or CSV for programs.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;

use super::rows::RowPrinter;
use crate::records::column::Column;
use crate::shown::TerminalText;

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
pub fn print_list<R>(columns: &[Column<R>], records: &[R], format: OutputFormat) -> io::Result<()> {
    let mut rows = rows_of(columns, format);
    if print_rows(&mut rows, columns, records, format)? { rows.end() } else { Ok(()) }
}

/// A printer for a list of records that arrive in portions.
pub fn rows_of<R>(columns: &[Column<R>], format: OutputFormat) -> RowPrinter {
    let printed = columns.iter().filter(|column| column.is_printed);
    RowPrinter::new(printed.map(|column| column.name.to_string()).collect(), format)
}

/// Prints a portion of the records of a list; false if the reader is gone.
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

/// The records as a list of JSON objects, for a larger JSON value.
pub fn list_as_json<R>(columns: &[Column<R>], records: &[R]) -> Value {
    let columns: Vec<&Column<R>> = columns.iter().filter(|column| column.is_printed).collect();
    let cells = |record: &R| {
        columns.iter().map(|column| (column.name.to_string(), column.cell(record))).collect()
    };
    Value::Array(records.iter().map(|record| Value::Object(cells(record))).collect())
}

/// Prints a record as indented JSON, or as JSON Lines on one line; a list has a line for each of its elements.
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

/// Prints the outcome of a command: a text for people, a JSON object, or one line of CSV with these columns.
pub fn print_outcome<R: Serialize>(
    record: &R,
    columns: &[Column<R>],
    text: &TerminalText,
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
pub fn print(text: &TerminalText) -> io::Result<()> {
    write(text.as_str()).map(drop)
}

/// Prints text for programs unchanged; a terminal gets only its printable part.
pub(super) fn print_exact(text: &str) -> io::Result<bool> {
    if io::stdout().is_terminal() { write(TerminalText::text(text).as_str()) } else { write(text) }
}

/// False if the reader is gone (`| head`), which is not an error.
fn write(text: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true),
    }
}

/// Prints a question on standard error and leaves the cursor behind it.
pub fn ask(question: &TerminalText) -> io::Result<()> {
    let mut screen = io::stderr().lock();
    write!(screen, "{question} ")?;
    screen.flush()
}
