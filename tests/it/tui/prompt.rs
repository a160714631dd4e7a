//! Queries, documents, copying, exporting, coming back.

use std::path::Path;

use super::pty::Session;
use super::{Filled, TOPOI};

fn open_in(directory: &Path, store: &Filled) -> Session {
    Session::start_in(directory, TOPOI, &["--store", store.path()])
}

fn directory_of(store: &Filled) -> &Path {
    store.path.parent().expect("a directory")
}

/// Presses Escape and waits for what it shows: a key that follows at once would be read as Alt and
/// that key.
fn escape_to(session: &mut Session, shown: &str) {
    session.send("\x1b");
    session.wait_for(shown);
}

/// What the footer says while the keys go to the rows of a query.
const ROWS: &str = "Tab query";

#[test]
fn a_query_is_completed_answered_scrolled_and_remembered() {
    let store = Filled::new();
    let directory = directory_of(&store);
    let mut session = open_in(directory, &store);
    session.wait_for("novels");
    session.send("8");
    session.wait_for("document_text");
    session.send("select * from document_te\t");
    session.wait_for("from document_text");
    session.send("\x15select id, key, title from documen\t");
    session.wait_for("title from document");
    session.send(" where id <= 3\r");
    session.wait_for("3 rows");
    session.wait_for("nips-0003");
    session.send("\x1b");
    session.wait_for("1 of 3");
    session.send("l");
    session.wait_for("columns 2-3 of 3");
    session.send("/q");
    session.wait_for("/q");
    session.send("\x03\x03\x03");
    assert_eq!(session.exit_code(), 0);
    let mut session = open_in(directory, &store);
    session.wait_for("SQL, read only");
    session.send("\x15\x1b[A");
    session.wait_for("where id <= 3");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_query_that_is_wrong_or_writes_or_never_ends_keeps_nobody_waiting() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("8");
    session.send("selec 1\r");
    session.wait_for("syntax error");
    session.send("\x15delete from run\r");
    session.wait_for("this statement writes");
    session.send("\x15with recursive n(i) as (select 1 union all select i + 1 from n) ");
    session.send("select count(*) from n\r");
    session.wait_for("Ctrl-C interrupts it");
    escape_to(&mut session, ROWS);
    session.send("4");
    session.wait_for("losing the connection stops no run");
    session.send("8\t");
    session.wait_for("Ctrl-C interrupts it");
    session.send("\x03");
    session.wait_for("sql: interrupted");
    session.send("\x15select 6 * 7 as answer\r");
    session.wait_for("1 row");
    session.wait_for("42");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_document_is_read_with_the_topics_of_its_words() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("2");
    session.wait_for("> nips-0001");
    session.send("\r");
    session.wait_for("A kernel is a function of two points.");
    session.wait_for("run 1");
    session.send("#");
    session.wait_for("neuron\u{b9}");
    session.send("]");
    session.wait_for("nips-0002");
    session.wait_for("count");
    session.send("[w");
    session.wait_for("count");
    session.send("q");
    session.wait_for("nips: 450 documents");
    session.send("qq");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn a_row_is_copied_through_the_terminal_and_all_rows_are_exported() {
    let store = Filled::new();
    let directory = directory_of(&store);
    let mut session = open_in(directory, &store);
    session.wait_for("novels");
    session.send("8select 'kernel', 7\r");
    session.wait_for("1 row");
    escape_to(&mut session, ROWS);
    session.send("y");
    // "kernel\t7\n" in base64.
    session.wait_for_bytes(b"\x1b]52;c;a2VybmVsCTcK\x07");
    session.wait_for("copied 9 bytes through OSC 52");
    session.send("2/part 45");
    session.wait_for("2 of 450 match");
    session.send("\re");
    session.wait_for("nips-documents.csv?");
    session.send("y");
    session.wait_for("2 rows written to");
    session.send("E");
    session.wait_for("nips-documents.json?");
    session.send("y");
    session.wait_for("2 rows written to");
    let read = |name: &str| std::fs::read_to_string(directory.join(name)).expect("a file");
    let csv = read("nips-documents.csv");
    assert!(csv.starts_with("id,key,title,tokens,source\n45,nips-0045,"), "{csv}");
    assert_eq!(csv.lines().count(), 3);
    let json: serde_json::Value = serde_json::from_str(&read("nips-documents.json")).expect("json");
    assert_eq!(json[1]["key"], "nips-0450");
    escape_to(&mut session, "1 of 450");
    session.send("\x03\x03");
    assert_eq!(session.exit_code(), 0);
}

#[test]
fn lists_are_sorted_by_the_column_whose_name_has_an_arrow() {
    let store = Filled::new();
    let mut session = store.open();
    session.send("2s");
    session.wait_for("key\u{2191}");
    session.send("S");
    session.wait_for("key\u{2193}");
    session.wait_for("> nips-0450");
    session.send("qq");
    assert_eq!(session.exit_code(), 0);
}
