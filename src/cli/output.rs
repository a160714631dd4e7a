//! Results on standard output: a table for people, JSON or CSV for programs.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::records::column::Column;

/// How results are printed.
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
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|name| (*name).into()).collect(), rows: Vec::new() }
    }

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

/// So many of something, as in "1 topic" and "2,483 documents".
pub fn counted(number: u64, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", thousands(number as i64))
}

/// A whole number with commas between thousands.
pub fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// A number to four significant digits, in powers of ten where it is tiny or huge; whole numbers
/// from ten on (counts, nearly always) in full.
pub fn four_digits(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    if number.fract() == 0.0 && (10.0..1e15).contains(&number.abs()) {
        return thousands(number as i64);
    }
    let magnitude = number.abs().log10().floor();
    if !(-3.0..6.0).contains(&magnitude) {
        return format!("{number:.3e}");
    }
    format!("{number:.*}", (3.0 - magnitude).clamp(0.0, 6.0) as usize)
}

/// Prints a JSON value, indented.
///
/// # Errors
/// When standard output cannot be written, other than by a closed pipe.
pub fn print_json(value: &Value) -> io::Result<()> {
    print(&format!("{value:#}\n"))
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

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut table = Table::new(&["name", "documents", "npmi"]);
        table.rows.push(vec![json!("nips"), json!(2483), json!(0.156_43)]);
        table.rows.push(vec![json!("a\nb"), json!(1_234_567), Value::Null]);
        let expected = "name  documents    npmi\nnips      2,483  0.1564\na b   1,234,567\n";
        assert_eq!(table.as_text(), expected);
    }

    #[test]
    fn no_control_character_is_left_for_a_terminal() {
        let hostile = "a\u{1b}]0;x\u{7}b\u{9b}31m\tc\r\nd\u{7f}";
        assert_eq!(harmless(hostile), "a ]0;x b 31m\tc \nd ");
        assert_eq!(one_line(hostile), "a ]0;x b 31m c  d ");
        let mut table = Table::new(&["\u{1b}[1m"]);
        table.rows.push(vec![json!(hostile)]);
        assert!(table.as_text().chars().all(|c| c == '\n' || !c.is_control()));
    }

    #[test]
    fn csv_quotes_what_needs_quotes_and_keeps_every_digit() {
        let mut table = Table::new(&["a", "b"]);
        table.rows.push(vec![json!("x,\"y\""), json!(0.1234567890123)]);
        assert_eq!(table.as_csv(), "a,b\n\"x,\"\"y\"\"\",0.1234567890123\n");
    }

    #[test]
    fn four_digits_of_small_and_large_numbers() {
        assert_eq!(four_digits(0.000_664_9), "6.649e-4");
        assert_eq!(four_digits(-51.43), "-51.43");
        assert_eq!(four_digits(12_345.678), "12346");
        assert_eq!(four_digits(2_613_245.0), "2,613,245");
        assert_eq!(thousands(-1234), "-1,234");
    }
}
