//! Runs of several K at once, which K to look at first, and which topics to trust.

use crate::common::Home;
use serde_json::Value;

/// The result hashes of all runs by number.
fn hashes(home: &Home) -> Vec<String> {
    let rows =
        home.json(&["sql", "SELECT hex(result_hash) AS h FROM run ORDER BY id", "-o", "json"]);
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| row["h"].as_str().expect("a hash").to_string()).collect()
}

fn count(home: &Home, query: &str) -> i64 {
    home.json(&["sql", query, "-o", "json"])[0]["n"].as_i64().expect("a number")
}

#[test]
fn a_sweep_makes_a_run_per_k_that_share_one_factorisation_and_come_out_as_if_alone() {
    let home = Home::with_subjects();
    let found = home.json(&["sweep", "subjects", "-k", "4..12:4", "--output", "json"]);
    let runs = found["runs"].as_array().expect("runs");
    let ks: Vec<u64> = runs.iter().filter_map(|run| run["k"].as_u64()).collect();
    assert_eq!(ks, [4, 8, 12]);
    assert!(runs.iter().all(|run| run["metrics"]["npmi"].is_f64()));
    let advice = &found["recommendation"];
    assert!(ks.contains(&advice["k"].as_u64().expect("a K")));
    let reasons = advice["reasons"].as_array().expect("reasons");
    assert!(reasons.iter().any(|reason| reason.as_str().is_some_and(|r| r.contains("npmi"))));
    // The first factorised for all.
    let shared = "SELECT count(*) AS n FROM run_stage WHERE name = 'factorise' \
                  AND note = 'computed by run 1'";
    assert_eq!(count(&home, shared), 2);
    // Computed again without the others, they are the same to the bit.
    for run in ["1", "2", "3"] {
        assert!(home.succeeds(&["verify", run]).contains("same"), "run {run}");
    }
    // The same command again adds nothing; a smaller step only what is new.
    let before = hashes(&home);
    home.succeeds(&["sweep", "subjects", "-k", "4..12:4"]);
    assert_eq!(hashes(&home), before);
    let table = home.succeeds(&["sweep", "subjects", "-k", "4,8,10"]);
    assert_eq!(hashes(&home).len(), 4);
    assert!(table.contains("heuristic"), "{table}");
}

/// Has the norms of all runs be estimates with this standard error, as those of large corpora are.
fn estimate_norms(home: &Home, error: f64) {
    let settings = format!(r#"{{"standard_error":{error},"projections":26}}"#);
    let sql = format!(
        "UPDATE metric SET settings = '{settings}' WHERE name LIKE 'relative_%' AND name NOT LIKE '%y'"
    );
    home.succeeds(&["sql", "--write", &sql]);
}

#[test]
fn estimated_norms_have_their_errors_wherever_runs_are_compared_and_exported() {
    let home = Home::with_subjects();
    let sweep = ["sweep", "subjects", "-k", "4,6"];
    let exact = home.json(&[&sweep[..], &["-o", "json"]].concat());
    assert_eq!(exact["runs"][0]["standard_errors"], serde_json::json!({}));
    let head = home.succeeds(&[&sweep[..], &["-o", "csv"]].concat());
    assert!(!head.contains("_approximation_error"), "{head}");
    estimate_norms(&home, 0.0123);
    let errors = serde_json::json!({ "relative_approximation": 0.0123 });
    let swept = home.json(&[&sweep[..], &["-o", "json"]].concat());
    let runs = swept["runs"].as_array().expect("runs");
    assert!(runs.iter().all(|run| run["standard_errors"] == errors), "{swept}");
    let table = home.succeeds(&[&sweep[..], &["-o", "csv"]].concat());
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let place = rows[0].iter().position(|name| *name == "relative_approximation_error");
    let place = place.expect("a column of errors");
    assert!(rows[1..].iter().all(|row| row[place] == "0.0123"), "{table}");
    let compared = home.succeeds(&["compare", "1", "2", "--metrics"]);
    let line = compared.lines().find(|line| line.starts_with("relative_approximation"));
    assert_eq!(line.map(|line| line.matches(" ± 0.012").count()), Some(2), "{compared}");
    let table = home.succeeds(&["compare", "1", "2", "--metrics", "-o", "csv"]);
    assert!(table.starts_with("metric,run 1,run 2,better,run 1 error,run 2 error\n"), "{table}");
    let watched = home.succeeds(&["watch", "1"]);
    assert!(watched.contains(" ± 0.012, specificity"), "{watched}");
    let read = |format: &str, file: &str| {
        let place = home.path(format).to_string_lossy().into_owned();
        home.succeeds(&["export", "1", "--to", format, "-o", &place]);
        let place = if file.is_empty() { home.path(format) } else { home.path(format).join(file) };
        std::fs::read_to_string(place).expect("text")
    };
    let table = read("csv", "metrics.csv");
    assert!(table.starts_with("topic,metric,value,standard_error\n"), "{table}");
    let line = table.lines().find(|line| line.starts_with(",relative_approximation,"));
    assert!(line.is_some_and(|line| line.ends_with(",0.0123")), "{table}");
    assert!(read("html", "").contains(" ± 0.012</td>"));
    let json: Value = serde_json::from_str(&read("json", "")).expect("JSON");
    assert_eq!(json["standard_errors"], errors);
}

#[test]
fn a_sweep_that_cannot_be_asks_for_no_run_at_all() {
    let home = Home::with_subjects();
    home.fails(&["sweep", "subjects", "-k", "5,100000"]);
    home.fails(&["sweep", "elsewhere", "-k", "5,6"]);
    assert_eq!(count(&home, "SELECT count(*) AS n FROM run"), 0);
    home.succeeds(&["sweep", "subjects", "-k", "3,5", "--seeds", "2", "--detach"]);
    assert_eq!(count(&home, "SELECT count(DISTINCT seed) AS n FROM run"), 2);
    assert_eq!(count(&home, "SELECT count(*) AS n FROM run"), 4);
}

#[test]
fn topics_that_come_back_from_halves_of_the_documents_are_told() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let found = home.json(&["stability", "1", "--output", "json"]);
    let others = found["others"].as_array().expect("others");
    assert_eq!(others.len(), 4);
    // Every document is in one half of each pair.
    let used = "SELECT sum(value) AS n FROM metric WHERE name = 'documents_used' AND run_id";
    let all = count(
        &home,
        "SELECT CAST(value AS INT) AS n FROM metric WHERE name = 'documents_used' AND run_id = 1",
    );
    for pair in ["(2, 3)", "(4, 5)"] {
        assert_eq!(
            count(&home, &format!("SELECT CAST(n AS INT) AS n FROM ({used} IN {pair})")),
            all
        );
    }
    // The mean that is printed, from the table that is saved, and from the metric.
    let mean = found["stability"].as_f64().expect("a number");
    let queries = [
        "SELECT avg(jaccard) AS x FROM topic_agreement WHERE run_id = 1",
        "SELECT value AS x FROM metric WHERE run_id = 1 AND name = 'stability' AND topic IS NULL",
        "SELECT avg(value) AS x FROM metric WHERE run_id = 1 AND name = 'stability' AND topic >= 0",
    ];
    for query in queries {
        let saved = home.json(&["sql", query, "-o", "json"])[0]["x"].as_f64().expect("a number");
        assert!((saved - mean).abs() < 1e-12, "{query}");
    }
    // An index from the words themselves.
    let pair = &others[0]["topics"][3];
    let words = |run: &Value, topic: &Value| {
        let query = format!(
            "SELECT term_id FROM topic_term WHERE run_id = {run} AND topic = {topic} AND rank <= 10"
        );
        let rows = home.json(&["sql", &query, "-o", "json"]);
        let rows = rows.as_array().expect("rows").iter();
        rows.filter_map(|row| row["term_id"].as_i64()).collect::<std::collections::BTreeSet<_>>()
    };
    let (own, their) = (words(&1.into(), &3.into()), words(&others[0]["run"], &pair["other"]));
    let jaccard = own.intersection(&their).count() as f64 / own.union(&their).count() as f64;
    assert!((pair["jaccard"].as_f64().expect("a number") - jaccard).abs() < 1e-12);
    // The subjects are told apart by every half: chance alone would keep next to no word.
    assert!(mean > 0.3, "{mean}");
    // Runs that are there are not made again; the table is for people.
    let table = home.succeeds(&["stability", "1", "--words", "5"]);
    assert!(
        table.contains("jaccard") && table.contains("run 1 against runs 2, 3, 4, 5"),
        "{table}"
    );
    assert_eq!(count(&home, "SELECT count(*) AS n FROM run"), 5);
}

