//! Lists of words, and of what was left out.

use super::terms;
use crate::common::Home;

#[test]
fn lists_of_words_are_read_in_any_encoding() {
    let home = Home::new();
    let latin = home.file("latin.txt", b"# remark\ncaf\xe9\nth\xe9\n");
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("caf\u{e9}\nth\u{e9}\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let wide = home.file("wide.txt", &wide);
    let marked = home.file("marked.txt", "\u{feff}caf\u{e9}\r\nth\u{e9}\r\n".as_bytes());
    for list in [latin, wide, marked] {
        let options = ["--stop-words", list.as_str()];
        assert_eq!(terms("a.txt", "café thé ships".as_bytes(), &options), "ships", "{list}");
    }
    let map = home.file("map.txt", b"caf\xe9s\tcaf\xe9\n");
    let options = ["--map", map.as_str(), "--stop-words", "none"];
    assert_eq!(terms("a.txt", "cafés café".as_bytes(), &options), "café");
    let join = home.file("join.txt", b"caf\xe9 noir\n");
    let options = ["--join", join.as_str(), "--stop-words", "none"];
    assert_eq!(terms("a.txt", "café noir".as_bytes(), &options), "café_noir");
}

#[test]
fn what_is_left_out_is_listed_with_the_reason_and_the_place() {
    let home = Home::new();
    let lines = "{\"id\": \"a\", \"text\": \"ships sea\"}\n{\"id\": \"b\", \"text\": \"the of\"}\nnothing\n\
        {\"id\": \"a\", \"text\": \"bread\"}\n";
    let file = home.file("a.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "c", &file, "--on-error", "skip"]);
    let found = home.json(&["left-out", "c", "-o", "json"]);
    let of = |name: &str| -> Vec<String> {
        let rows = found.as_array().expect("a list").iter();
        rows.map(|row| row[name].as_str().expect("a text").to_string()).collect()
    };
    assert_eq!(of("kind"), ["empty", "malformed", "duplicate"]);
    assert!(of("place")[1].ends_with("a.jsonl:3"), "{:?}", of("place"));
    home.succeeds(&["ingest", "c", &file, "--on-error", "skip"]);
    let all = home.json(&["left-out", "c", "--all", "-o", "json"]);
    assert!(all.as_array().is_some_and(|rows| rows.iter().any(|row| row["kind"] == "unchanged")));
    home.succeeds(&["ingest", "d", &home.file("b.txt", b"ships")]);
    assert!(home.said(&["left-out", "d"]).contains("nothing was left out"));
}

/// What a command says on standard error.
fn said(home: &Home, args: &[&str]) -> String {
    let output = home.command(args).output().expect("run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn lines_of_lists_that_match_nothing_are_named() {
    let home = Home::new();
    let text = home.file("a.txt", b"Ships of New York and mice");
    let stop = home.file("stop.txt", b"ships\nboats\n");
    let map = home.file("map.txt", b"mice,mouse\ngeese,goose\n");
    let join = home.file("join.txt", b"new york\nlos angeles\n");
    let lists =
        ["--stop-words", &format!("en,{stop}"), "--map", &map, "--join", &join, "--drop", "rafts"];
    let told = said(&home, &[&["ingest", "c", &text][..], &lists].concat());
    for line in [
        "2 lines of --stop-words or --drop in no text: boats, rafts",
        "1 line of --map in no text: geese",
        "1 line of --join in no text: los_angeles",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // Added to, a corpus has them elsewhere.
    let more = home.file("b.txt", b"mice again");
    assert!(!said(&home, &["ingest", "c", &more]).contains("in no text"));
}

#[test]
fn a_list_that_has_changed_is_told_by_what_is_in_it() {
    let home = Home::new();
    let text = home.file("a.txt", b"Ships of New York and mice");
    for (option, before, after, expected) in [
        (
            "--map",
            "mice,mouse\n",
            "mice,rat\ngeese,goose\n",
            "lacks \"mice mouse\" and adds 2, such as \"geese goose\"",
        ),
        ("--join", "new york\nlos angeles\n", "new york\n", "lacks \"los angeles\""),
        ("--stop-words", "ships\n", "ships\nmice\n", "adds \"mice\""),
    ] {
        let list = home.file("list.txt", before.as_bytes());
        let corpus = &option[2..];
        home.succeeds(&["ingest", corpus, &text, option, &list]);
        home.file("list.txt", after.as_bytes());
        let refused = home.fails(&["ingest", corpus, &text, option, &list]);
        assert!(refused.contains(expected), "{refused}");
        home.succeeds(&["ingest", corpus, &text]);
    }
}

#[test]
fn the_same_text_under_another_key_is_told() {
    let home = Home::new();
    let text = "The ship sailed to the harbour with its captain, and came back in spring.";
    let rows = format!("id,text\n1,\"{text}\"\n2,other words\n3,\"{text}\"\n");
    let rows = home.file("a.csv", rows.as_bytes());
    assert!(said(&home, &["ingest", "c", &rows]).contains(
        "1 document has the text of another under another key, such as \"3\" that of \"1\""
    ));
    let files = home.path("texts");
    std::fs::create_dir(&files).expect("folder");
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(files.join(name), text).expect("write");
    }
    let files = files.display().to_string();
    assert!(said(&home, &["ingest", "d", &files]).contains("2 documents have the text of another"));
    assert!(said(&home, &["ingest", "e", &files, "--chunk", "5"]).contains("2 documents have"));
    assert!(
        !said(&home, &["ingest", "f", &home.file("b.csv", b"id,text\n1,a ship\n2,a ship\n")])
            .contains("of another")
    );
}

#[test]
fn a_text_that_is_cut_into_chunks_is_one_document() {
    let home = Home::new();
    let text =
        home.file("novel.txt", "one two three four\nfive six seven eight\n".repeat(4).as_bytes());
    home.succeeds(&["ingest", "c", &text, "--chunk", "8", "--stop-words", "none"]);
    let count = |corpus: &str| {
        let query = format!(
            "SELECT count(*) AS n, min(key) AS key FROM document JOIN corpus ON corpus.id = corpus_id WHERE name = '{corpus}'"
        );
        home.json(&["sql", &query, "-o", "json"])[0].clone()
    };
    assert_eq!(count("c"), serde_json::json!({ "n": 4, "key": "novel.txt#0001" }));
    // So is the next one; --format lines makes a document of each line.
    let next =
        home.file("next.txt", "one two three four five six seven eight nine ten\n".as_bytes());
    home.succeeds(&["ingest", "c", &next]);
    assert_eq!(count("c")["n"], 5);
    home.succeeds(&[
        "ingest",
        "l",
        &text,
        "--chunk",
        "2",
        "--format",
        "lines",
        "--stop-words",
        "none",
    ]);
    assert_eq!(count("l")["n"], 16);
}

#[test]
fn stop_words_that_are_meant_are_told_of_once() {
    let home = Home::new();
    let rows: Vec<String> = (0..40)
        .map(|n| format!("{{\"id\": \"{n}\", \"counts\": {{\"the\": 3, \"and\": 2, \"with\": 1, \"from\": 1, \"have\": 1, \"been\": 1, \"word{n}\": 2}}}}"))
        .collect();
    let rows = home.file("a.jsonl", rows.join("\n").as_bytes());
    let told = said(&home, &["ingest", "c", &rows]);
    assert!(told.contains("topoi stop-words --keep CORPUS"), "{told}");
    home.succeeds(&["stop-words", "--keep", "c"]);
    assert!(!said(&home, &["ingest", "c", &rows]).contains("stop words of"));
    assert!(home.fails(&["stop-words", "--keep", "nosuch"]).contains("nosuch"));
}
