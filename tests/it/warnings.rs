//! Warnings are defined once: `docs/reference/warnings.md` lists the rows of `WARNINGS`, runs that give reason for one
//! have it wherever runs are shown, and the default runs of the sample corpora have none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Home;
use crate::sources::{code, rust_files};
use serde_json::Value;
use topoi_run::warning::{WARNINGS, WarningDef};

/// Set, this writes the table into `docs/reference/warnings.md` instead of comparing it.
const REWRITE: &str = "UPDATE_DOCS";

const BEGIN: &str =
    "<!-- The table is made from crates/topoi-run/src/warning; see CONTRIBUTING.md. -->\n\n";
const END: &str = "\n<!-- Here it ends. -->\n";

fn row(warning: &WarningDef) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let WarningDef { id, meaning, reason, remedy, .. } = warning;
    let (condition, reason) = (cell(&warning.raised_when()), cell(reason));
    format!("| `{id}` | {} | {condition} | {reason} | {} |\n", cell(meaning), cell(remedy))
}

#[test]
fn the_documentation_has_every_warning_as_it_is_defined() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/warnings.md");
    let text = fs::read_to_string(&path).expect("docs/reference/warnings.md");
    let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where the table ends");
    let head = "| name | meaning | raised when | because | what to do |\n\
                | --- | --- | --- | --- | --- |\n";
    let table = WARNINGS.iter().fold(head.to_string(), |table, warning| table + &row(warning));
    let made = format!("{before}{BEGIN}{table}{END}{after}");
    if std::env::var_os(REWRITE).is_some() {
        fs::write(&path, made).expect("written");
    } else {
        let how =
            format!("docs/reference/warnings.md is old; {REWRITE}=1 cargo test --test it warnings");
        assert!(text == made, "{how} writes it anew");
    }
}

#[test]
fn names_of_warnings_are_unique_and_all_say_when_why_and_what_to_do() {
    let mut names: Vec<&str> = WARNINGS.iter().map(|warning| warning.id).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), WARNINGS.len());
    for warning in WARNINGS {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(warning.id.chars().all(is_name), "{}", warning.id);
        assert!(warning.condition.contains("{}"), "{} does not say its limit", warning.id);
        let texts = [warning.meaning, warning.reason, warning.remedy];
        assert!(texts.iter().all(|text| text.len() > 10), "{}", warning.id);
    }
}

#[test]
fn every_warning_that_is_defined_has_a_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/topoi-run/src/warning");
    let defined = |path: &PathBuf| code(path).matches("warning_def! {").count();
    let defined: usize = rust_files(&folder).iter().map(defined).sum();
    assert_eq!(WARNINGS.len(), defined);
}

/// The names of a run's warnings.
fn names(home: &Home, run: u64) -> Vec<String> {
    let query = format!("SELECT name FROM run_warning WHERE run_id = {run} ORDER BY position");
    let rows = home.json(&["sql", &query, "--output", "json"]);
    let name = |row: &Value| row["name"].as_str().expect("a name").to_string();
    rows.as_array().expect("rows").iter().map(name).collect()
}

#[test]
fn default_runs_of_the_sample_corpora_have_no_warning() {
    let home = Home::with_subjects();
    let swimmer = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/docword.swimmer.txt");
    home.succeeds(&["ingest", "swimmer", &swimmer.to_string_lossy()]);
    let told = home.said(&["run", "subjects", "-k", "8"]);
    assert!(!told.contains("warning"), "{told}");
    home.succeeds(&["run", "subjects", "-k", "5"]);
    home.succeeds(&["run", "swimmer", "-k", "10"]);
    home.succeeds(&["stability", "1", "--halves", "1"]);
    for run in 1..=3 {
        assert_eq!(names(&home, run), [""; 0], "run {run}");
    }
}

/// Runs of which each gives reason for the warnings beside it.
const RUNS: &[(&[&str], &[&str])] = &[
    (&["--model", "aw"], &["poor_approximation", "sum_of_correlations"]),
    (&["--model", "rp-doc"], &["dominant_topic"]),
    (&["--refine", "2", "--refine-gain", "0.00001"], &["refining_unfinished"]),
    (&["--model", "raw", "--iterations", "2", "--terms", "300"], &["rectification_unfinished"]),
    (&["--as", "paper"], &[]),
    (&["--model", "r1d", "--iterations", "1"], &["topics_unsettled"]),
    (&["--min-tokens", "48"], &["documents_left_out"]),
];

