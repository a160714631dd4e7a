//! The queries of `schema/README.md` run on a real store.

mod common;

use common::Home;

#[test]
fn every_query_of_the_schema_page_runs() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900", "--model", "rp"]);
    home.succeeds(&["bounds", "subjects", "--terms", "900"]);
    home.succeeds(&["stability", "1", "--halves", "1"]);
    let page = include_str!("../schema/README.md");
    let queries: Vec<&str> = page
        .split("```sql\n")
        .skip(1)
        .map(|block| block.split("```").next().expect("a closed block"))
        .collect();
    assert!(queries.len() >= 8);
    for query in queries {
        let rows = home.json(&["sql", query, "--output", "json"]);
        // Nothing was left out of this ingest, and no document has a year; every other query
        // has rows.
        let is_ledger = query.contains("ingest_note") || query.contains("'year'");
        let count = rows.as_array().expect("rows").len();
        assert!(is_ledger || count > 0, "no rows: {query}");
    }
}
