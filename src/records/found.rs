//! Search results: documents, words in context, similar documents.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_core::numbers::thousands;
use topoi_ingest::search::SearchHit;
use topoi_ingest::search::snippet::Piece;
use topoi_ingest::search::word::TermDocument;
use topoi_run::concordance::CitedContext;
use topoi_run::concordance::collocates::Collocate;
use topoi_run::concordance::usage::GroupUsage;
use topoi_run::saved::similar::SimilarDocument;

/// A snippet with the hits in brackets.
pub fn marked(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece.is_hit {
        true => format!("[{}]", piece.text),
        false => piece.text.clone(),
    };
    pieces.iter().map(piece).collect()
}

pub fn columns() -> Vec<Column<SearchHit>> {
    type Row = SearchHit;
    vec![
        Column::new("id", Kind::Number, |row: &Row| json!(row.document.id)),
        Column::new("key", Kind::Text, |row: &Row| json!(row.document.key)).listed(Width::Share(1)),
        Column::new("title", Kind::Text, |row: &Row| json!(row.document.title))
            .listed_from(100, Width::Share(1)),
        Column::new("snippet", Kind::Text, |row: &Row| json!(marked(&row.snippet)))
            .listed(Width::Share(3)),
    ]
}

pub fn contexts() -> Vec<Column<CitedContext>> {
    type Row = CitedContext;
    vec![
        Column::new("id", Kind::Number, |row: &Row| json!(row.context.document)),
        Column::new("key", Kind::Text, |row: &Row| json!(row.context.key)),
        Column::new("title", Kind::Text, |row: &Row| json!(row.context.title)),
        Column::new("author", Kind::Text, |row: &Row| json!(row.author)),
        Column::new("date", Kind::Text, |row: &Row| json!(row.date)),
        Column::new("start", Kind::Count, |row: &Row| json!(row.context.start)),
        Column::new("left", Kind::Text, |row: &Row| json!(row.context.left)),
        Column::new("hit", Kind::Text, |row: &Row| json!(row.context.hit)),
        Column::new("right", Kind::Text, |row: &Row| json!(row.context.right)),
        Column::new("source", Kind::Text, |row: &Row| json!(row.source)),
    ]
}

/// Tokens, which are whole unless documents count as much as they are of a topic.
fn tokens(count: f64) -> serde_json::Value {
    if count.fract() == 0.0 { json!(count as u64) } else { json!(count) }
}

/// A whole number of tokens; `None` for expected ones, as within a topic.
fn whole(count: f64) -> Option<String> {
    (count.fract() == 0.0).then(|| thousands(count as u64))
}

/// Columns of the words beside a word or phrase.
pub fn collocates() -> Vec<Column<Collocate>> {
    type Row = Collocate;
    vec![
        Column::new("word", Kind::Text, |row: &Row| json!(row.word)).listed(Width::Share(1)),
        Column::new("together", Kind::Measure, |row: &Row| tokens(row.together))
            .listed(Width::Cells(9))
            .listed_as(|row| whole(row.together))
            .sorted(First::Largest),
        Column::new("before", Kind::Measure, |row: &Row| tokens(row.before))
            .listed(Width::Cells(8))
            .listed_as(|row| whole(row.before))
            .sorted(First::Largest),
        Column::new("after", Kind::Measure, |row: &Row| tokens(row.after))
            .listed(Width::Cells(8))
            .listed_as(|row| whole(row.after))
            .sorted(First::Largest),
        Column::new("expected", Kind::Measure, |row: &Row| json!(row.expected))
            .listed_from(70, Width::Cells(9)),
        Column::new("log_likelihood", Kind::Measure, |row: &Row| json!(row.log_likelihood))
            .titled("G²")
            .listed(Width::Cells(9))
            .sorted(First::Largest),
        Column::new("mi3", Kind::Measure, |row: &Row| json!(row.mi3))
            .titled("MI³")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
    ]
}

/// Columns of groups of documents, or times, by how often they have something. `field` names the groups.
pub fn usage(field: &str) -> Vec<Column<GroupUsage>> {
    type Row = GroupUsage;
    let end = |of: fn((f64, f64)) -> f64| move |row: &Row| json!(row.interval.map(of));
    vec![
        Column::new(field.to_string(), Kind::Text, |row: &Row| json!(row.part.to_string()))
            .titled("group")
            .listed(Width::Share(1)),
        Column::new("documents", Kind::Count, |row: &Row| json!(row.documents))
            .listed_from(70, Width::Cells(9))
            .sorted(First::Largest),
        Column::new("matching", Kind::Count, |row: &Row| json!(row.matching))
            .titled("with it")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("occurrences", Kind::Count, |row: &Row| json!(row.occurrences))
            .titled("times")
            .listed(Width::Cells(8))
            .sorted(First::Largest),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.tokens)),
        Column::new("per_million", Kind::Measure, |row: &Row| json!(row.per_million))
            .titled("a million")
            .listed(Width::Cells(10))
            .sorted(First::Largest),
        Column::new("low", Kind::Measure, end(|(low, _)| low)).listed_from(70, Width::Cells(9)),
        Column::new("high", Kind::Measure, end(|(_, high)| high)).listed_from(70, Width::Cells(9)),
    ]
}

pub fn similar() -> Vec<Column<SimilarDocument>> {
    type Row = SimilarDocument;
    vec![
        Column::new("id", Kind::Number, |row: &Row| json!(row.document.id)),
        Column::new("distance", Kind::Measure, |row: &Row| json!(row.distance))
            .listed(Width::Cells(8)),
        Column::new("key", Kind::Text, |row: &Row| json!(row.document.key)).listed(Width::Share(1)),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.document.tokens))
            .listed(Width::Cells(9)),
        Column::new("title", Kind::Text, |row: &Row| json!(row.document.title))
            .listed(Width::Share(2)),
    ]
}

/// Columns of the documents that contain a term.
pub fn documents_with_term() -> Vec<Column<TermDocument>> {
    type Row = TermDocument;
    vec![
        Column::new("id", Kind::Number, |row: &Row| json!(row.document.id)),
        Column::new("count", Kind::Count, |row: &Row| json!(row.count))
            .listed(Width::Cells(7))
            .sorted(First::Largest),
        Column::new("key", Kind::Text, |row: &Row| json!(row.document.key)).listed(Width::Share(1)),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.document.tokens))
            .listed(Width::Cells(9)),
        Column::new("title", Kind::Text, |row: &Row| json!(row.document.title))
            .listed(Width::Share(2)),
    ]
}
