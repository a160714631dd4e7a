//! `search` and `similar` as they are typed, and the index through whatever becomes of its store.

use std::process::Stdio;
use std::time::Duration;

use rand::RngExt;
use rusqlite::Connection;
use serde_json::Value;
use topoi_core::random::stream;

use crate::common::Home;

fn keys(rows: &Value) -> Vec<String> {
    let rows = rows.as_array().expect("rows").iter();
    let mut keys: Vec<String> =
        rows.map(|row| row["key"].as_str().expect("a key").to_string()).collect();
    keys.sort();
    keys
}

/// The keys of all documents that have a query, by the index; reading all texts finds the same.
fn found(home: &Home, query: &str) -> Vec<String> {
    let search = ["search", "subjects", query, "--limit", "100000", "--output", "json"];
    let by_index = keys(&home.json(&search));
    let by_reading = keys(&home.json(&[&search[..], &["--no-index"]].concat()));
    assert_eq!(by_index, by_reading, "{query}");
    by_index
}

#[test]
fn what_is_wrong_with_a_search_is_told_in_one_line() {
    let home = Home::with_subjects();
    home.file("docword.c.txt", b"1\n1\n1\n1 1 2\n");
    home.file("vocab.c.txt", b"word\n");
    home.succeeds(&["ingest", "counted", &home.path("docword.c.txt").to_string_lossy()]);
    for arguments in [
        &["search", "subjects", "market AND"][..],
        &["search", "subjects", "NOT market"],
        &["search", "subjects", "\"market"],
        &["search", "subjects", "colour:red"],
        &["search", "counted", "word"],
        &["search", "objects", "word"],
        &["similar", "subjects", "astronomy-01"],
        &["similar", "--words", "subjects", "k"],
        &["similar", "7", "astronomy-01"],
    ] {
        home.fails(arguments);
    }
}

#[test]
fn the_index_is_made_by_the_first_search_and_kept_up_through_what_follows() {
    let home = Home::with_subjects();
    let before = found(&home, "market");
    assert!(before.len() > 3);
    let more = "{\"id\": \"astronomy-01\", \"text\": \"market of the stars\"}\n\
                {\"id\": \"new\", \"text\": \"a market\", \"shelf\": 7}\n";
    home.succeeds(&["ingest", "subjects", &home.file("more.jsonl", more.as_bytes())]);
    let after = found(&home, "market");
    assert_eq!(after.len(), before.len() + 2);
    assert_eq!(found(&home, "\"market of the stars\""), ["astronomy-01"]);
    assert_eq!(found(&home, "shelf:7"), ["new"]);
    home.succeeds(&["delete", "documents", "subjects", "--key", "new", "--yes"]);
    assert_eq!(found(&home, "market").len(), before.len() + 1);
    home.succeeds(&["check"]);
    let copy = home.path("copy.db").to_string_lossy().into_owned();
    home.succeeds(&["backup", &copy]);
    let of_copy = ["--store", &copy, "search", "subjects", "market", "--limit", "1000"];
    assert_eq!(keys(&home.json(&[&of_copy[..], &["-o", "json"]].concat())), found(&home, "market"));
    let parts = home.path("parts").to_string_lossy().into_owned();
    home.succeeds(&["shard", "subjects", "--parts", "2", "--into", &parts]);
    let mut of_parts = Vec::new();
    for part in 0..2 {
        let store = format!("{parts}/part-{part}.db");
        let rows = home.json(&["--store", &store, "search", "subjects", "market", "-o", "json"]);
        of_parts.extend(keys(&rows));
    }
    of_parts.sort();
    assert_eq!(of_parts, found(&home, "market"));
    home.succeeds(&["delete", "--kind", "corpus", "subjects", "--yes"]);
    home.succeeds(&["check"]);
}

