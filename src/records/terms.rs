//! Terms of a corpus.

use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_run::vocabulary::rules::Dropped;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::term::Term;

/// A term in a list.
#[derive(Debug, Clone, Copy)]
pub struct TermRow<'a> {
    pub term: &'a Term,
    pub corpus: &'a Corpus,
    /// The rule that drops it from the current vocabulary.
    pub dropped_by: Option<Dropped>,
}

pub fn columns<'a>() -> Vec<Column<TermRow<'a>>> {
    vec![
        Column::new("id", Kind::Number, |row: &TermRow<'_>| json!(row.term.id)).not_exported(),
        Column::new("term", Kind::Text, |row: &TermRow<'_>| json!(row.term.shown()))
            .listed(Width::Share(1))
            .sorted(First::Smallest),
        Column::new("total_count", Kind::Count, |row: &TermRow<'_>| json!(row.term.total_count))
            .titled("tokens")
            .listed(Width::Cells(11))
            .sorted(First::Largest),
        Column::new("document_frequency", Kind::Count, |row: &TermRow<'_>| {
            json!(row.term.document_frequency)
        })
        .titled("documents")
        .listed(Width::Cells(10))
        .sorted(First::Largest),
        Column::new("document_share", Kind::Share, |row: &TermRow<'_>| {
            json!(row.term.document_frequency as f64 / row.corpus.documents.max(1) as f64)
        })
        .titled("in")
        .listed(Width::Cells(6))
        .not_printed()
        .not_exported(),
    ]
}

/// The rule that drops a term, for lists with a vocabulary.
pub fn dropped_by<'a>() -> Column<TermRow<'a>> {
    Column::new("dropped_by", Kind::Text, |row: &TermRow<'_>| json!(row.dropped_by))
}
