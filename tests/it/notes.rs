//! Notes and bookmarks on the command line: on anything, kept, listed, exported with their sources.

use crate::common::Home;

/// Three letters with authors and dates, and a run of them.
fn home() -> Home {
    let home = Home::new();
    let letter = |id: &str, author: &str, date: &str, text: &str| {
        format!(
            "{{\"id\": \"{id}\", \"title\": \"To {id}\", \"author\": \"{author}\", \"date\": \"{date}\", \"text\": {text:?}}}\n"
        )
    };
    let long =
        "The harbour was full of ships. We saw the king\n  and queen of the island. Rain fell.";
    let mut letters = letter("a/1", "Ann Lee", "1815-06-18", long);
    for number in 2..30 {
        let text = format!(
            "The harbour of town {number} has ships and the king sails to war with rain and wind."
        );
        letters += &letter(&format!("b/{number}"), "Bob", "1816", &text);
    }
    let file = home.file("letters.jsonl", letters.as_bytes());
    home.succeeds(&["ingest", "letters", &file]);
    home.succeeds(&["run", "letters", "--model", "svd", "-k", "2"]);
    home
}

#[test]
fn anything_is_noted_once_and_listed_with_its_source() {
    let home = home();
    let by = ["--by", "Ann"];
    let note = |arguments: &[&str]| home.succeeds(&[&["note"], arguments, &by].concat());
    home.keeps(&note(&["all of them", "--corpus", "letters"]));
    home.keeps(&note(&["first try", "--run", "1"]));
    home.keeps(&note(&["harbours?", "--run", "1", "--topic", "1"]));
    home.keeps(&note(&["", "--corpus", "letters", "--document", "b/2"]));
    let quote = ["--corpus", "letters", "--document", "a/1", "--quote", "the king and queen"];
    home.keeps(&note(&[&["who?"], &quote[..]].concat()));
    home.keeps(&note(&["sea words", "--corpus", "letters", "--word", "harbour"]));
    // A second note on the same takes the place of the first, and says what that was.
    home.keeps(&note(&[&["George and Charlotte"], &quote[..]].concat()));
    let all = home.json(&["notes", "-o", "json"]);
    let rows = all.as_array().expect("a list");
    let about: Vec<&str> = rows.iter().filter_map(|row| row["about"].as_str()).collect();
    assert_eq!(about, ["corpus", "document", "passage", "run", "topic", "word"]);
    let passage = &rows[2];
    // The quote is as the text has it.
    assert_eq!(passage["quote"], "the king\n  and queen");
    assert_eq!((&passage["start"], &passage["state"]), (&38.into(), &"present".into()));
    assert_eq!(passage["note"], "George and Charlotte");
    let source = "Ann Lee: \u{201c}To a/1\u{201d}, 1815-06-18, a/1, characters 39\u{2013}58";
    assert_eq!(passage["source"], source);
    let day = &rows[0]["written_at"].as_str().expect("a time")[..10];
    home.keeps(&home.succeeds(&["notes", "--markdown"]).replace(day, "TODAY"));
    assert_eq!(home.json(&["notes", "queen", "-o", "json"]).as_array().map(Vec::len), Some(1));
    assert_eq!(home.json(&["notes", "--run", "1", "-o", "json"]).as_array().map(Vec::len), Some(2));
    // What a run is noted for is in lists of runs, too.
    assert_eq!(home.json(&["runs", "-o", "json"])[0]["note"], "first try");
    home.succeeds(&["note", "--run", "1", "--remove"]);
    assert!(home.json(&["runs", "-o", "json"])[0]["note"].is_null());
    home.succeeds(&[&["note", "--remove"], &quote[..]].concat());
    assert_eq!(home.json(&["notes", "-o", "json"]).as_array().map(Vec::len), Some(4));
    home.succeeds(&["check"]);
}

