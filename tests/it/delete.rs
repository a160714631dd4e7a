//! Deleting runs and corpora.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::Home;

fn count(home: &Home, table: &str) -> String {
    home.wait_for(&format!("SELECT count(*) FROM {table}"))
}

#[test]
fn a_run_is_deleted_with_all_it_left_and_nothing_else() {
    let home = Home::with_subjects();
    for k in ["3", "4"] {
        home.succeeds(&["run", "subjects", "-k", k]);
    }
    home.fails(&["delete", "1"]);
    assert_eq!(count(&home, "run"), "2");
    let text = home.succeeds(&["delete", "1", "--yes"]);
    assert_eq!(text, "run 1 is deleted\n");
    assert_eq!((count(&home, "run"), count(&home, "topic")), ("1".into(), "4".into()));
    for table in [
        "topic_probabilities",
        "top_term",
        "metric",
        "run_stage",
        "run_residual",
        "run_lease",
        "spectrum",
    ] {
        let of_run = count(&home, &format!("{table} WHERE run_id = 1"));
        assert_eq!(of_run, "0", "{table}");
    }
    assert!(!home.path("data/topoi/topoi.db.runs/1.log").exists());
    assert!(!home.path("data/topoi/topoi.db.runs/1.lock").exists());
    home.fails(&["delete", "1", "--yes"]);
    home.succeeds(&["topics", "2"]);
    home.succeeds(&["verify", "2"]);
}

#[test]
fn several_runs_go_together_or_not_at_all() {
    let home = Home::with_subjects();
    for k in ["3", "4", "5", "6"] {
        home.succeeds(&["run", "subjects", "-k", k]);
    }
    let runs = || count(&home, "run");
    home.fails(&["delete", "1", "9", "--yes"]);
    home.fails(&["delete", "7..9", "--yes"]);
    home.fails(&["delete", "1", "subjects", "--yes"]);
    assert_eq!(runs(), "4");
    let text = home.succeeds(&["delete", "1..2", "4", "2", "--dry-run"]);
    assert!(text.starts_with("would delete 3 runs (1, 2, 4: 13 topics, "), "{text}");
    let gone = home.json(&["delete", "1..2", "4", "--yes", "-o", "json"]);
    let numbers: Vec<u64> =
        gone.as_array().expect("a list").iter().filter_map(|run| run["run"].as_u64()).collect();
    assert_eq!((numbers, runs()), (vec![1, 2, 4], "1".into()));
}

#[test]
fn the_newest_runs_of_a_corpus_are_kept() {
    let home = Home::with_subjects();
    for k in ["3", "4", "5"] {
        home.succeeds(&["run", "subjects", "-k", k]);
    }
    home.fails(&["run", "subjects", "-k", "100000"]);
    home.fails(&["delete", "subjects", "1", "--keep-last", "2"]);
    let none = home.succeeds(&["delete", "subjects", "--keep-last", "3"]);
    assert_eq!(none, "there is no such run; nothing was deleted\n");
    let one = home.succeeds(&["delete", "subjects", "--keep-last", "2", "--yes"]);
    assert_eq!(one, "run 1 is deleted\n");
    home.succeeds(&["delete", "subjects", "--keep-last", "0", "--yes"]);
    assert_eq!(count(&home, "run"), "0");
}

#[test]
fn a_run_that_another_one_started_from_goes_with_a_word_about_that() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let file =
        home.file("more.jsonl", b"{\"id\": \"n\", \"text\": \"telescope galaxies comet\"}\n");
    home.succeeds(&["ingest", "subjects", &file]);
    home.succeeds(&["update", "1"]);
    let output = home.command(&["delete", "1", "--yes"]).output().expect("delete");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    home.keeps(&said);
    assert!(output.status.success());
}

#[test]
fn documents_of_a_file_of_keys_are_deleted_and_unknown_keys_counted() {
    let home = Home::with_subjects();
    let first = home.wait_for("SELECT key FROM document ORDER BY id LIMIT 1");
    let keys = home.file("gone.txt", format!("{first}\n\nnobody\r\nno one\n").as_bytes());
    let output = home
        .command(&["delete", "documents", "subjects", "--keys", &keys, "--yes"])
        .output()
        .expect("delete");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    home.keeps(&said);
    assert_eq!(count(&home, "document"), "255");
    home.fails(&["delete", "documents", "subjects", "--keys", "missing.txt", "--yes"]);
}

