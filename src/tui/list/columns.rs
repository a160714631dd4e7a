//! The columns of a record as a list uses them: to be sorted by, copied and exported.

use super::sheet::Sheet;
use super::sorting::SortKey;
use crate::records::column::{Column, First};
use serde_json::Value;
use topoi::store::query::Cell;

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
) -> Sheet {
    let exported: Vec<&Column<R>> = columns.iter().filter(|column| column.is_exported).collect();
    let row = |row: &R| exported.iter().map(|column| cell(column.cell(row))).collect();
    Sheet {
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
