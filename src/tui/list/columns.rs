//! The columns of a record as a list uses them: to be sorted by, and as a plain table to be copied and
//! exported, with whole values and all rows that the filter lets through, in the order shown.

use serde_json::Value;

use super::sorting::SortKey;
use crate::records::column::{Column, First};
use crate::tui::screen::Screen;
use topoi_store::query::Cell;

/// The columns a list can be sorted by: (title, whether its largest come first).
pub fn sorted_by<R>(columns: &[Column<R>]) -> Vec<(String, bool)> {
    let sorted = columns.iter().filter_map(|column| Some((column, column.first?)));
    sorted.map(|(column, first)| (column.title.to_string(), first == First::Largest)).collect()
}

/// What a row is sorted by in the column of this title.
pub fn sort_key<R>(columns: &[Column<R>], row: &R, title: &str) -> SortKey {
    let column = columns.iter().find(|column| column.title == title);
    match column.map_or(Value::Null, |column| column.cell(row)) {
        Value::Number(number) => number.as_f64().map_or(SortKey::None, SortKey::Number),
        Value::String(text) => SortKey::text(&text),
        _ => SortKey::None,
    }
}

/// The rows with all columns that are exported.
pub fn sheet<'r, R: 'r>(
    name: impl Into<String>,
    columns: &[Column<R>],
    rows: impl IntoIterator<Item = &'r R>,
) -> ExportTable {
    let exported: Vec<&Column<R>> = columns.iter().filter(|column| column.is_exported).collect();
    let row = |row: &R| exported.iter().map(|column| cell(column.cell(row))).collect();
    ExportTable {
        name: name.into(),
        columns: exported.iter().map(|column| column.name.to_string()).collect(),
        rows: rows.into_iter().map(row).collect(),
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::String(text) => Cell::Text(text),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Cell::Integer(whole),
            (None, Some(number)) if number.fract() != 0.0 => Cell::Real(number),
            _ => Cell::Text(number.to_string()),
        },
        other => Cell::Text(other.to_string()),
    }
}

/// Rows with their columns, for copying and export.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportTable {
    /// What it is, as the beginning of a file's name.
    pub name: String,
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl ExportTable {
    /// The rows as lines with tabs between cells; tabs and line ends in cells become blanks.
    pub fn lines(&self) -> String {
        let line = |cells: Vec<String>| cells.join("\t") + "\n";
        let plain = |cell: &Cell| cell.to_string().replace(['\t', '\n', '\r'], " ");
        self.rows.iter().map(|row| line(row.iter().map(plain).collect())).collect()
    }

    /// The names of the columns as a line, then [`ExportTable::lines`].
    pub fn table(&self) -> String {
        self.columns.join("\t") + "\n" + &self.lines()
    }
}

/// The row under the cursor of a screen's list.
pub fn selected_row(screen: &dyn Screen) -> Option<ExportTable> {
    let mut sheet = screen.sheet()?;
    let place = screen.list()?.cursor;
    sheet.rows = sheet.rows.into_iter().nth(place).into_iter().collect();
    (!sheet.rows.is_empty()).then_some(sheet)
}
