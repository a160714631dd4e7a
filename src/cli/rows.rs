//! A list on standard output, printed row by row in constant memory.

use std::io;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::messages::say;
use super::output::{OutputFormat, print_exact};
use crate::shown::{TerminalText, shown};
use topoi_core::csv_cell::for_spreadsheets;
use topoi_core::numbers::{four_digits, thousands};

/// Bytes that are printed at once.
const PRINTED: usize = 1 << 16;
/// A row that comes after a longer pause is printed at once, as the reader of a slow list waits for it.
const PAUSE: Duration = Duration::from_millis(100);
/// Number of rows of a table whose widths are measured together.
const MEASURED: usize = 1000;
/// Maximum number of characters of a cell in a table, as a column is as wide as its widest cell.
const WIDEST: usize = 1000;
/// Approximate bytes of text in rows that are measured together.
const MEASURED_BYTES: usize = 1 << 22;

/// Prints rows under column names: in JSON as an array of objects, in JSON Lines as an object per line. The columns
/// of a table are as wide as the rows so far, measured a thousand at a time; later rows can widen them. A cell of a
/// table is cut after a thousand characters with `…`, which is reported at the end.
pub struct RowPrinter {
    columns: Vec<String>,
    format: OutputFormat,
    plain_numbers: bool,
    /// Text that is not printed yet.
    text: String,
    has_begun: bool,
    /// Whether a cell of the table was cut.
    has_cut: bool,
    printed: Instant,
    table: TableLayout,
}

/// A row as a JSON object with its columns in their order; of several columns of one name the last.
struct JsonRow<'a> {
    columns: &'a [String],
    cells: &'a [Value],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_last = |at: usize| !self.columns[at + 1..].contains(&self.columns[at]);
        let cells = self.columns.iter().zip(self.cells).enumerate();
        serializer.collect_map(cells.filter(|(at, _)| is_last(*at)).map(|(_, cell)| cell))
    }
}

impl RowPrinter {
    pub fn new(columns: Vec<String>, format: OutputFormat) -> Self {
        Self {
            table: TableLayout::new(&columns),
            columns,
            format,
            plain_numbers: false,
            text: String::new(),
            has_begun: false,
            has_cut: false,
            printed: Instant::now(),
        }
    }

    /// Writes whole numbers without commas in a table, as some may be years or ids.
    pub fn with_plain_numbers(self) -> Self {
        Self { plain_numbers: true, ..self }
    }

    /// The lines of a whole table, its names first.
    pub fn table_lines(
        columns: Vec<String>,
        rows: impl Iterator<Item = Vec<Value>>,
    ) -> Vec<String> {
        let mut table = TableLayout::new(&columns);
        for cells in rows {
            let texts = cells.iter().map(|cell| readable(cell, true)).collect();
            table.push(&cells, texts);
        }
        let mut text = String::new();
        table.write(&mut text);
        text.lines().map(String::from).collect()
    }

    /// Prints a row with a cell per column, now or with later rows; false if the reader is gone.
    pub fn row(&mut self, cells: Vec<Value>) -> io::Result<bool> {
        match self.format {
            OutputFormat::Table => {
                let mut texts: Vec<String> =
                    cells.iter().map(|cell| readable(cell, self.plain_numbers)).collect();
                for text in &mut texts {
                    self.has_cut |= cut(text);
                }
                self.table.push(&cells, texts);
                if !self.table.is_full() {
                    return Ok(true);
                }
                self.table.write(&mut self.text);
            }
            OutputFormat::Json | OutputFormat::JsonLines => {
                let text = self.json_text(&JsonRow { columns: &self.columns, cells: &cells })?;
                return self.json_element(&text);
            }
            OutputFormat::Csv | OutputFormat::RawCsv => {
                self.csv_head();
                self.csv_line(cells.iter().map(exact));
            }
        }
        self.print_portion()
    }

    /// Prints a record as an element of the JSON array; false if the reader is gone.
    pub fn record(&mut self, record: &impl Serialize) -> io::Result<bool> {
        let text = self.json_text(record)?;
        self.json_element(&text)
    }

    fn json_text(&self, record: &impl Serialize) -> serde_json::Result<String> {
        match self.format {
            OutputFormat::JsonLines => serde_json::to_string(record),
            _ => serde_json::to_string_pretty(record),
        }
    }

