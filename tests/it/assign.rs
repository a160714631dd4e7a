//! `assign`: documents that a run has not seen get its topics, and its result stays what it is.

use serde_json::Value;

use crate::common::Home;
use crate::update::halves;

fn cell(home: &Home, sql: &str) -> String {
    home.succeeds(&["sql", sql, "-o", "csv"]).lines().nth(1).unwrap_or_default().to_string()
}

/// A run of the first of two halves of a corpus, made with these arguments; the second half is there, too.
fn with_a_run(home: &Home, arguments: &[&str]) {
    let [first, more] = halves(home);
    home.succeeds(&["ingest", "c", &first]);
    home.succeeds(&[&["run", "c", "-k", "8"], arguments].concat());
    home.succeeds(&["ingest", "c", &more]);
}

#[test]
fn documents_get_the_topics_that_inference_finds_and_lists_say_how_many_are_unseen() {
    let home = Home::new();
    with_a_run(&home, &[]);
    assert_eq!(home.json(&["runs", "-o", "json"])[0]["added_since"], 64);
    assert_eq!(cell(&home, "SELECT documents, assigned, added_since FROM run_summary"), "192,0,64");
    home.keeps(&home.said(&["by", "1", "subject"]));
    home.keeps(&home.said(&["topics", "1"]));
    let hash = cell(&home, "SELECT hex(saved_hash) FROM run");

    let done = home.json(&["assign", "1", "-o", "json"]);
    assert_eq!((&done["documents"], &done["left_out"]), (&64.into(), &0.into()));
    assert!(
        done["unknown_tokens"].as_u64() > Some(0)
            && done["unknown_tokens"].as_u64() < done["tokens"].as_u64()
    );
    assert_eq!(home.json(&["runs", "-o", "json"])[0]["added_since"], 0);
    assert_eq!(cell(&home, "SELECT documents, assigned, added_since FROM run_summary"), "192,64,0");
    home.keeps(&home.said(&["by", "1", "subject"]));
    home.keeps(&home.said(&["topics", "1"]));
    home.keeps(&home.succeeds(&["assign", "1"]));

    // As `infer` finds them, up to the seven digits that are saved.
    let more = home.path("more.jsonl").to_string_lossy().into_owned();
    let inferred = home.json(&["infer", "1", &more, "-o", "json"]);
    let saved = home.json(&[
        "sql",
        "SELECT key, topic, proportion FROM document_topic JOIN document ON document.id = document_id \
         JOIN assigned_document USING (run_id, document_id) ORDER BY document_id, topic",
        "-o",
        "json",
    ]);
    let saved = saved.as_array().expect("rows");
    assert_eq!(saved.len(), 64 * 8);
    for (document, rows) in inferred.as_array().expect("documents").iter().zip(saved.chunks(8)) {
        for found in document["topics"].as_array().expect("topics") {
            let row = &rows[found["topic"].as_u64().expect("a number") as usize];
            assert_eq!(row["key"], document["key"]);
            let [saved, inferred] =
                [row, found].map(|of: &Value| of["proportion"].as_f64().expect("a number"));
            assert!((saved - inferred).abs() < 2e-7, "{saved} {inferred}");
        }
    }
    // The result is what it was.
    assert_eq!(cell(&home, "SELECT hex(saved_hash) FROM run"), hash);
    home.succeeds(&["check"]);
}

#[test]
fn an_update_reads_assigned_documents_as_if_they_had_not_been_and_deleted_ones_never_were_of_the_run()
 {
    let result = |is_assigned: bool| {
        let home = Home::new();
        with_a_run(&home, &[]);
        if is_assigned {
            home.succeeds(&["assign", "1"]);
        }
        home.succeeds(&["delete", "documents", "c", "--where", "id > 250", "--yes"]);
        home.succeeds(&["update", "1"]);
        home.succeeds(&["check"]);
        let gone = "SELECT value FROM metric WHERE run_id = 2 AND name = 'documents_gone'";
        assert_eq!(cell(&home, gone), "0.0");
        if is_assigned {
            home.fails(&["assign", "1"]);
            home.keeps(&home.said(&["topics", "1"]));
            // The first run has the documents that it was made from and those that were assigned to it.
            let both = "SELECT (SELECT count(*) FROM document_proportions WHERE run_id = 1) \
                        - (SELECT count(*) FROM assigned_document) = documents FROM run_summary WHERE run_id = 1";
            assert_eq!(cell(&home, both), "1");
        }
        cell(&home, "SELECT hex(result_hash) FROM run WHERE id = 2")
    };
    assert_eq!(result(true), result(false));
}

#[test]
fn what_has_no_topics_of_documents_cannot_assign_any() {
    let home = Home::new();
    with_a_run(&home, &["--no-documents"]);
    home.fails(&["assign", "1"]);
    home.fails(&["assign", "7"]);
}
