//! Search results: documents, words in context, similar documents.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_ingest::search::SearchHit;
use topoi_ingest::search::context::Context;
use topoi_ingest::search::snippet::Piece;
use topoi_ingest::search::word::TermDocument;
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

pub fn contexts() -> Vec<Column<Context>> {
    vec![
        Column::new("id", Kind::Number, |row: &Context| json!(row.document)),
        Column::new("key", Kind::Text, |row: &Context| json!(row.key)),
        Column::new("left", Kind::Text, |row: &Context| json!(row.left)),
        Column::new("hit", Kind::Text, |row: &Context| json!(row.hit)),
        Column::new("right", Kind::Text, |row: &Context| json!(row.right)),
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
