//! What documents are about, end to end: saved, inferred, refined, held out.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use crate::common::Home;
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn rows(home: &Home, query: &str) -> Vec<Value> {
    home.json(&["sql", query, "-o", "json"]).as_array().expect("rows").clone()
}

/// The metric of a whole run.
fn metric(home: &Home, run: i64, name: &str) -> f64 {
    let query = format!(
        "SELECT value FROM metric WHERE run_id = {run} AND name = '{name}' AND topic IS NULL"
    );
    number(&rows(home, &query)[0]["value"])
}

/// document key → topic → proportion.
type Proportions = BTreeMap<String, BTreeMap<i64, f64>>;

fn saved(home: &Home, run: i64) -> Proportions {
    let query = format!(
        "SELECT document.key, topic, proportion FROM document_topic \
         JOIN document ON document.id = document_id WHERE run_id = {run} AND proportion >= 0.01"
    );
    let mut found = Proportions::new();
    for row in rows(home, &query) {
        let key = row["key"].as_str().expect("a key").to_string();
        let topic = row["topic"].as_i64().expect("a topic");
        found.entry(key).or_default().insert(topic, number(&row["proportion"]));
    }
    found
}

fn inferred(documents: &Value) -> Proportions {
    let documents = documents.as_array().expect("documents").iter();
    let topics = |document: &Value| {
        let topics = document["topics"].as_array().expect("topics").iter();
        topics
            .map(|topic| (topic["topic"].as_i64().expect("a topic"), number(&topic["proportion"])))
            .collect()
    };
    documents.map(|d| (d["key"].as_str().expect("a key").to_string(), topics(d))).collect()
}

fn subjects() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/sample_corpora/eight_subjects.jsonl").into()
}

#[test]
fn infer_on_a_training_document_gives_its_saved_proportions() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900", "--refine", "2"]);
    for run in ["1", "2"] {
        let saved = saved(&home, run.parse().expect("a number"));
        let found = inferred(&home.json(&["infer", run, &subjects(), "-o", "json"]));
        assert_eq!(saved.len(), 256);
        for (key, topics) in &saved {
            let found = &found[key];
            assert_eq!(found.len(), 8, "{key}: {found:?}");
            for (topic, proportion) in topics {
                assert!((found[topic] - proportion).abs() <= 1e-6, "{key}: {found:?} {topics:?}");
            }
        }
    }
}

#[test]
fn infer_reads_standard_input_and_says_what_it_does_not_know() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let mut command = home.command(&["infer", "1", "-", "--format", "lines", "--top", "2"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("spawn");
    let text = b"telescope galaxy stars xyzzyx\nqwertyuiop zxcvbnmas\n";
    child.stdin.take().expect("stdin").write_all(text).expect("write");
    let output = child.wait_with_output().expect("output");
    let (out, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{error}");
    assert_eq!(out.lines().count(), 3, "{out}");
    home.keeps(&error);
    let csv = home.succeeds(&["infer", "1", &subjects(), "-o", "csv", "--top", "1"]);
    assert!(csv.starts_with("key,topic,name,proportion\n"));
    home.succeeds(&["run", "subjects", "-k", "8", "--no-documents"]);
    home.fails(&["infer", "2", &subjects()]);
}

#[test]
fn refining_never_worsens_and_leaves_shares_that_fit_the_correlations() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "900", "--refine", "6"]);
    let curve = rows(
        &home,
        "SELECT residual FROM run_residual WHERE run_id = 1 AND stage = 'refine' ORDER BY step",
    );
    let curve: Vec<f64> = curve.iter().map(|row| number(&row["residual"])).collect();
    assert_eq!(curve.len(), 6);
    assert!(curve.windows(2).all(|pair| pair[1] < pair[0]), "{curve:?}");
    assert!(metric(&home, 1, "refine_gain") < 0.1);
    assert!(metric(&home, 1, "weights_from_documents") < 0.5);
    assert!(metric(&home, 1, "document_topics_residual") <= 1e-3);
    let sums = rows(
        &home,
        "SELECT document_share AS share, (SELECT sum(joint) FROM topic_correlation c \
         WHERE c.run_id = 1 AND c.topic_a = t.topic) AS joint, alpha FROM topic t WHERE run_id = 1",
    );
    for row in &sums {
        assert!((number(&row["share"]) - number(&row["joint"])).abs() < 1e-12);
    }
    let alpha: f64 = sums.iter().map(|row| number(&row["alpha"])).sum();
    assert!((alpha - metric(&home, 1, "alpha_sum")).abs() < 1e-12);
    let verified = home.succeeds(&["verify", "1"]);
    assert!(verified.contains("result"), "{verified}");
    home.fails(&["run", "subjects", "-k", "8", "--refine", "1001"]);
    // The anchors, and the words that are characteristic of them, are those it began with.
    let topics = home.command(&["topics", "1"]).output().expect("run");
    let said = String::from_utf8_lossy(&topics.stderr).into_owned();
    home.keeps(&said);
}

