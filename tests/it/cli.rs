//! The program from end to end, as people type it.

use crate::common::Home;
use serde_json::Value;

#[test]
fn a_corpus_goes_in_and_topics_come_out() {
    let home = Home::with_subjects();
    let run: Value = home.json(&["run", "subjects", "-k", "8", "--output", "json"]);
    assert_eq!(run["status"], "finished");
    assert_eq!(run["run"], 1);
    assert!(run["seconds"].as_f64().expect("seconds") > 0.0);
    assert!(run["metrics"]["npmi"].is_number() && run["metrics"]["umass"].is_number());
    let stages: Vec<&str> = run["stages"]
        .as_array()
        .expect("stages")
        .iter()
        .map(|stage| stage["name"].as_str().expect("name"))
        .collect();
    let expected = [
        "prepare",
        "factorise",
        "rectify",
        "topics",
        "refine",
        "documents",
        "measure",
        "coherence",
        "save",
    ];
    assert_eq!(stages, expected);

    let topics: Value = home.json(&["topics", "1", "--output", "json"]);
    let topics = topics.as_array().expect("a list");
    assert_eq!(topics.len(), 8);
    assert!(topics[0]["anchor"].is_string() && topics[0]["document_share"].is_number());
    assert_eq!(topics[0]["words"].as_array().expect("words").len(), 10);
    assert!(topics[0]["words"][0]["probability"].is_number());
    assert!(!topics[0]["characteristic"].as_array().expect("words").is_empty());
    for share in ["document_share", "token_share"] {
        let all: f64 = topics.iter().map(|topic| topic[share].as_f64().expect("number")).sum();
        assert!((all - 1.0).abs() < 1e-9);
    }

    let frex: Value = home.json(&["topics", "1", "--rank", "frex", "--output", "json"]);
    let score_order = frex[0]["words"].as_array().expect("words");
    assert_eq!(score_order.len(), 10);
    // FREX moves words that are probable everywhere down, so probabilities do not just fall.
    let probability = |word: &Value| word["probability"].as_f64().expect("a number");
    assert!(score_order.windows(2).any(|pair| probability(&pair[0]) < probability(&pair[1])));

    let text = home.succeeds(&["topics", "1"]);
    assert_eq!(text.lines().count(), 9, "{text}");
    assert!(home.succeeds(&["metrics", "1", "-o", "csv"]).contains("\nnpmi,"));
    assert!(home.succeeds(&["runs"]).contains("finished"));
    assert!(home.succeeds(&["corpora"]).contains("subjects"));
    assert!(home.succeeds(&["terms", "subjects", "--limit", "3"]).lines().count() == 4);
    assert!(home.succeeds(&["documents", "subjects"]).contains("astronomy-"));
    assert!(home.succeeds(&["check"]).contains("sound"));
}

#[test]
fn the_eight_subjects_are_found() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    // Every topic's ten words are mostly of documents of one subject, and no subject is left out:
    // the document keys begin with the subject.
    let query = "SELECT topic, subject FROM (
            SELECT w.topic, substr(d.key, 1, instr(d.key, '-') - 1) AS subject,
                   row_number() OVER (PARTITION BY w.topic ORDER BY count(*) DESC) AS place
            FROM topic_term w JOIN triple t ON t.term_id = w.term_id
            JOIN document d ON d.id = t.document_id
            WHERE w.run_id = 1 AND w.rank <= 10 GROUP BY w.topic, subject) WHERE place = 1";
    let rows: Value = home.json(&["sql", query, "--output", "json"]);
    let mut subjects: Vec<&str> =
        rows.as_array().expect("rows").iter().filter_map(|row| row["subject"].as_str()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    assert!(subjects.len() >= 7, "{subjects:?}");
}

#[test]
fn without_a_command_and_a_terminal_help_goes_to_stderr_and_the_exit_code_is_2() {
    let home = Home::new();
    let output = home.command(&[]).output().expect("run");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("ingest"));
    assert_eq!(home.command(&["no-such-thing"]).output().expect("run").status.code(), Some(2));
}

#[test]
fn a_detached_run_is_watched_until_it_is_over() {
    let home = Home::with_subjects();
    let started: Value = home.json(&["run", "subjects", "-k", "5", "--detach", "--output", "json"]);
    assert_eq!(started["run"], 1);
    let text = home.succeeds(&["watch", "1"]);
    assert!(text.contains("run 1 finished"), "{text}");
    home.fails(&["cancel", "1"]);
}

#[test]
fn cancel_stops_a_run() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    home.succeeds(&["cancel", "1"]);
    assert_eq!(home.wait_for("SELECT status FROM run WHERE status <> 'running'"), "cancelled");
}

#[test]
fn a_killed_worker_is_listed_as_interrupted() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    let pid = home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    let killed = std::process::Command::new("kill").args(["-9", &pid]).status().expect("kill");
    assert!(killed.success());
    home.wait_until("the run is listed as interrupted", || {
        home.succeeds(&["runs"]).contains("interrupted")
    });
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::with_subjects();
    let script = format!("{} terms subjects --limit 2000 | head -1", Home::program().display());
    let output = home.shell(&script);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_report_is_printed_as_a_table_as_json_and_as_csv() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"]);
    let reports: &[&[&str]] = &[
        &["corpora"],
        &["documents", "subjects", "--limit", "3"],
        &["terms", "subjects", "--limit", "3"],
        &["runs"],
        &["topics", "1"],
        &["metrics", "1", "--topics"],
        &["queue"],
        &["verify", "1"],
        &["sql", "SELECT id, status FROM run"],
        &["run", "subjects", "-k", "4", "--detach"],
    ];
    for report in reports {
        let print = |format| home.succeeds(&[*report, &["--output", format][..]].concat());
        let table = print("table");
        assert!(!table.trim().is_empty() && !table.contains('\u{1b}'), "{report:?}: {table}");
        let json: Value = serde_json::from_str(&print("json")).expect("JSON");
        assert!(json.is_array() || json.is_object(), "{report:?}");
        let text = print("csv");
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<_> = csv.records().collect::<Result<_, _>>().expect("CSV");
        assert!(!rows.is_empty() && !csv.headers().expect("headers").is_empty(), "{report:?}");
    }
    home.succeeds(&["cancel", "2"]);
    home.wait_for(
        "SELECT 1 WHERE NOT EXISTS \
                   (SELECT 1 FROM run WHERE status IN ('queued', 'running'))",
    );
    let resumed = |format| home.succeeds(&["resume", "2", "--detach", "--output", format]);
    assert!(resumed("csv").starts_with("run,status,seconds\n2,"));
    home.succeeds(&["cancel", "2"]);
}
