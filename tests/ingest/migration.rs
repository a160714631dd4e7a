//! Stores of earlier versions of the schema.

use std::path::Path;

use topica::store::Store;

use super::bench::Bench;

/// Made by version 1: the corpora `tales` (text, one document left out) and `counts` (UCI), and a
/// finished run.
const V1: &str = "tests/stores/v1.db";

#[test]
fn a_store_of_version_1_is_migrated_and_keeps_every_row() {
    let bench = Bench::new();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join(V1);
    std::fs::copy(&old, bench.path("topica.db")).expect("copy");
    let connection = rusqlite::Connection::open(bench.path("topica.db")).expect("open");
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).expect("count")
    };
    let tables = [
        "corpus",
        "document",
        "document_text",
        "term",
        "triple",
        "block",
        "ingest",
        "ingest_note",
        "vocabulary",
        "vocabulary_term",
        "run",
        "run_stage",
        "topic",
        "topic_term",
        "metric",
    ];
    let before: Vec<i64> = tables.iter().map(|table| count(table)).collect();
    assert_eq!(count("triple"), 37);
    let triples = |connection: &rusqlite::Connection| -> Vec<(i64, i64, i64)> {
        let sql = "SELECT document_id, term_id, count FROM triple ORDER BY 1, 2";
        let mut statement = connection.prepare(sql).expect("prepare");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.expect("query").map(|row| row.expect("row")).collect()
    };
    let old_triples = triples(&connection);
    bench.check();
    let after: Vec<i64> = tables.iter().map(|table| count(table)).collect();
    assert_eq!(before, after);
    assert_eq!(old_triples, triples(&connection));
    let note = "SELECT kind, documents, reason LIKE 'no word is left%' FROM ingest_note";
    assert_eq!(bench.ask(note), ["empty | 1 | 1"]);
    // And it can be added to.
    bench.write("more.jsonl", "{\"id\": \"a9\", \"text\": \"castle telescope moat\"}\n");
    let summary = bench.ingest("tales", &["more.jsonl"]).expect("ingest");
    assert_eq!((summary.counts.added, summary.corpus.documents, summary.corpus.terms), (1, 7, 11));
    assert_eq!(
        Store::open(&bench.path("topica.db")).expect("open").topics(1, 3).expect("topics").len(),
        2
    );
    bench.check();
}
