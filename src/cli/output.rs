//! Results on standard output: a table for people, JSON or CSV for programs.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::records::column::Column;
use crate::records::numbers::{four_digits, thousands};
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OutputFormat {
    /// Columns aligned for reading.
    #[default]
    Table,
    /// One JSON value.
    Json,
    /// Comma-separated values with a header line.
    Csv,
}

/// Rows under column names.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// The printed columns of records.
    pub fn of<R>(columns: &[Column<R>], records: &[R], format: OutputFormat) -> Self {
        let columns: Vec<&Column<R>> = columns.iter().filter(|column| column.is_printed).collect();
        let cell = |column: &&Column<R>, record: &R| match format {
            OutputFormat::Table => column.printed_cell(record),
            OutputFormat::Json | OutputFormat::Csv => column.cell(record),
        };
        let row = |record: &R| columns.iter().map(|column| cell(column, record)).collect();
        Self {
            columns: columns.iter().map(|column| column.name.to_string()).collect(),
            rows: records.iter().map(row).collect(),
        }
    }

    /// Prints the table in `format`; JSON is a list of objects.
    ///
    /// # Errors
    /// When standard output cannot be written, other than by a closed pipe.
    pub fn print(&self, format: OutputFormat) -> io::Result<()> {
        match format {
            OutputFormat::Table => print(&self.as_text()),
            OutputFormat::Json => print_json(&self.as_json()),
            OutputFormat::Csv => print(&self.as_csv()),
        }
    }

    /// The rows as a list of objects.
    pub fn as_json(&self) -> Value {
        let object = |row: &Vec<Value>| {
            Value::Object(self.columns.iter().cloned().zip(row.iter().cloned()).collect())
        };
        Value::Array(self.rows.iter().map(object).collect())
    }

    fn as_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = writer.write_record(&self.columns);
        for row in &self.rows {
            let _ = writer.write_record(row.iter().map(exact));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    fn as_text(&self) -> String {
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(readable).collect()).collect();
        let columns: Vec<String> = self.columns.iter().map(|name| one_line(name)).collect();
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

/// A cell as a program reads it.
fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A cell as a person reads it: thousands apart, four significant digits.
fn readable(value: &Value) -> String {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => thousands(whole),
            (None, Some(real)) => four_digits(real),
            (None, None) => number.to_string(),
        },
        Value::String(text) => one_line(text),
        other => exact(other),
    }
}

/// Text with line breaks and control characters as spaces, so that a cell stays in its row and an
/// error on its line, and nothing that came with a document reaches the terminal as a command.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Prints a record as JSON, indented.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_json(record: &impl Serialize) -> io::Result<()> {
    print(&format!("{:#}\n", serde_json::to_value(record)?))
}

/// Prints what a command did: a text for people, the record as a JSON object, or its columns as
/// one line of CSV.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_outcome<R: Serialize>(
    record: &R,
    columns: &[Column<R>],
    text: &str,
    format: OutputFormat,
) -> io::Result<()> {
    match format {
        OutputFormat::Table => print(text),
        OutputFormat::Json => print_json(record),
        OutputFormat::Csv => print_list(columns, std::slice::from_ref(record), format),
    }
}

/// Text without the control characters that a terminal acts on, but for line breaks and tabs.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !"\n\t".contains(c) { ' ' } else { c }).collect()
}

/// Prints text; programs get it as it is, a terminal without control characters. A reader that has
/// gone away (`| head`) is no error.
///
/// # Errors
/// When standard output cannot be written otherwise.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { harmless(text).into() } else { Cow::Borrowed(text) };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints a line of talk on standard error, where it does not mix with results.
pub fn say(line: &str) {
    // When nobody can read it there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{}", harmless(line));
}

/// Asks on standard error, with the cursor left behind the question.
///
/// # Errors
/// When standard error cannot be written.
pub fn ask(question: &str) -> io::Result<()> {
    let mut screen = io::stderr().lock();
    write!(screen, "{} ", one_line(question))?;
    screen.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(columns: &[&str], rows: Vec<Vec<Value>>) -> Table {
        Table { columns: columns.iter().map(ToString::to_string).collect(), rows }
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
    fn no_control_character_is_left_for_a_terminal() {
        let hostile = "a\u{1b}]0;x\u{7}b\u{9b}31m\tc\r\nd\u{7f}";
        assert_eq!(harmless(hostile), "a ]0;x b 31m\tc \nd ");
        assert_eq!(one_line(hostile), "a ]0;x b 31m c  d ");
        let table = table(&["\u{1b}[1m"], vec![vec![json!(hostile)]]);
        assert!(table.as_text().chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn csv_quotes_what_needs_quotes_and_keeps_every_digit() {
        let table = table(&["a", "b"], vec![vec![json!("x,\"y\""), json!(0.1234567890123)]]);
        assert_eq!(table.as_csv(), "a,b\n\"x,\"\"y\"\"\",0.1234567890123\n");
    }
}
