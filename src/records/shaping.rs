//! Topics before and after edits.

use serde_json::json;

use super::column::{Column, Kind};
use topoi::shape::effect::{Seen, TopicEffect};

pub fn columns() -> Vec<Column<TopicEffect>> {
    type Row = TopicEffect;
    let share = |seen: &Option<Seen>| json!(seen.as_ref().map(|seen| seen.share));
    let npmi = |seen: &Option<Seen>| json!(seen.as_ref().and_then(|seen| seen.npmi));
    vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic)),
        Column::new("change", Kind::Text, |row: &Row| json!(row.fate.as_str())),
        Column::new("label", Kind::Text, |row: &Row| json!(row.label)).not_printed(),
        Column::new("anchors", Kind::Text, |row: &Row| json!(row.anchors))
            .printed_as(|row| row.anchors.join(" ")),
        Column::new("share_before", Kind::Measure, move |row: &Row| share(&row.before)),
        Column::new("share_after", Kind::Measure, move |row: &Row| share(&row.after)),
        Column::new("npmi_before", Kind::Measure, move |row: &Row| npmi(&row.before)),
        Column::new("npmi_after", Kind::Measure, move |row: &Row| npmi(&row.after)),
        Column::new("gained", Kind::Text, |row: &Row| json!(row.gained))
            .printed_as(|row| row.gained.join(" ")),
        Column::new("lost", Kind::Text, |row: &Row| json!(row.lost))
            .printed_as(|row| row.lost.join(" ")),
    ]
}