#[test]
fn runs_with_other_seeds_agree_where_the_model_does_not_depend_on_chance() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "6", "--tolerance", "1e-9"]);
    let arguments = ["stability", "1", "--seeds", "2", "--halves", "0", "--output", "json"];
    let found = home.json(&arguments);
    assert!(found["stability"].as_f64().expect("a number") > 0.99, "{found}");
    assert!(found["stability_l1"].as_f64().expect("a number") < 1e-3, "{found}");
    home.fails(&["stability", "1", "--halves", "0"]);
    home.fails(&["stability", "77"]);
    // A corpus that has grown would make the difference by itself.
    let more = home.file("more.txt", b"one more document about kernels and machines\n");
    home.succeeds(&["ingest", "subjects", &more, "--format", "lines"]);
    home.fails(&["stability", "1", "--seeds", "3"]);
}

#[test]
fn documents_that_runs_hold_out_are_said_to_have_no_shares() {
    let home = Home::with_subjects();
    let sweep = ["sweep", "subjects", "-k", "4,6,8", "--held-out", "0.2", "--terms", "500"];
    let table = home.succeeds(&sweep);
    let advice = table.lines().find(|line| line.contains("(--held-out"));
    home.keeps(advice.expect("advice"));
    let command = table.lines().find_map(|line| {
        line.strip_prefix("For shares of all documents, run it without --held-out: `topoi ")
    });
    let command = command.expect("a command").trim_end_matches('`').to_string();
    assert!(command.contains("run subjects --terms 500 -k "), "{command}");
    // As many as no run says anything of.
    let all = count(&home, "SELECT documents AS n FROM corpus");
    let has = count(&home, "SELECT count(*) AS n FROM document_proportions WHERE run_id = 1");
    let out = count(&home, "SELECT count(*) AS n FROM left_out_document WHERE run_id = 1");
    let held_out = all - has - out;
    assert!(held_out > 0);
    let line = format!("{held_out} documents held out to score the run (`--held-out`)");
    let by = home.json(&["by", "1", "subject", "-o", "json"]);
    assert_eq!(by["no_shares"]["held_out"], held_out);
    assert!(by["notes"].to_string().contains(&line), "{by}");
    let effects = home.json(&["effects", "1", "~ subject", "-o", "json"]);
    assert_eq!(effects["no_shares"]["held_out"], held_out);
    assert_eq!(effects["no_shares"]["added_since"], 0);
    // The command makes a run of which nothing is held out.
    let words: Vec<&str> = command.split(' ').collect();
    let from = words.iter().position(|word| *word == "run").expect("run");
    home.succeeds(&words[from..]);
    let by = home.json(&["by", "4", "subject", "-o", "json"]);
    assert_eq!(by["no_shares"]["held_out"], 0);
}
