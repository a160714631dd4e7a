//! Documents that ingests left out.

use serde_json::{Value, json};

use super::column::{Column, First, Kind, Width};
use topoi_store::ingest::ledger::LedgerRow;

pub fn columns() -> Vec<Column<LedgerRow>> {
    let column = |name: &'static str, kind: Kind, cell: fn(&LedgerRow) -> Value| {
        Column::new(name, kind, cell)
    };
    vec![
        column("corpus", Kind::Text, |row| json!(row.corpus)).listed_from(100, Width::Cells(14)),
        column("key", Kind::Text, |row| json!(row.note.key)).listed(Width::Share(2)),
        column("kind", Kind::Text, |row| json!(row.note.kind)).listed(Width::Cells(11)),
        column("documents", Kind::Count, |row| json!(row.note.documents))
            .titled("docs")
            .listed(Width::Cells(6))
            .sorted(First::Largest),
        column("reason", Kind::Text, |row| json!(row.note.reason)).listed(Width::Share(3)),
        column("place", Kind::Text, |row| json!(row.note.place)).listed_from(100, Width::Share(2)),
        column("ingest", Kind::Number, |row| json!(row.ingest)),
        column("ingested_at", Kind::Time, |row| json!(row.at)),
    ]
}
