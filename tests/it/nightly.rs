//! `ingest --exactly` and `nightly`.

use serde_json::Value;

use crate::common::Home;

fn said(home: &Home, arguments: &[&str]) -> (bool, String) {
    let output = home.command(arguments).output().expect("run");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn keys(home: &Home) -> Vec<String> {
    let rows = home.json(&["sql", "SELECT key FROM document ORDER BY key", "-o", "json"]);
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| row["key"].as_str().expect("a key").to_string()).collect()
}

fn lines(numbers: impl IntoIterator<Item = u32>) -> String {
    let text =
        |n: u32| format!("{{\"id\": \"d{n:02}\", \"text\": \"pawn king rook board game {n}\"}}\n");
    numbers.into_iter().map(text).collect()
}

#[test]
fn what_is_not_in_the_sources_is_deleted_but_not_most_of_a_corpus_nor_after_what_could_not_be_read()
{
    let home = Home::new();
    home.succeeds(&["ingest", "c", &home.file("a.jsonl", lines(0..10).as_bytes())]);
    let some = home.file("b.jsonl", lines((2..9).chain([11])).as_bytes());
    let report = home.json(&["ingest", "c", &some, "--exactly", "-o", "json"]);
    assert_eq!(report["counts"]["deleted"], 3, "{report}");
    let expected: Vec<String> = (2..9).chain([11]).map(|n| format!("d{n:02}")).collect();
    assert_eq!(keys(&home), expected);
    home.succeeds(&["check"]);
    // The same again changes nothing.
    let report = home.json(&["ingest", "c", &some, "--exactly", "-o", "json"]);
    assert_eq!(
        (&report["counts"]["deleted"], &report["counts"]["skipped"]),
        (&0.into(), &8.into())
    );

    let few = home.file("few.jsonl", lines(2..5).as_bytes());
    let (ended, told) = said(&home, &["ingest", "c", &few, "--exactly"]);
    assert!(!ended);
    home.keeps(&told);
    assert_eq!(keys(&home).len(), 8);
    let broken = home.file("broken.jsonl", format!("{}nonsense\n", lines(2..9)).as_bytes());
    let (ended, told) = said(&home, &["ingest", "c", &broken, "--exactly", "--on-error", "skip"]);
    assert!(!ended);
    home.keeps(&told);
    assert_eq!(keys(&home).len(), 8);
    home.succeeds(&["ingest", "c", &few, "--exactly", "--yes"]);
    assert_eq!(keys(&home), ["d02", "d03", "d04"]);
    home.succeeds(&["check"]);
}

#[test]
fn chunks_go_with_the_documents_that_they_are_of() {
    let home = Home::new();
    let text = |n: u32| {
        format!("{{\"id\": \"d{n}\", \"text\": \"pawn king rook\\n\\nboard game {n}\"}}\n")
    };
    let all: String = (0..4).map(text).collect();
    home.succeeds(&["ingest", "c", &home.file("a.jsonl", all.as_bytes()), "--chunk", "paragraphs"]);
    let some: String = (1..4).map(text).collect();
    home.succeeds(&["ingest", "c", &home.file("b.jsonl", some.as_bytes()), "--exactly"]);
    let count = |table: &str| home.wait_for(&format!("SELECT count(*) FROM {table}"));
    assert_eq!((count("parent_document"), count("document")), ("3".into(), "6".into()));
    home.succeeds(&["check"]);
}

#[test]
fn a_night_is_one_command_with_one_report() {
    let home = Home::new();
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sample_corpora/eight_subjects.jsonl"),
    )
    .expect("the sample");
    let of = |remainder: usize| {
        let lines = text.lines().enumerate().filter(|(at, _)| at % 8 == remainder);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let first: String = (0..6).map(of).collect();
    let first = home.file("first.jsonl", first.as_bytes());
    let nights = [6, 7].map(|n| home.file(&format!("night{n}.jsonl"), of(n).as_bytes()));
    let (ended, told) = said(&home, &["nightly", "c", &first]);
    assert!(!ended);
    home.keeps(&told);
    home.succeeds(&["run", "c", "-k", "6"]);
    let gone = home.file("gone.txt", format!("{}\n", keys(&home)[0]).as_bytes());
    let report = home.json(&["nightly", "c", &nights[0], "--keys", &gone, "-o", "json"]);
    let night = |report: &Value, name: &str| report[name].clone();
    assert_eq!(night(&report, "status"), "updated", "{report}");
    assert_eq!((night(&report, "run"), night(&report, "deleted")), (2.into(), 1.into()));
    assert_eq!(report["ingest"]["counts"]["added"], 32);
    assert_eq!(report["report"]["metrics"]["documents_added"], 32.0);
    assert_eq!(report["report"]["metrics"]["documents_gone"], 1.0);
    assert!(report["report"]["changes"]["news"]["topics_added"].is_array(), "{report}");

    let again = home.json(&["nightly", "c", &nights[0], "-o", "json"]);
    assert_eq!((night(&again, "status"), night(&again, "run")), ("up_to_date".into(), Value::Null));
    // A line of cron names the run that it began with; older ones go.
    let report =
        home.json(&["nightly", "c", &nights[1], "--run", "1", "--keep", "2", "-o", "json"]);
    assert_eq!((night(&report, "run"), night(&report, "runs_deleted")), (3.into(), [1].into()));
    let runs = home.json(&["runs", "-o", "json"]);
    assert_eq!(runs.as_array().map(Vec::len), Some(2), "{runs}");
    home.succeeds(&["check"]);
    home.succeeds(&["verify", "3"]);
}