    fn json_element(&mut self, text: &str) -> io::Result<bool> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if self.format == OutputFormat::JsonLines {
            self.text += text;
            self.text += "\n";
        } else {
            self.text += if is_first { "[\n  " } else { ",\n  " };
            // Line breaks in JSON are only between tokens.
            self.text += &text.replace('\n', "\n  ");
        }
        self.print_portion()
    }

    /// Prints the remaining rows and the end of the list.
    pub fn end(mut self) -> io::Result<()> {
        match (self.format, self.has_begun) {
            (OutputFormat::Table, _) => self.table.write(&mut self.text),
            (OutputFormat::Json, true) => self.text += "\n]\n",
            (OutputFormat::Json, false) => self.text += "[]\n",
            (OutputFormat::JsonLines, _) => {}
            (OutputFormat::Csv | OutputFormat::RawCsv, _) => self.csv_head(),
        }
        print_exact(&self.text)?;
        if self.has_cut {
            say(&shown!(
                "cells of more than {WIDEST} characters are cut (…); -o csv and json have them whole"
            ));
        }
        Ok(())
    }

    /// Prints the remaining rows of a list that an error has cut off. A JSON array stays open, so that it cannot be
    /// mistaken for the whole.
    pub fn cut_off(mut self) -> io::Result<()> {
        if self.table.has_rows() {
            self.table.write(&mut self.text);
        }
        print_exact(&self.text).map(drop)
    }

    fn print_portion(&mut self) -> io::Result<bool> {
        if self.text.len() < PRINTED && self.printed.elapsed() < PAUSE {
            return Ok(true);
        }
        let is_read = print_exact(&self.text)?;
        self.text.clear();
        self.printed = Instant::now();
        Ok(is_read)
    }

    fn csv_head(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.csv_line(self.columns.clone().into_iter());
        }
    }

    fn csv_line(&mut self, cells: impl Iterator<Item = String>) {
        let shown = |cell: String| match self.format {
            OutputFormat::RawCsv => cell,
            _ => for_spreadsheets(&cell).into_owned(),
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = writer.write_record(cells.map(shown));
        self.text += &String::from_utf8_lossy(&writer.into_inner().unwrap_or_default());
    }
}

/// Rows of a table that are measured before they are printed.
struct TableLayout {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    bytes: usize,
    widths: Vec<usize>,
    is_number: Vec<bool>,
    has_head: bool,
}

impl TableLayout {
    fn new(columns: &[String]) -> Self {
        let columns: Vec<String> =
            columns.iter().map(|name| TerminalText::line(name).into_string()).collect();
        Self {
            widths: columns.iter().map(|name| name.width()).collect(),
            is_number: vec![false; columns.len()],
            columns,
            rows: Vec::new(),
            bytes: 0,
            has_head: false,
        }
    }

    fn push(&mut self, cells: &[Value], texts: Vec<String>) {
        for (column, (cell, text)) in cells.iter().zip(&texts).enumerate() {
            self.is_number[column] |= cell.is_number();
            self.widths[column] = self.widths[column].max(text.width());
            self.bytes += text.len();
        }
        self.rows.push(texts);
    }

    fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= MEASURED || self.bytes >= MEASURED_BYTES
    }

    /// Appends the rows to `text`, with the names of the columns before the first.
    fn write(&mut self, text: &mut String) {
        if !std::mem::replace(&mut self.has_head, true) {
            *text += &self.line(&self.columns);
        }
        for row in std::mem::take(&mut self.rows) {
            *text += &self.line(&row);
        }
        self.bytes = 0;
    }

    fn line(&self, row: &[String]) -> String {
        let padded = row.iter().enumerate().map(|(column, cell)| {
            let space = " ".repeat(self.widths[column].saturating_sub(cell.width()));
            if self.is_number[column] { format!("{space}{cell}") } else { format!("{cell}{space}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    }
}

/// A cell for people: thousands separators unless numbers are plain, four significant digits.
fn readable(value: &Value, plain_numbers: bool) -> String {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) if !plain_numbers => thousands(whole),
            (None, Some(real)) => four_digits(real),
            _ => number.to_string(),
        },
        Value::String(text) => TerminalText::line(text).into_string(),
        other => exact(other),
    }
}

/// Cuts a text after [`WIDEST`] characters with `…`; returns whether it was longer.
fn cut(text: &mut String) -> bool {
    let Some((end, _)) = text.char_indices().nth(WIDEST) else { return false };
    text.truncate(end);
    text.push('…');
    true
}

/// A cell for programs.
fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn printer(columns: &[&str], format: OutputFormat) -> RowPrinter {
        let mut printer =
            RowPrinter::new(columns.iter().map(ToString::to_string).collect(), format);
        // Keeps the output of tests off standard output.
        printer.printed = Instant::now() + Duration::from_secs(3600);
        printer
    }

    /// The text of a list.
    fn text(columns: &[&str], rows: &[Vec<Value>], format: OutputFormat) -> String {
        let mut printer = printer(columns, format);
        for row in rows {
            assert!(printer.row(row.clone()).expect("row"));
        }
        if format == OutputFormat::Table {
            printer.table.write(&mut printer.text);
        }
        printer.text
    }

    #[test]
    fn numbers_are_at_the_right_and_words_at_the_left() {
        let rows = [
            vec![json!("nips"), json!(2483), json!(0.156_43)],
            vec![json!("a\nb"), json!(1_234_567), Value::Null],
        ];
        let expected = "name  documents    npmi\nnips      2,483  0.1564\na b   1,234,567\n";
        assert_eq!(text(&["name", "documents", "npmi"], &rows, OutputFormat::Table), expected);
    }

    #[test]
    fn a_row_of_a_table_is_a_line_of_what_can_be_seen() {
        let hostile = "a\u{1b}]0;x\u{7}b\r\nd\u{202e}";
        let expected = "\\u{1b}[1m\na\\u{1b}]0;x\\u{7}b  d\\u{202e}\n";
        assert_eq!(text(&["\u{1b}[1m"], &[vec![json!(hostile)]], OutputFormat::Table), expected);
    }

    #[test]
    fn a_cell_of_a_table_ends_after_a_thousand_characters_and_one_of_csv_does_not() {
        let rows = |length| [vec![json!("é".repeat(length)), json!(1)], vec![json!("b"), json!(2)]];
        let table = text(&["a", "n"], &rows(10_000_000), OutputFormat::Table);
        assert_eq!(table.lines().nth(1), Some(&*format!("{}…  1", "é".repeat(1000))));
        assert!(table.chars().count() < 4000);
        let csv = text(&["a", "n"], &rows(20_000), OutputFormat::Csv);
        assert_eq!(csv.chars().filter(|&letter| letter == 'é').count(), 20_000);
    }

    #[test]
    fn a_long_table_keeps_its_columns_and_every_row() {
        let mut table = TableLayout::new(&["n".into(), "m".into()]);
        let mut text = String::new();
        for row in 0..3 * MEASURED {
            let long = if row == 2 * MEASURED { "x".repeat(40) } else { "x".into() };
            table.push(&[json!(row), json!(long)], vec![row.to_string(), long]);
            if table.is_full() {
                table.write(&mut text);
                assert!(!table.has_rows());
            }
        }
        table.write(&mut text);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 3 * MEASURED);
        assert_eq!((lines[1], lines[1000], lines[1001]), ("  0  x", "999  x", "1000  x"));
        assert_eq!(lines[2001], format!("2000  {}", "x".repeat(40)));
    }

    #[test]
    fn csv_quotes_what_needs_quotes_and_keeps_every_digit() {
        let mut printer = printer(&["a", "b"], OutputFormat::Csv);
        printer.row(vec![json!("x,\"y\""), json!(0.123_456_789_012_3)]).expect("row");
        assert_eq!(printer.text, "a,b\n\"x,\"\"y\"\"\",0.1234567890123\n");
    }

    #[test]
    fn an_array_of_json_is_as_a_whole_one_is_written_and_a_line_of_json_lines_is_a_row() {
        let rows = [vec![json!("x\ny"), json!(1)], vec![Value::Null, json!([1, {"c": 2}])]];
        let whole = json!([{"a": "x\ny", "b": 1}, {"a": null, "b": [1, {"c": 2}]}]);
        let printed = text(&["a", "b"], &rows, OutputFormat::Json);
        assert_eq!(format!("{printed}\n]"), format!("{whole:#}"));
        let lines = text(&["a", "b"], &rows, OutputFormat::JsonLines);
        assert_eq!(lines, "{\"a\":\"x\\ny\",\"b\":1}\n{\"a\":null,\"b\":[1,{\"c\":2}]}\n");
    }

    #[test]
    fn json_has_columns_in_their_order_and_of_two_of_one_name_the_last() {
        let row = [vec![json!(1), json!(2), json!(3)]];
        assert_eq!(text(&["b", "a", "b"], &row, OutputFormat::JsonLines), "{\"a\":2,\"b\":3}\n");
        assert_eq!(
            text(&["b", "a", "c"], &row, OutputFormat::Json),
            "[\n  {\n    \"b\": 1,\n    \"a\": 2,\n    \"c\": 3\n  }"
        );
    }
}