#[test]
fn a_topics_documents_are_listed() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let list = ["documents", "subjects", "--run", "1", "--topic", "2", "--limit", "4"];
    let listed = home.json(&[&list[..], &["-o", "json"]].concat());
    let shares: Vec<f64> =
        listed.as_array().expect("rows").iter().map(|row| number(&row["proportion"])).collect();
    assert_eq!(shares.len(), 4);
    assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]));
    let largest = rows(
        &home,
        "SELECT max(proportion) AS p FROM document_topic WHERE run_id = 1 AND topic = 2",
    );
    assert!((number(&largest[0]["p"]) - shares[0]).abs() < 1e-12);
    let tops = rows(
        &home,
        "SELECT count(*) AS n, (SELECT count(DISTINCT document_id) FROM document_topic) AS m \
         FROM document_top_topic",
    );
    assert_eq!(tops[0]["n"], tops[0]["m"]);
    home.fails(&["documents", "subjects", "--run", "1", "--topic", "8"]);
    assert_eq!(home.succeeds(&["documents", "subjects", "--limit", "3"]).lines().count(), 4);
}

#[test]
fn held_out_documents_are_scored_by_runs_on_the_others() {
    let home = Home::with_subjects();
    let ask = ["held-out", "subjects", "-k", "8", "--splits", "2", "--share", "0.3"];
    let found = home.json(&[&ask[..], &["-o", "json", "--threads", "1"]].concat());
    let splits = found["splits"].as_array().expect("splits");
    assert_eq!(splits.len(), 2);
    for (split, run) in splits.iter().zip([1, 2]) {
        let (held_out, used) = (number(&split["documents"]), metric(&home, run, "documents_used"));
        let all = number(&rows(&home, "SELECT documents FROM corpus")[0]["documents"]);
        assert!(held_out + used <= all && held_out + used > 0.9 * all, "{held_out} {used} {all}");
        let saved = rows(
            &home,
            &format!(
                "SELECT count(DISTINCT document_id) AS n FROM document_topic WHERE run_id = {run}"
            ),
        );
        assert_eq!(number(&saved[0]["n"]), used);
        let log = number(&split["held_out_log_probability"]);
        let completion = number(&split["document_completion"]);
        // Not as bad as a millionth a token, and the first half tells of the second.
        assert!(-(1e6f64.ln()) < log && log < completion && completion < 0.0, "{log} {completion}");
        assert!(metric(&home, run, "held_out_log_probability_error") > 0.0);
    }
    assert_ne!(splits[0]["documents"], splits[1]["documents"]);
    let mean = number(&found["held_out_log_probability"]["mean"]);
    let of = |split: usize| number(&splits[split]["held_out_log_probability"]);
    assert!((mean - 0.5 * (of(0) + of(1))).abs() < 1e-12);
    let again = home.json(&[&ask[..], &["-o", "json", "--threads", "3"]].concat());
    assert_eq!(found["held_out_log_probability"], again["held_out_log_probability"]);
    assert_eq!(found["document_completion"], again["document_completion"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--held-out", "0.3"]);
    let table = home.succeeds(&["held-out", "subjects", "-k", "6", "--splits", "1"]);
    assert!(table.contains("nats a token") && !table.contains('"'), "{table}");
    home.fails(&["held-out", "subjects", "-k", "6", "--share", "1.5"]);
    home.fails(&["run", "subjects", "-k", "6", "--held-out", "0"]);
}
