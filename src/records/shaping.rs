//! Topics before and after edits.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_core::shape::effect::{TopicEffect, TopicSnapshot};

pub fn columns() -> Vec<Column<TopicEffect>> {
    type Row = TopicEffect;
    let share = |seen: &Option<TopicSnapshot>| json!(seen.as_ref().map(|seen| seen.share));
    let npmi = |seen: &Option<TopicSnapshot>| json!(seen.as_ref().and_then(|seen| seen.npmi));
    let shown = |row: &Row| {
        let seen = row.after.as_ref().or(row.before.as_ref());
        seen.map(|seen| seen.words.join(" ")).unwrap_or_default()
    };
    vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic))
            .listed(Width::Cells(6))
            .sorted(First::Smallest),
        Column::new("change", Kind::Text, |row: &Row| json!(row.change.as_str()))
            .listed(Width::Cells(7))
            .sorted(First::Smallest),
        Column::new("label", Kind::Text, |row: &Row| json!(row.label)).not_printed(),
        Column::new("anchors", Kind::Text, |row: &Row| json!(row.anchors))
            .printed_as(|row| row.anchors.join(" ")),
        Column::new("share_before", Kind::Share, move |row: &Row| share(&row.before))
            .titled("share was")
            .listed_from(100, Width::Cells(9)),
        Column::new("share_after", Kind::Share, move |row: &Row| share(&row.after))
            .titled("share")
            .listed(Width::Cells(7))
            .sorted(First::Largest),
        Column::new("npmi_before", Kind::Measure, move |row: &Row| npmi(&row.before))
            .titled("npmi was")
            .listed_from(100, Width::Cells(8)),
        Column::new("npmi_after", Kind::Measure, move |row: &Row| npmi(&row.after))
            .titled("npmi")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("words", Kind::Text, move |row: &Row| Value::String(shown(row)))
            .listed(Width::Share(1))
            .listed_as(move |row| {
                row.label.as_ref().map(|label| format!("\"{label}\" {}", shown(row)))
            }),
        Column::new("gained", Kind::Text, |row: &Row| json!(row.gained))
            .printed_as(|row| row.gained.join(" ")),
        Column::new("lost", Kind::Text, |row: &Row| json!(row.lost))
            .printed_as(|row| row.lost.join(" ")),
    ]
}
