//! What programs get: everything, row by row, as JSON, JSON Lines and CSV.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Home, check_cut_off};

fn subjects() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/sample_corpora/eight_subjects.jsonl").into()
}

/// The values of a line each.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON value a line")).collect()
}

#[test]
fn programs_get_every_topic_of_an_inferred_document_and_their_shares_sum_to_one() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "8"]);
    let infer = |options: &[&str]| home.succeeds(&[&["infer", "1", &subjects()], options].concat());
    let json: Value = serde_json::from_str(&infer(&["-o", "json"])).expect("JSON");
    let json = json.as_array().expect("a list");
    assert_eq!(json.len(), 256);
    for document in json {
        let topics = document["topics"].as_array().expect("topics");
        let sum: f64 = topics.iter().filter_map(|topic| topic["proportion"].as_f64()).sum();
        assert!(topics.len() == 8 && (sum - 1.0).abs() < 1e-9, "{document}");
    }
    assert_eq!(&lines(&infer(&["-o", "jsonl"])), json);
    let csv = infer(&["-o", "csv"]);
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for row in csv::Reader::from_reader(csv.as_bytes()).records() {
        let row = row.expect("a row");
        *sums.entry(row[0].to_string()).or_default() += row[3].parse::<f64>().expect("a number");
    }
    assert_eq!((csv.lines().count(), sums.len()), (1 + 256 * 8, 256));
    assert!(sums.values().all(|sum| (sum - 1.0).abs() < 1e-9), "{sums:?}");
    // In the order of the source.
    let keys: Vec<&Value> = json.iter().map(|document| &document["key"]).collect();
    let of_source = std::fs::read_to_string(subjects()).expect("the sample");
    let of_source = lines(&of_source);
    assert_eq!(keys, of_source.iter().map(|document| &document["id"]).collect::<Vec<_>>());
    let table = infer(&[]);
    assert_eq!(table.lines().count(), 257);
    assert!(table.lines().skip(1).all(|line| line.matches(", ").count() < 5), "{table}");
    let two = lines(&infer(&["-o", "jsonl", "--top", "2"]));
    assert!(two.iter().all(|document| document["topics"].as_array().map(Vec::len) == Some(2)));
}

#[test]
fn json_lines_have_a_line_for_every_element_of_the_json() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let reports: &[&[&str]] = &[
        &["corpora"],
        &["documents", "subjects", "--limit", "3"],
        &["documents", "subjects", "--run", "1", "--topic", "0"],
        &["fields", "subjects"],
        &["keywords", "subjects", "--by", "subject"],
        &["search", "subjects", "market"],
        &["search", "subjects", "market", "--kwic"],
        &["terms", "subjects", "--limit", "3"],
        &["vocabularies", "subjects"],
        &["stop-words"],
        &["stop-words", "en"],
        &["phrases", "subjects", "--min-count", "2", "--min-npmi", "0"],
        &["runs"],
        &["topics", "1"],
        &["metrics", "1", "--topics"],
        &["judgements", "1"],
        &["similar", "1", "astronomy-01"],
        &["verify", "1"],
        &["ingest", "other", &subjects(), "--dry-run"],
        &["sql", "SELECT id, status FROM run"],
        &["sql", "SELECT id FROM run WHERE id > 1"],
        // What is no list is one line.
        &["by", "1", "subject"],
        &["effects", "1", "subject"],
        &["watch", "1"],
        &["queue"],
        &["check"],
        &["config"],
        &["log", "1"],
        &["bounds", "subjects"],
    ];
    for report in reports {
        let print = |format| home.succeeds(&[report, &["--output", format][..]].concat());
        let json: Value = serde_json::from_str(&print("json")).expect("JSON");
        let found = lines(&print("jsonl"));
        match json {
            Value::Array(elements) => assert_eq!(found, elements, "{report:?}"),
            value => assert_eq!(found.len(), 1, "{report:?}: {value}"),
        }
    }
}

/// Numbers from 1 up to one, of which a row is an error where it is `bad`.
fn numbers(last: u32, bad: u32) -> String {
    format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) \
         SELECT i, CASE WHEN i = {bad} THEN abs(-9223372036854775808) ELSE 'x' END AS x FROM n"
    )
}

