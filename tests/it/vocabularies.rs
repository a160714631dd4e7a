//! Choosing terms and deleting documents on the command line.

use crate::common::Home;

#[test]
fn a_vocabulary_is_counted_named_and_used_by_a_run() {
    let home = Home::with_subjects();
    let stop = home.file("stop.txt", b"telescope\n\n");
    let rules = ["terms", "subjects", "--min-documents", "3", "--stop-list", &stop];
    let all = [&rules[..], &["--limit", "5000", "-o", "json"]].concat();
    let output = home.command(&all).output().expect("run");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    home.keeps(&told);
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = rows.as_array().expect("rows");
    // What is dropped comes last.
    assert!(rows.is_sorted_by_key(|row| !row["dropped_by"].is_null()), "{rows:?}");
    let kept = rows.iter().filter(|row| row["dropped_by"].is_null());
    let kept: Vec<&str> = kept.map(|row| row["term"].as_str().expect("a term")).collect();
    assert!(rows.iter().all(|row| {
        let frequent = row["document_frequency"].as_u64().expect("a number") >= 3;
        row["dropped_by"].is_null() == (frequent && row["term"] != "telescope")
    }));
    home.succeeds(&[&rules[..], &["--save", "core"]].concat());
    let saved = home.json(&["vocabularies", "subjects", "-o", "json"]);
    assert_eq!(saved[0]["terms"].as_u64(), Some(kept.len() as u64));
    home.succeeds(&["run", "subjects", "-k", "8", "--vocabulary", "core"]);
    let used = home.succeeds(&[
        "sql",
        "SELECT term.text FROM vocabulary_term JOIN term ON term.id = term_id \
         JOIN run ON run.vocabulary_id = vocabulary_term.vocabulary_id AND run.id = 1",
        "-o",
        "csv",
    ]);
    let mut used: Vec<&str> = used.lines().skip(1).collect();
    let mut kept = kept;
    used.sort_unstable();
    kept.sort_unstable();
    assert_eq!(used, kept);
    let few = ["run", "subjects", "-k", "2", "--matching", "t.*", "--by", "count", "--terms", "30"];
    home.succeeds(&few);
    home.fails(&["run", "subjects", "-k", "8", "--vocabulary", "cor"]);
    home.fails(&["run", "subjects", "-k", "8", "--matching", "["]);
    home.fails(&["run", "subjects", "-k", "9", "--matching", "telescope"]);
}

#[test]
fn documents_are_deleted_by_key_and_by_sql() {
    let home = Home::new();
    let file =
        home.file("a.csv", b"id,text,year\n1,stars and moons,1990\n2,kings,2001\n3,moons,2002\n");
    let json = home.json(&["ingest", "tales", &file, "--output", "json"]);
    assert_eq!(json["counts"]["added"], 3);
    assert_eq!(json["sources"][0]["format"], "csv");
    let csv = home.succeeds(&["ingest", "tales", &file, "--output", "csv"]);
    assert!(csv.starts_with("source,format,added,replaced,skipped"), "{csv}");
    let recent = "fields->>'year' > 2000";
    let counted = home.succeeds(&["delete", "documents", "tales", "--where", recent, "--dry-run"]);
    let would = "would delete 2 documents, 2 tokens of the 3 documents of corpus tales; nothing was deleted\n";
    assert_eq!(counted, would);
    // All of them go no sooner than a single run.
    home.fails(&["delete", "documents", "tales", "--where", "1"]);
    assert_eq!(home.json(&["corpora", "-o", "json"])[0]["documents"], 3);
    let deleted =
        home.json(&["delete", "documents", "tales", "--key", "1", "2", "--yes", "-o", "json"]);
    assert_eq!((&deleted[0]["documents"], &deleted[0]["documents_left"]), (&2.into(), &1.into()));
    home.fails(&["delete", "documents", "tales", "--key", "1"]);
    home.fails(&["delete", "documents", "tales", "--where", "colour = 1"]);
    assert!(home.succeeds(&["check"]).starts_with("the store is sound: 1 triples"));
}
