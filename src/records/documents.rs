//! Documents of a corpus, and documents of a topic.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_store::corpus::chunk::Chunk;
use topoi_store::corpus::document::Document;
use topoi_store::id::DocumentId;
use topoi_store::result::topic_document::TopicDocument;

pub fn columns() -> Vec<Column<Document>> {
    vec![
        Column::new("id", Kind::Number, |row: &Document| json!(row.id)),
        Column::new("key", Kind::Text, |row: &Document| json!(row.key))
            .listed(Width::Share(1))
            .sorted(First::Smallest),
        Column::new("title", Kind::Text, |row: &Document| json!(row.title))
            .listed(Width::Share(2))
            .sorted(First::Smallest),
        Column::new("tokens", Kind::Count, |row: &Document| json!(row.tokens))
            .listed(Width::Cells(9))
            .sorted(First::Largest),
        Column::new("source", Kind::Text, |row: &Document| json!(row.source)),
    ]
}

/// The parents of chunks and the positions in them.
pub fn chunk_columns(chunks: HashMap<DocumentId, Chunk>) -> Vec<Column<Document>> {
    let chunks = Rc::new(chunks);
    let of = |chunks: &Rc<HashMap<DocumentId, Chunk>>| {
        let chunks = Rc::clone(chunks);
        move |row: &Document| chunks.get(&row.id).cloned()
    };
    let (parent, position) = (of(&chunks), of(&chunks));
    vec![
        Column::new("parent", Kind::Text, move |row: &Document| {
            json!(parent(row).map(|chunk| chunk.parent))
        }),
        Column::new("position", Kind::Number, move |row: &Document| {
            json!(position(row).map(|chunk| chunk.position))
        }),
    ]
}

/// Columns of the documents with the largest share of a topic.
pub fn topic_columns() -> Vec<Column<TopicDocument>> {
    type Row = TopicDocument;
    vec![
        Column::new("id", Kind::Number, |row: &Row| json!(row.document.id)),
        Column::new("proportion", Kind::Share, |row: &Row| json!(row.share)),
        Column::new("key", Kind::Text, |row: &Row| json!(row.document.key)),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.document.tokens)),
        Column::new("title", Kind::Text, |row: &Row| json!(row.document.title)),
    ]
}

/// Passages of documents, by id.
pub fn passage_column(passages: HashMap<DocumentId, String>) -> Column<TopicDocument> {
    Column::new("passage", Kind::Text, move |row: &TopicDocument| {
        json!(passages.get(&row.document.id))
    })
}