#[test]
fn a_long_result_of_sql_is_the_same_in_every_format() {
    let home = Home::with_subjects();
    let print = |format| home.succeeds(&["sql", &numbers(5000, 0), "-o", format]);
    let json: Value = serde_json::from_str(&print("json")).expect("one array");
    assert_eq!(json[4999]["i"], 5000);
    assert_eq!(Value::Array(lines(&print("jsonl"))), json);
    let (csv, table) = (print("csv"), print("table"));
    let cells = |text: &str| {
        let row =
            |line: &str| line.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(row).collect::<Vec<_>>()
    };
    assert_eq!(cells(&csv), cells(&table));
    assert_eq!(csv.lines().count(), 5001);
    let none = |format| home.succeeds(&["sql", "SELECT 1 AS a WHERE 0", "-o", format]);
    assert_eq!([none("json"), none("jsonl"), none("csv")], ["[]\n", "", "a\n"]);
    home.fails(&["sql", "SELECT 1 AS a, 2 AS a", "-o", "json"]);
}

#[test]
fn an_error_in_the_middle_of_a_list_is_told_and_no_array_is_closed() {
    let home = Home::with_subjects();
    for (format, rows) in [("json", 0), ("jsonl", 2999), ("csv", 3000), ("table", 3000)] {
        let query = numbers(5000, 3000);
        let output = home.command(&["sql", &query, "-o", format]).output().expect("run");
        let printed = check_cut_off(&output, "integer overflow");
        match format {
            "json" => assert!(serde_json::from_str::<Value>(&printed).is_err()),
            _ => assert_eq!(printed.lines().count(), rows, "{format}"),
        }
    }
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let good = std::fs::read_to_string(subjects()).expect("the sample");
    let bad = home.file("bad.jsonl", format!("{good}{{\"text\": {{}}}}\n").as_bytes());
    let output = home.command(&["infer", "1", &bad, "-o", "jsonl"]).output().expect("run");
    let printed = check_cut_off(&output, "bad.jsonl:257");
    assert_eq!(lines(&printed).len(), 256);
}

#[test]
fn a_reader_that_goes_away_ends_every_list_with_success() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let program = Home::program().display().to_string();
    let infer = format!("infer 1 {0} {0} {0} {0}", subjects());
    let sql = format!("sql \"{}\"", numbers(1_000_000, 0));
    for (command, format) in
        [(&infer, "json"), (&infer, "csv"), (&sql, "json"), (&sql, "jsonl"), (&sql, "table")]
    {
        let script = format!("({program} {command} -o {format}; echo $? >&2) | head -c 10");
        let output = home.shell(&script);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.ends_with("0\n") && !error.contains("error"), "{command}: {error}");
    }
}

#[test]
fn an_export_of_one_file_goes_to_standard_output() {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "3"]);
    let file = home.path("documents.csv").to_string_lossy().into_owned();
    let export =
        |place: &str| ["export", "1", "--to", "documents-csv", "-o", place].map(String::from);
    let run = |arguments: &[String]| {
        home.succeeds(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(&export(&file));
    let written = std::fs::read_to_string(&file).expect("the export");
    assert_eq!(run(&export("-")), written);
    assert_eq!(run(&export("/dev/stdout")), written);
    assert!(home.succeeds(&["plot", "1", "-o", "-"]).contains("<svg"));
    home.fails(&["export", "1", "--to", "csv", "-o", "-"]);
    let program = Home::program().display().to_string();
    let script = format!("({program} export 1 --to json -o -; echo $? >&2) | head -c 10");
    assert_eq!(String::from_utf8_lossy(&home.shell(&script).stderr), "0\n");
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn a_list_of_all_there_is_is_cut_as_a_table_alone_which_says_so() {
    let home = Home::with_subjects();
    let corpora = home.json(&["corpora", "-o", "json"]);
    for (list, all) in [("terms", &corpora[0]["terms"]), ("documents", &corpora[0]["documents"])] {
        let all = all.as_u64().expect("a count") as usize;
        let print = |options: &[&str]| home.succeeds(&[&[list, "subjects"], options].concat());
        assert_eq!(lines(&print(&["-o", "jsonl"])).len(), all);
        assert_eq!(print(&["-o", "csv"]).lines().count(), 1 + all);
        assert_eq!(lines(&print(&["-o", "jsonl", "--limit", "3"])).len(), 3);
        let table = home.command(&[list, "subjects"]).output().expect("run");
        assert_eq!(String::from_utf8_lossy(&table.stdout).lines().count(), 51);
        let error = String::from_utf8_lossy(&table.stderr);
        assert!(error.contains("--limit prints more"), "{error}");
        assert_eq!(print(&["--limit", "100"]).lines().count(), 101);
    }
    let many = "tokens > 0";
    let chosen = home.succeeds(&["documents", "subjects", "--where", many, "-o", "jsonl"]);
    assert_eq!(lines(&chosen).len(), 256);
}
