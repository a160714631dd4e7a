use serde_json::json;

use super::column::{Column, First, Kind, Width};
use topoi_store::corpus::Corpus;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// A corpus in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusRow {
    pub corpus: Corpus,
    pub runs: usize,
    /// Number of its runs that are queued or running.
    pub active: usize,
}

/// All corpora by name, with the counts of their `runs`.
pub fn corpora(store: &Store, runs: &[Run]) -> Result<Vec<CorpusRow>, StoreError> {
    let row = |corpus: Corpus| {
        let own = || runs.iter().filter(|run| run.corpus_id == corpus.id);
        let active = own().filter(|run| !run.status.is_over()).count();
        CorpusRow { runs: own().count(), active, corpus }
    };
    Ok(store.corpora()?.into_iter().map(row).collect())
}

pub fn columns() -> Vec<Column<CorpusRow>> {
    type Row = CorpusRow;
    vec![
        Column::new("name", Kind::Text, |row: &Row| json!(row.corpus.name))
            .titled("corpus")
            .listed(Width::Share(1))
            .sorted(First::Smallest),
        Column::new("documents", Kind::Count, |row: &Row| json!(row.corpus.documents))
            .listed(Width::Cells(10))
            .sorted(First::Largest),
        Column::new("terms", Kind::Count, |row: &Row| json!(row.corpus.terms))
            .listed(Width::Cells(9))
            .sorted(First::Largest),
        Column::new("tokens", Kind::Count, |row: &Row| json!(row.corpus.tokens))
            .listed(Width::Cells(13))
            .sorted(First::Largest),
        Column::new("nonzeros", Kind::Count, |row: &Row| json!(row.corpus.nonzeros)),
        Column::new("runs", Kind::Count, |row: &Row| json!(row.runs))
            .listed(Width::Cells(5))
            .sorted(First::Largest),
        Column::new("created_at", Kind::Time, |row: &Row| json!(row.corpus.created_at))
            .titled("made")
            .listed_from(72, Width::Cells(10))
            .sorted(First::Largest),
    ]
}

/// The number of stores elsewhere with its documents, for lists with a corpus in parts.
pub fn parts_elsewhere() -> Column<CorpusRow> {
    Column::new("parts_elsewhere", Kind::Count, |row: &CorpusRow| json!(row.corpus.parts_elsewhere))
}
