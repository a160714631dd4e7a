//! Saved results.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_core::shell_word::line_of;
use topoi_store::result::saved_result::SavedResult;

/// Columns of a list whose rows have a saved result each.
pub fn columns<R: 'static>(of: fn(&R) -> &SavedResult) -> Vec<Column<R>> {
    let column = |name: &'static str, kind: Kind, cell: fn(&SavedResult) -> Value| {
        Column::new(name, kind, move |row: &R| cell(of(row)))
    };
    vec![
        column("result", Kind::Text, |it| json!(it.name)).listed(Width::Share(2)),
        column("kind", Kind::Text, |it| json!(it.kind)).listed(Width::Cells(6)),
        column("run", Kind::Number, |it| json!(it.run))
            .listed(Width::Cells(4))
            .sorted(First::Largest),
        column("title", Kind::Text, |it| json!(it.title)).listed(Width::Share(3)),
        column("command", Kind::Text, |it| json!(line_of(&it.command))),
        column("program_version", Kind::Text, |it| json!(it.program_version)),
        column("made_at", Kind::Time, |it| json!(it.made_at))
            .titled("made")
            .listed_from(60, Width::Cells(10))
            .sorted(First::Largest),
    ]
}

/// Columns of a saved table: the keys of its rows.
pub fn cells_of(keys: &[String]) -> Vec<Column<Value>> {
    let column = |key: &String| {
        let of_row = key.clone();
        Column::new(key.clone(), Kind::Text, move |row: &Value| row[&of_row].clone())
    };
    keys.iter().map(column).collect()
}

/// What is said below a saved table: where it is from, and the notes it was made with.
pub fn said_of(found: &SavedResult, answer: &Value) -> Vec<String> {
    let date = found.made_at.get(..10).unwrap_or(&found.made_at);
    let SavedResult { title, run, program_version, .. } = found;
    let made = format!(
        "{title}; run {run}, made on {date} by topoi {program_version}: topoi {}",
        line_of(&found.command)
    );
    let notes = answer.get("notes").and_then(Value::as_array).into_iter().flatten();
    std::iter::once(made).chain(notes.filter_map(Value::as_str).map(String::from)).collect()
}