#[test]
fn runs_that_give_reason_for_a_warning_have_it_wherever_they_are_shown() {
    let home = Home::with_subjects();
    for (number, (options, expected)) in (1..).zip(RUNS) {
        let run = [&["run", "subjects", "-k", "8"][..], options].concat();
        let told = home.said(&run);
        let found = names(&home, number);
        for name in *expected {
            assert!(
                found.iter().any(|found| found == name),
                "{options:?}: {name} is not in {found:?}"
            );
        }
        let lines = told.lines().filter(|line| line.starts_with("warning: ")).count();
        assert_eq!(lines, found.len(), "{told}");
    }
    let texts = "SELECT name, text FROM run_warning WHERE run_id = 1 ORDER BY position";
    let rows = home.json(&["sql", texts, "--output", "json"]);
    let texts: Vec<&str> =
        rows.as_array().expect("rows").iter().map(|row| text(&row["text"])).collect();
    let watched = home.json(&["watch", "1", "--output", "json"]);
    let of_json = watched["warnings"].as_array().expect("a list");
    assert!(of_json.iter().map(|warning| text(&warning["text"])).eq(texts.iter().copied()));
    let runs = home.json(&["runs", "--output", "json"]);
    let first = runs.as_array().and_then(|runs| runs.last()).expect("run 1");
    assert_eq!(first["warnings"].as_array().map(Vec::len), Some(texts.len()));
    assert!(home.succeeds(&["runs"]).contains("poor_approximation sum_of_correlations"));
    let (page, json) = (home.path("page.html"), home.path("run.json"));
    let (page_name, json_name) = (page.to_string_lossy(), json.to_string_lossy());
    home.succeeds(&["export", "1", "--to", "html", "-o", &page_name]);
    home.succeeds(&["export", "1", "--to", "json", "-o", &json_name]);
    let (page, json) = (read(&page), read(&json));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(texts.len()));
    let both = home.path("both.html");
    home.succeeds(&["export", "2", "1", "--to", "html", "-o", &both.to_string_lossy()]);
    for line in texts {
        for command in WITH_WARNINGS {
            let output = home.command(command).output().expect("run");
            let [printed, said] = [output.stdout, output.stderr]
                .map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
            assert!(said.contains(&format!("warning: {line}\n")), "{command:?}: {said}");
            assert!(!printed.contains("warning: "), "{command:?}: {printed}");
        }
        assert!(page.contains(&format!("<li>{line}</li>")), "{line}");
        assert!(read(&both).contains(&format!("<li>run 1: {line}</li>")), "{line}");
    }
    let sweep = ["sweep", "subjects", "-k", "7,8", "--model", "aw"];
    assert!(home.said(&sweep).contains("warning: run 1, K = 8: relative approximation is "));
    let swept = home.json(&[&sweep[..], &["--output", "json"]].concat());
    assert_eq!(swept["runs"][1]["warnings"].as_array().map(Vec::len), Some(of_json.len()));
    home.succeeds(&["check"]);
    // What is measured again gives the same warnings.
    let before = names(&home, 7);
    home.succeeds(&["metrics", "7", "--recompute"]);
    assert_eq!(names(&home, 7), before);
    home.succeeds(&["delete", "7", "--yes"]);
    assert_eq!(names(&home, 7), [""; 0]);
}

/// Commands that print something of run 1: its warnings go to standard error, in every format.
const WITH_WARNINGS: &[&[&str]] = &[
    &["topics", "1"],
    &["topics", "1", "-o", "csv"],
    &["topics", "1", "-o", "json"],
    &["watch", "1"],
    &["watch", "1", "-o", "csv"],
    &["watch", "1", "-o", "json"],
];

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_run_whose_topics_recur_no_more_than_chance_is_marked_when_its_stability_is_measured() {
    let home = Home::new();
    // Words from nowhere: the same ten of a thousand, and no subject.
    let mut state = 7u64;
    let mut next = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut lines = String::new();
    for document in 0..200 {
        let words: Vec<String> = (0..30).map(|_| format!("word{:03}", next(300))).collect();
        lines += &format!("{{\"id\": \"d{document}\", \"text\": \"{}\"}}\n", words.join(" "));
    }
    let file = home.file("noise.jsonl", lines.as_bytes());
    home.succeeds(&["ingest", "noise", &file]);
    home.succeeds(&["run", "noise", "-k", "2"]);
    let found = home.json(&["stability", "1", "--halves", "2", "--output", "json"]);
    let value = |name: &str| found[name].as_f64().expect("a number");
    let by_chance = value("stability_by_chance");
    assert!(by_chance > 0.0 && by_chance < 0.3, "{found}");
    let is_marked = names(&home, 1).iter().any(|name| name == "no_stability");
    assert_eq!(is_marked, value("stability") <= by_chance, "{found}");
}
