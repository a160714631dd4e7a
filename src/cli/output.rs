//! Results on standard output: a table for people, JSON or CSV for programs.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::records::column::Column;
use crate::shown::Shown;
use topoi::csv_cell::for_spreadsheets;
use topoi::numbers::{four_digits, thousands};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OutputFormat {
    /// Columns aligned for reading.
    #[default]
    Table,
    /// One JSON value.
    Json,
    /// Comma-separated values with a header line.
    Csv,
    /// The same with every cell as it is: --output csv --raw.
    #[value(skip)]
    RawCsv,
}

impl OutputFormat {
    pub fn or_raw(self, raw: bool) -> Self {
        if self == Self::Csv && raw { Self::RawCsv } else { self }
    }
}

/// Rows under column names.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// Print whole numbers without commas: some may be years or ids.
    pub plain_numbers: bool,
}

impl Table {
    /// The printed columns of records.
    pub fn of<R>(columns: &[Column<R>], records: &[R], format: OutputFormat) -> Self {
        let columns: Vec<&Column<R>> = columns.iter().filter(|column| column.is_printed).collect();
        let cell = |column: &&Column<R>, record: &R| match format {
            OutputFormat::Table => column.printed_cell(record),
            _ => column.cell(record),
        };
        let row = |record: &R| columns.iter().map(|column| cell(column, record)).collect();
        Self {
            columns: columns.iter().map(|column| column.name.to_string()).collect(),
            rows: records.iter().map(row).collect(),
            plain_numbers: false,
        }
    }

    /// Prints the table in `format`; JSON is a list of objects.
    ///
    /// # Errors
    /// When standard output cannot be written, other than by a closed pipe.
    pub fn print(&self, format: OutputFormat) -> io::Result<()> {
        match format {
            OutputFormat::Table => print(&Shown::text(&self.as_text())),
            OutputFormat::Json => print_json(&self.as_json()),
            OutputFormat::Csv | OutputFormat::RawCsv => print_exact(&self.as_csv(format)).map(drop),
        }
    }

    /// The rows as a list of objects.
    pub fn as_json(&self) -> Value {
        let object = |row: &Vec<Value>| {
            Value::Object(self.columns.iter().cloned().zip(row.iter().cloned()).collect())
        };
        Value::Array(self.rows.iter().map(object).collect())
    }

    /// A cell as a person reads it: thousands apart, four significant digits.
    fn readable(&self, value: &Value) -> String {
        match value {
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) if !self.plain_numbers => thousands(whole),
                (None, Some(real)) => four_digits(real),
                _ => number.to_string(),
            },
            Value::String(text) => Shown::line(text).into_string(),
            other => exact(other),
        }
    }

    fn as_csv(&self, format: OutputFormat) -> String {
        let mut lines = CsvLines::new(format);
        lines.push(self.columns.iter().cloned());
        self.rows.iter().for_each(|row| lines.push(row.iter().map(exact)));
        lines.take()
    }

    fn as_text(&self) -> String {
        let cells: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| self.readable(cell)).collect())
            .collect();
        let columns: Vec<String> =
            self.columns.iter().map(|name| Shown::line(name).into_string()).collect();
        let width = |column: usize| {
            let body = cells.iter().map(|row| row[column].width()).max().unwrap_or(0);
            body.max(columns[column].width())
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let is_number: Vec<bool> = (0..self.columns.len())
            .map(|column| self.rows.iter().any(|row| row[column].is_number()))
            .collect();
        let line = |row: &[String]| {
            let padded = row.iter().enumerate().map(|(column, cell)| {
                let space = " ".repeat(widths[column] - cell.width());
                if is_number[column] { format!("{space}{cell}") } else { format!("{cell}{space}") }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
        };
        std::iter::once(line(&columns)).chain(cells.iter().map(|row| line(row))).collect()
    }
}

/// Prints records under their columns; JSON is a list of objects.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_list<R>(columns: &[Column<R>], records: &[R], format: OutputFormat) -> io::Result<()> {
    Table::of(columns, records, format).print(format)
}

/// Records of CSV.
pub struct CsvLines {
    writer: csv::Writer<Vec<u8>>,
    is_raw: bool,
    has_head: bool,
}

/// Bytes of CSV that are printed at once.
const PRINTED: usize = 1 << 16;

impl CsvLines {
    pub fn new(format: OutputFormat) -> Self {
        let writer = csv::Writer::from_writer(Vec::new());
        Self { writer, is_raw: format == OutputFormat::RawCsv, has_head: false }
    }

    /// Prints a row, sooner or later, the first after the names of its columns. False when nobody
    /// reads it any more.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn print(
        &mut self,
        columns: &[String],
        row: impl Iterator<Item = Value>,
    ) -> io::Result<bool> {
        if !std::mem::replace(&mut self.has_head, true) {
            self.push(columns.iter().cloned());
        }
        self.push(row.map(|value| exact(&value)));
        if self.writer.get_ref().len() < PRINTED { Ok(true) } else { print_exact(&self.take()) }
    }

    /// Prints what was not printed yet.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn end(mut self, columns: &[String]) -> io::Result<()> {
        if !self.has_head {
            self.push(columns.iter().cloned());
        }
        print_exact(&self.take()).map(drop)
    }

    fn push(&mut self, cells: impl Iterator<Item = String>) {
        let is_raw = self.is_raw;
        let shown = |cell: String| match is_raw {
            true => cell,
            false => for_spreadsheets(&cell).into_owned(),
        };
        // Writing to memory does not fail.
        let _ = self.writer.write_record(cells.map(shown));
    }

    fn take(&mut self) -> String {
        let empty = csv::Writer::from_writer(Vec::new());
        let full = std::mem::replace(&mut self.writer, empty);
        String::from_utf8(full.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// A cell as a program reads it.
fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Prints a record as JSON, indented.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_json(record: &impl Serialize) -> io::Result<()> {
    print_exact(&format!("{:#}\n", serde_json::to_value(record)?)).map(drop)
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
        OutputFormat::Json => print_json(record),
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
fn print_exact(text: &str) -> io::Result<bool> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(columns: &[&str], rows: Vec<Vec<Value>>) -> Table {
        let columns = columns.iter().map(ToString::to_string).collect();
        Table { columns, rows, plain_numbers: false }
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let table = table(
            &["name", "documents", "npmi"],
            vec![
                vec![json!("nips"), json!(2483), json!(0.156_43)],
                vec![json!("a\nb"), json!(1_234_567), Value::Null],
            ],
        );
        let expected = "name  documents    npmi\nnips      2,483  0.1564\na b   1,234,567\n";
        assert_eq!(table.as_text(), expected);
    }

    #[test]
    fn a_row_of_a_table_is_a_line_of_what_can_be_seen() {
        let hostile = "a\u{1b}]0;x\u{7}b\r\nd\u{202e}";
        let table = table(&["\u{1b}[1m"], vec![vec![json!(hostile)]]);
        let expected = "\\u{1b}[1m\na\\u{1b}]0;x\\u{7}b  d\\u{202e}\n";
        assert_eq!(table.as_text(), expected);
    }

    #[test]
    fn csv_quotes_what_needs_quotes_and_keeps_every_digit() {
        let table = table(&["a", "b"], vec![vec![json!("x,\"y\""), json!(0.1234567890123)]]);
        assert_eq!(table.as_csv(OutputFormat::Csv), "a,b\n\"x,\"\"y\"\"\",0.1234567890123\n");
    }
}
