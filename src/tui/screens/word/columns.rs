//! The columns of topics of a word, and of groups of documents by how often they have it.

use serde_json::json;

use super::question::{TopicOfWord, UsageBesideTopic};
use crate::records::column::{Column, First, Kind, Width};
use crate::records::found;

/// Columns of topics by what they have of a word.
pub fn topics() -> Vec<Column<TopicOfWord>> {
    type Row = TopicOfWord;
    vec![
        Column::new("topic", Kind::Number, |row: &Row| json!(row.topic))
            .listed(Width::Cells(5))
            .sorted(First::Smallest),
        Column::new("of_word", Kind::Share, |row: &Row| json!(row.of_word))
            .titled("of word")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("bar", Kind::Drawn, |_: &Row| json!(null))
            .titled("")
            .listed_from(0, Width::Cells(12))
            .listed_from(100, Width::Cells(30))
            .not_exported(),
        Column::new("in_topic", Kind::Share, |row: &Row| json!(row.in_topic))
            .titled("of topic")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("rank", Kind::Count, |row: &Row| json!(row.rank))
            .listed(Width::Cells(6))
            .sorted(First::Smallest),
        Column::new("words", Kind::Text, |row: &Row| json!(row.words))
            .titled("words of the topic")
            .listed(Width::Share(1)),
    ]
}

/// Columns of groups of documents, or times, with the topic's share.
pub fn usage(field: &str, has_topic: bool) -> Vec<Column<UsageBesideTopic>> {
    let columns = found::usage(field).into_iter();
    let mut columns: Vec<_> =
        columns.map(|column| column.of(|row: &UsageBesideTopic| &row.usage)).collect();
    if has_topic {
        let share = |row: &UsageBesideTopic| json!(row.share);
        let column = Column::new("topic_share", Kind::Share, share);
        let column = column.titled("topic").sorted(First::Largest);
        columns.push(column.listed(Width::Cells(9)));
    }
    columns
}