#[test]
fn a_store_that_cannot_be_written_is_searched_by_reading() {
    let home = Home::with_subjects();
    let expected = found(&home, "market");
    home.succeeds(&["sql", "--write", "DELETE FROM search_index"]);
    let connection = Connection::open(home.store()).expect("open");
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("checkpoint");
    drop(connection);
    let mut permissions = std::fs::metadata(home.store()).expect("there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(home.store(), permissions).expect("set");
    let rows = home.json(&["search", "subjects", "market", "--limit", "1000", "-o", "json"]);
    assert_eq!(keys(&rows), expected);
}

#[test]
fn a_damaged_index_is_told_in_one_line_and_made_anew() {
    let home = Home::with_subjects();
    let expected = found(&home, "market");
    let connection = Connection::open(home.store()).expect("open");
    let damage = "UPDATE topoi_search_1_data SET block = substr(block, 1, 9) WHERE id > 10";
    assert!(connection.execute(damage, []).expect("damaged") > 0);
    drop(connection);
    home.fails(&["search", "subjects", "market"]);
    let output = home.command(&["check"]).output().expect("check");
    assert_eq!(output.status.code(), Some(1));
    home.succeeds(&["search", "subjects", "market", "--rebuild"]);
    assert_eq!(found(&home, "market"), expected);
    home.succeeds(&["check"]);
}

#[test]
fn tables_that_are_called_like_an_index_and_are_none_are_refused() {
    for foreign in [
        "CREATE TABLE topoi_search_1 (words, fields)",
        "CREATE TABLE topoi_search_7_data (id INTEGER PRIMARY KEY, block BLOB)",
    ] {
        let home = Home::with_subjects();
        Connection::open(home.store()).and_then(|c| c.execute_batch(foreign)).expect("made");
        home.fails(&["search", "subjects", "market"]);
    }
    let home = Home::with_subjects();
    found(&home, "market");
    let trigger = "CREATE TRIGGER t AFTER INSERT ON topoi_search_1_idx BEGIN SELECT 1; END";
    Connection::open(home.store()).and_then(|c| c.execute_batch(trigger)).expect("made");
    home.fails(&["corpora"]);
}

#[test]
fn an_index_agrees_with_the_documents_whenever_an_ingest_into_it_is_killed() {
    let home = Home::with_subjects();
    found(&home, "market");
    let mut rng = stream(5, "words and moments");
    let mut line = |id: usize| {
        let words: Vec<String> =
            (0..40).map(|_| format!("w{}", rng.random_range(0..900_u32))).collect();
        format!("{{\"id\": \"k{}\", \"text\": \"market {}\"}}\n", id % 1500, words.join(" "))
    };
    for round in 0..4 {
        let lines: String = (0..1500).map(|id| line(id + 700 * round)).collect();
        let file = home.file("more.jsonl", lines.as_bytes());
        let mut ingest = home.command(&["ingest", "subjects", &file, "--batch-kb", "20"]);
        let mut child = ingest.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("start");
        let documents = || home.json(&["sql", "SELECT count(*) AS n FROM document", "-o", "json"]);
        let before = documents();
        // Somewhere among its batches: after the first of them is there.
        home.wait_until("a batch or the end", || {
            documents() != before || child.try_wait().expect("wait").is_some()
        });
        std::thread::sleep(Duration::from_millis(7 * round as u64));
        let _ = child.kill();
        child.wait().expect("wait");
        home.succeeds(&["check"]);
        assert!(!found(&home, "market").is_empty());
        assert_eq!(found(&home, "w1 OR w2 NOT w3"), found(&home, "w1 OR (w2 NOT w3)"));
    }
}

#[test]
fn the_document_itself_is_not_like_itself_and_the_nearest_come_first() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "4", "--terms", "120"]);
    for of in
        [&["similar", "1", "astronomy-01"][..], &["similar", "--words", "subjects", "astronomy-01"]]
    {
        let rows = home.json(&[of, &["--output", "json"]].concat());
        let rows = rows.as_array().expect("rows");
        let distances: Vec<f64> =
            rows.iter().map(|row| row["distance"].as_f64().expect("a number")).collect();
        assert!(distances.len() == 20 && distances.is_sorted(), "{distances:?}");
        assert!(distances.iter().all(|distance| (0.0..=1.0).contains(distance)));
        assert!(rows.iter().all(|row| row["key"] != "astronomy-01"));
        let alike = rows
            .iter()
            .take(5)
            .filter(|row| row["key"].as_str().expect("a key").starts_with("astronomy"));
        assert!(alike.count() >= 3, "{rows:?}");
    }
}