#[test]
fn a_run_that_works_is_not_deleted_and_neither_is_its_corpus() {
    let home = Home::with_subjects();
    let endless = ["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"];
    home.succeeds(&endless);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    home.succeeds(&endless);
    home.fails(&["delete", "1", "--yes"]);
    home.fails(&["delete", "subjects", "--yes"]);
    assert_eq!(count(&home, "run"), "2");
    // One that waits goes without further ado.
    home.succeeds(&["delete", "2", "--yes"]);
    home.succeeds(&["cancel", "1"]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
    home.wait_until("the corpus goes once its runs are over", || {
        home.command(&["delete", "subjects", "--yes"]).output().expect("delete").status.success()
    });
    for table in ["corpus", "document", "term", "triple", "block", "vocabulary_term", "run"] {
        assert_eq!(count(&home, table), "0", "{table}");
    }
    assert!(home.succeeds(&["check"]).contains("sound"));
    home.fails(&["delete", "subjects", "--yes"]);
}

#[test]
fn documents_are_not_deleted_under_a_run_that_works_and_one_that_waits_begins_afterwards() {
    let home = Home::with_subjects();
    let endless = ["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"];
    home.succeeds(&endless);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    let delete = ["delete", "documents", "subjects", "--where", "id < 5", "--yes"];
    home.fails(&delete);
    assert_eq!(count(&home, "document"), "256");
    home.succeeds(&["cancel", "1"]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
    home.wait_until("the documents go once the run is over", || {
        home.command(&delete).output().expect("delete").status.success()
    });
    assert_eq!(count(&home, "document"), "252");
    home.succeeds(&["run", "subjects", "-k", "3"]);
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn a_corpus_that_is_called_like_a_run_is_deleted_when_its_kind_is_said() {
    let home = Home::with_subjects();
    let file = home.file("two.txt", b"one two three\nfour five six\n");
    for name in ["1", "7"] {
        home.succeeds(&["ingest", name, &file, "--format", "lines"]);
    }
    home.succeeds(&["run", "subjects", "-k", "3"]);
    home.fails(&["delete", "1", "--yes"]);
    home.succeeds(&["delete", "1", "--kind", "corpus", "--yes"]);
    assert!(home.succeeds(&["runs"]).contains("finished"));
    assert_eq!(home.succeeds(&["delete", "7", "--yes"]), "corpus 7 is deleted, and its 0 runs\n");
    home.fails(&["delete", "subjects", "--kind", "run"]);
}

#[test]
fn without_a_terminal_an_answer_on_standard_input_is_no_consent() {
    let home = Home::with_subjects();
    let mut child = home
        .command(&["delete", "subjects"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("delete");
    // It may not even read it.
    let _ = child.stdin.take().expect("stdin").write_all(b"y\n");
    assert_eq!(child.wait_with_output().expect("delete").status.code(), Some(1));
    assert_eq!(count(&home, "corpus"), "1");
}

#[test]
fn what_goes_is_counted_by_a_dry_run_that_deletes_nothing() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let before = home.dump();
    let words = count(&home, "topic_term").parse::<u64>().expect("a number");
    let run = home.json(&["delete", "1", "--dry-run", "-o", "json"]);
    assert_eq!((&run["topics"], &run["words"]), (&3.into(), &words.into()));
    let corpus = home.json(&["delete", "subjects", "--dry-run", "-o", "json"]);
    let saved = &home.json(&["corpora", "-o", "json"])[0];
    for name in ["documents", "tokens", "terms"] {
        assert_eq!(corpus[name], saved[name], "{name}");
    }
    assert_eq!(corpus["runs"], 1);
    assert_eq!(
        home.succeeds(&["delete", "subjects", "--dry-run"]),
        "would delete corpus subjects (256 documents, 13,185 tokens, 4,882 terms, 0 vocabularies, \
         1 run); nothing was deleted\n"
    );
    let all = ["delete", "documents", "subjects", "--where", "1"];
    let documents = home.json(&[&all[..], &["--dry-run", "-o", "json"]].concat());
    assert_eq!(
        (&documents[0]["tokens"], &documents[0]["documents_left"]),
        (&13_185.into(), &0.into())
    );
    home.fails(&all);
    assert_eq!(home.dump(), before);
}

#[test]
fn a_corpus_that_an_ingest_fills_is_not_deleted_and_neither_are_its_documents() {
    let home = Home::with_subjects();
    let pipe = home.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let ingest = ["ingest", "subjects", &pipe.to_string_lossy(), "--format", "jsonl"];
    let ingest = home.command(&ingest).stdout(Stdio::null()).spawn().expect("ingest");
    let mut source = std::fs::OpenOptions::new().write(true).open(&pipe).expect("pipe");
    source.write_all(b"{\"id\": \"new\", \"text\": \"telescope galaxies\"}\n").expect("write");
    // While the pipe says nothing it commits, and leaves the write lock to others.
    home.wait_for("SELECT id FROM ingest WHERE status = 'running'");
    home.fails(&["delete", "subjects", "--yes"]);
    home.fails(&["delete", "documents", "subjects", "--where", "1", "--yes"]);
    drop(source);
    assert!(ingest.wait_with_output().expect("wait").status.success());
    assert_eq!(count(&home, "document"), "257");
    home.succeeds(&["delete", "subjects", "--yes"]);
    assert_eq!((count(&home, "document"), count(&home, "ingest")), ("0".into(), "0".into()));
}