#[test]
fn a_note_outlives_its_document_and_goes_with_its_run_that_says_so() {
    let home = home();
    let of = ["--corpus", "letters", "--document", "a/1", "--by", "Ann"];
    home.succeeds(&[&["note", "x", "--quote", "king and"], &of[..]].concat());
    home.succeeds(&[&["note", "y", "--quote", "Rain fell."], &of[..]].concat());
    home.succeeds(&["note", "z", "--run", "1", "--topic", "0", "--by", "Ann"]);
    let state = |place: usize| home.json(&["notes", "-o", "json"])[place]["state"].clone();
    let text =
        "A word before. The harbour was full of ships. We saw the queen of the island. Rain fell.";
    let changed = format!("{{\"id\": \"a/1\", \"text\": {text:?}}}\n");
    let file = home.file("letters.jsonl", changed.as_bytes());
    home.succeeds(&["ingest", "letters", &file]);
    assert_eq!((state(0), state(1)), ("changed".into(), "moved".into()));
    home.succeeds(&["delete", "documents", "letters", "--key", "a/1", "--yes"]);
    assert_eq!((state(0), state(1)), ("gone".into(), "gone".into()));
    assert_eq!(home.json(&["notes", "-o", "json"])[1]["quote"], "Rain fell.");
    home.fails(&[&["note", "x", "--quote", "Rain"], &of[..]].concat());
    // A run with notes is not deleted without saying how many go with it.
    home.keeps(&home.succeeds(&["delete", "1", "--dry-run"]));
    home.succeeds(&["delete", "1", "--yes"]);
    assert_eq!(home.json(&["notes", "-o", "json"]).as_array().map(Vec::len), Some(2));
    home.keeps(&home.succeeds(&["delete", "letters", "--dry-run"]));
}

#[test]
fn what_cannot_be_noted_is_refused_in_a_line() {
    let home = home();
    let corpus = ["--corpus", "letters"];
    for wrong in [
        &["note", "x", "--corpus", "diaries"][..],
        &["note", "x", "--run", "7"],
        &["note", "x", "--run", "1", "--topic", "2"],
        &[&["note", "x", "--document", "c/1"], &corpus[..]].concat(),
        &[&["note", "x", "--document", "a/1", "--quote", "king queen"], &corpus[..]].concat(),
        &[&["note", "x", "--document", "a/1", "--quote", " "], &corpus[..]].concat(),
        &[&["note", "x", "--word", " "], &corpus[..]].concat(),
        &[&["note", "--remove"], &corpus[..]].concat(),
        &[&["note", "--remove", "--document", "a/1", "--quote", "king"], &corpus[..]].concat(),
        &["notes", "--corpus", "diaries"],
        &["notes", "--run", "7"],
    ] {
        home.fails(wrong);
    }
    // What is no name, and a note on nothing, are wrong as arguments.
    for wrong in [
        &["note", "x", "--by", "\u{7}", "--corpus", "letters"][..],
        &["note", "x", "--corpus", "letters", "--document", "a/1", "--citation", "{author"],
        &["note", "x"],
    ] {
        let output = home.command(wrong).output().expect("run");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(home.json(&["notes", "-o", "json"]).as_array().map(Vec::len), Some(0));
    home.keeps(&home.succeeds(&["notes"]));
}

#[test]
fn sources_are_cited_in_the_form_that_is_set() {
    let home = home();
    let of = ["note", "x", "--corpus", "letters", "--document", "a/1", "--by", "Ann"];
    let source = || home.json(&["notes", "-o", "json"])[0]["source"].clone();
    home.succeeds(
        &[&of[..], &["--citation", "{author} ({date})[, {publisher}]: {title}"]].concat(),
    );
    assert_eq!(source(), "Ann Lee (1815-06-18): To a/1");
    std::fs::create_dir_all(home.path(".config/topoi")).expect("a directory");
    home.file(".config/topoi/config.toml", b"citation = \"{key} in {corpus}\"\n");
    home.succeeds(&of);
    assert_eq!(source(), "a/1 in letters");
}
