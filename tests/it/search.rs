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

/// Ten years of letters, of which the later ones have more of oil, and prices beside it.
fn letters() -> Home {
    let home = Home::new();
    let mut lines = String::new();
    for year in 1810..1820 {
        for number in 0..12 {
            let oil = if number < year - 1808 {
                "the price of crude oil rose again"
            } else {
                "nothing was said of it"
            };
            let text = format!(
                "Dear brother, in this harbour {oil} and the ships of the king came home, women and a woman sang."
            );
            lines += &format!(
                "{{\"id\": \"{year}/{number}\", \"author\": \"Ann\", \"date\": \"{year}-0{}-11\", \"price\": {number}, \"text\": \"{text}\"}}\n",
                1 + number % 9
            );
        }
    }
    home.succeeds(&["ingest", "letters", &home.file("letters.jsonl", lines.as_bytes())]);
    home
}

fn number_of(home: &Home, query: &str) -> usize {
    let search = ["search", "letters", query, "--limit", "100000", "--output", "json"];
    let by_index = keys(&home.json(&search));
    assert_eq!(by_index, keys(&home.json(&[&search[..], &["--no-index"]].concat())), "{query}");
    by_index.len()
}

#[test]
fn nearness_ranges_and_patterns_are_found_by_the_index_and_by_reading() {
    let home = letters();
    let oil: usize = (1810..1820).map(|year| year - 1808).sum();
    for (query, expected) in [
        ("oil NEAR/1 price", 0),
        ("oil NEAR/2 price", oil),
        ("price NEAR \"crude oil\" NEAR/3 rose", oil),
        ("date:1815..1816", 24),
        ("date:1815-03..1815-04", 3),
        ("date:..1810 oil", 2),
        ("price:10.. oil", 1),
        ("date:1815..1816 NOT price:2..", 4),
        ("date:1815..1816 OR price:11..", 32),
        ("wom?n", 120),
        ("*rude c*me", oil),
        ("\"the * of the king\"", 120),
        ("\"price of * oil\"", oil),
        ("\"price of c*e oil\"", oil),
        ("author:a*n", 120),
        ("what king?", 0),
    ] {
        assert_eq!(number_of(&home, query), expected, "{query}");
    }
    for wrong in [
        "oil NEAR",
        "NEAR(oil price, 5)",
        "date:1815..soon",
        "*",
        "x-y*z",
        "a NEAR/x b",
        "date:1815.. NEAR oil",
    ] {
        home.fails(&["search", "letters", wrong]);
    }
}

#[test]
fn occurrences_have_their_source_and_are_counted_by_group() {
    let home = letters();
    let query = ["search", "letters", "\"crude oil\""];
    let rows = home.json(&[&query[..], &["--kwic", "--limit", "1", "--output", "json"]].concat());
    let row = &rows[0];
    assert_eq!((&row["author"], &row["date"]), (&"Ann".into(), &"1810-01-11".into()));
    assert_eq!((&row["start"], &row["hit"]), (&43.into(), &"crude oil".into()));
    assert_eq!(row["source"], "Ann: 1810-01-11, 1810/0, characters 44\u{2013}52");
    let by = home.json(&[&query[..], &["--by", "date", "--output", "json"]].concat());
    let by = by.as_array().expect("years");
    assert_eq!(by.len(), 10);
    for (year, row) in (1810..).zip(by) {
        assert_eq!(row["date"], year.to_string());
        assert_eq!((&row["occurrences"], &row["documents"]), (&(year - 1808).into(), &12.into()));
        let rate = 1e6 * f64::from(year - 1808) / row["tokens"].as_f64().expect("tokens");
        let per_million = row["per_million"].as_f64().expect("a rate");
        assert!((per_million - rate).abs() < 1e-6 * rate);
        // Four documents are too few for an interval.
        match (row["low"].as_f64(), row["high"].as_f64()) {
            (Some(low), Some(high)) => assert!(year >= 1813 && low <= rate && rate <= high),
            ends => assert!(year < 1813 && ends == (None, None), "{row}"),
        }
    }
    home.fails(&[&query[..], &["--by", "colour"]].concat());
}

#[test]
fn words_beside_a_word_are_those_that_are_there_more_often_than_elsewhere() {
    let home = letters();
    let rows = home.json(&["collocates", "letters", "oil", "--output", "json"]);
    let row = |word: &str| {
        let rows = rows.as_array().expect("rows").iter();
        rows.clone().find(|row| row["word"] == word).cloned()
    };
    let crude = row("crude").expect("crude");
    let oil = f64::from((1810..1820).map(|year| year - 1808).sum::<i32>());
    assert_eq!((crude["together"].as_f64(), crude["before"].as_f64()), (Some(oil), Some(oil)));
    assert_eq!(crude["after"].as_f64(), Some(0.0));
    assert!(crude["log_likelihood"].as_f64() > Some(10.0));
    // Seven words away, and five.
    assert!(row("harbour").is_some() && row("brother").is_none());
    let near = home.json(&["collocates", "letters", "oil", "--span", "4", "--output", "json"]);
    let near = near.as_array().expect("rows");
    assert!(near.iter().all(|row| row["word"] != "harbour"));
    // Within a topic, documents count as much as they are of it: of both topics they sum to all.
    home.succeeds(&["run", "letters", "--model", "lr-jsmf", "-k", "2", "--terms", "20"]);
    let together = |topic: &str| {
        let of =
            ["collocates", "letters", "oil", "--run", "1", "--topic", topic, "--min-together", "0"];
        let rows = home.json(&[&of[..], &["--output", "json"]].concat());
        let rows = rows.as_array().expect("rows").iter();
        rows.clone()
            .find(|row| row["word"] == "crude")
            .map_or(0.0, |row| row["together"].as_f64().expect("tokens"))
    };
    assert!((together("0") + together("1") - oil).abs() < 1e-6 * oil);
    for wrong in [
        &["collocates", "letters", "author:ann"][..],
        &["collocates", "letters", "oil", "--run", "1", "--topic", "9"],
        &["collocates", "letters", "oil AND"],
        &["collocates", "diaries", "oil"],
    ] {
        home.fails(wrong);
    }
}
