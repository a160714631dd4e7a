//! The queries of `schema/README.md` run on a real store.

use crate::common::Home;

#[test]
fn every_query_of_the_schema_page_runs() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900", "--model", "rp"]);
    home.counts_topics();
    home.succeeds(&["bounds", "subjects", "--terms", "900"]);
    home.succeeds(&["stability", "1", "--halves", "1"]);
    let page = include_str!("../../schema/README.md");
    let queries: Vec<&str> = page
        .split("```sql\n")
        .skip(1)
        .map(|block| block.split("```").next().expect("a closed block"))
        .collect();
    assert!(queries.len() >= 8);
    for query in queries {
        let rows = home.json(&["sql", query, "--output", "json"]);
        // Nothing was left out of this ingest, no document has a year, and none was cut; every
        // other query has rows.
        let is_ledger = ["ingest_note", "'year'", "parent_topic", "left_out_document"]
            .iter()
            .any(|name| query.contains(name));
        let count = rows.as_array().expect("rows").len();
        assert!(is_ledger || count > 0, "no rows: {query}");
    }
}

/// A column that is new is described.
#[test]
fn the_schema_page_names_every_column_of_a_run() {
    let home = Home::with_subjects();
    let store = topoi_store::Store::open(&home.store(), topoi_store::Access::Read).expect("open");
    let tables = store.table_columns().expect("tables");
    let run = tables.iter().find(|table| table.name == "run").expect("the table run");
    let page = include_str!("../../schema/README.md");
    let row = page.lines().find(|line| line.starts_with("| `run` |")).expect("its row");
    for column in &run.columns {
        assert!(row.contains(&format!("`{column}`")), "{column}: {row}");
    }
}

/// What Datasette is told: every table and column it describes is there, every query runs.
#[test]
fn datasette_is_told_of_tables_that_are_there_and_of_queries_that_run() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900"]);
    home.succeeds(&["run", "subjects", "-k", "6", "--terms", "900"]);
    let told: serde_json::Value =
        serde_json::from_str(include_str!("../../schema/datasette.json")).expect("JSON");
    let told = &told["databases"]["topoi"];
    let store = topoi_store::Store::open(&home.store(), topoi_store::Access::Read).expect("open");
    let tables = store.table_columns().expect("tables");
    let described = told["tables"].as_object().expect("tables");
    assert!(described.len() > 20);
    for (name, description) in described {
        let table = tables.iter().find(|table| table.name == *name);
        let table = table.unwrap_or_else(|| panic!("there is no table {name}"));
        for column in description["columns"].as_object().into_iter().flat_map(|all| all.keys()) {
            assert!(table.columns.contains(column), "{name} has no column {column}");
        }
    }
    let queries = told["queries"].as_object().expect("queries");
    assert!(queries.len() >= 4);
    for (name, query) in queries {
        let sql = query["sql"].as_str().expect("sql");
        let values =
            [(":other_run", "2"), (":run", "1"), (":topic", "3"), (":word", "'telescope'")];
        let filled =
            values.iter().fold(sql.to_string(), |sql, (key, value)| sql.replace(key, value));
        assert!(!filled.contains(':'), "{name}: a parameter without a value");
        let rows = store.query(&filled).unwrap_or_else(|error| panic!("{name}: {error}")).rows;
        assert!(name == "left_out" || !rows.is_empty(), "{name} finds nothing");
    }
}
