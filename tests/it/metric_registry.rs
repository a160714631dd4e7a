//! Metrics are defined once: what runs save, what the sources define and what `docs/reference/metrics.md`
//! lists are the rows of `METRICS`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Home;
use crate::sources::{code, rust_files};
use topoi_core::metric::definition::{Aspect, Scope, Tag};
use topoi_core::metric::{METRICS, MetricDef};
use topoi_core::model::Model;

/// Set, this writes the table into `docs/reference/metrics.md` instead of comparing it.
const REWRITE: &str = "UPDATE_DOCS";

const BEGIN: &str =
    "<!-- The table is made from crates/topoi-core/src/metric; see CONTRIBUTING.md. -->\n\n";
const END: &str = "\n<!-- Here it ends. -->\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn row(metric: &MetricDef) -> String {
    let scope = match metric.scope {
        Scope::Run => "run",
        Scope::Topics => "topics",
    };
    let better = metric.better.map_or("–", |better| better.sign());
    let range = metric.range.to_string().replace('-', "−");
    let cell = |text: &str| text.replace('|', "\\|");
    let (id, definition, source) = (metric.id, cell(metric.definition), cell(metric.source));
    format!("| `{id}` | {scope} | {definition} | {range} | {better} | {source} |\n")
}

fn table() -> String {
    let head = "| name | of | definition | range | better | source |\n\
                | --- | --- | --- | --- | --- | --- |\n";
    METRICS.iter().fold(head.to_string(), |table, metric| table + &row(metric))
}

#[test]
fn the_documentation_has_every_metric_as_it_is_defined() {
    let path = root().join("docs/reference/metrics.md");
    let text = fs::read_to_string(&path).expect("docs/reference/metrics.md");
    let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where the table ends");
    let made = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os(REWRITE).is_some() {
        fs::write(&path, made).expect("written");
    } else {
        let how = format!(
            "docs/reference/metrics.md is old; {REWRITE}=1 cargo test --test it metric_registry"
        );
        assert!(text == made, "{how} writes it anew");
    }
}

/// The names in the definitions of `crates/topoi-core/src/metric`.
fn defined() -> Vec<String> {
    let mut files = rust_files(&root().join("crates/topoi-core/src/metric"));
    files.push(root().join("crates/topoi-core/src/model/figures.rs"));
    let sources: Vec<String> = files.iter().map(|path| code(path)).collect();
    let definitions = sources.iter().flat_map(|source| source.split("metric_def! {\n").skip(1));
    let id = |text: &str| text.split("id: \"").nth(1)?.split('"').next().map(str::to_string);
    definitions.map(|text| id(text).expect("a definition begins with its id")).collect()
}

#[test]
fn every_definition_is_a_row_once_and_every_row_a_definition() {
    let mut rows: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
    let mut defined = defined();
    rows.sort_unstable();
    defined.sort_unstable();
    assert_eq!(rows, defined);
    rows.dedup();
    assert_eq!(rows.len(), METRICS.len(), "names are unique");
    for metric in METRICS {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(metric.id.chars().all(is_name), "{}", metric.id);
        assert!(metric.definition.len() > 10, "{} has no definition", metric.id);
    }
}

#[test]
fn every_list_of_metrics_has_some_and_only_such_as_can_be_compared_are_put_first() {
    let aspects = [Aspect::Prediction, Aspect::Coherence, Aspect::Distinctness, Aspect::Stability];
    let lists = [Tag::Summary, Tag::Sweep, Tag::TopicList].into_iter();
    for tag in lists.chain(aspects.map(Tag::RecommendsK)) {
        assert!(MetricDef::tagged(tag).next().is_some(), "{tag:?}");
        for metric in MetricDef::tagged(tag) {
            assert!(metric.better.is_some(), "{tag:?}: {}", metric.id);
            let of_topics = metric.scope == Scope::Topics;
            assert!(tag != Tag::TopicList || of_topics, "{} is not of topics", metric.id);
        }
    }
}

#[test]
fn metrics_are_looked_up_by_their_definitions_and_in_queries_by_names_that_are_defined() {
    for path in rust_files(&root().join("src")) {
        let code = code(&path);
        for (at, _) in code.match_indices("run_metric(") {
            let line = code[at..].lines().next().unwrap_or_default();
            assert!(!line.contains('"'), "{}: {line}", path.display());
        }
        for text in code.split("metric.name = '").skip(1) {
            let name = text.split('\'').next().unwrap_or_default();
            assert!(MetricDef::from_name(name).is_some(), "{}: {name}", path.display());
        }
    }
}

#[test]
fn what_runs_save_is_defined_and_within_its_range() {
    let home = Home::with_subjects();
    for model in Model::names() {
        home.succeeds(&["run", "subjects", "-k", "8", "--model", model, "--terms", "100"]);
    }
    home.counts_topics();
    let more = ["--held-out", "0.2", "--refine", "2", "--sweeps", "2", "--model", "raw"];
    home.succeeds(&[&["run", "subjects", "-k", "8", "--terms", "100"][..], &more].concat());
    home.succeeds(&["metrics", "1", "--recompute", "--variants", "all"]);
    home.succeeds(&["metrics", "1", "--against", "subject"]);
    home.succeeds(&["stability", "1", "--halves", "1"]);
    let late =
        home.file("late.jsonl", br#"{"text": "chess king pawn rook board game move player"}"#);
    home.succeeds(&["ingest", "subjects", &late]);
    home.succeeds(&["update", "1"]);
    let query = "SELECT run_id, topic, name, value FROM metric";
    let rows = home.json(&["sql", query, "--output", "json"]);
    let mut seen = BTreeSet::new();
    for row in rows.as_array().expect("rows") {
        let name = row["name"].as_str().expect("a name");
        let metric = MetricDef::from_name(name).unwrap_or_else(|| panic!("{name} is not defined"));
        let is_of_a_topic = !row["topic"].is_null();
        assert!(metric.scope == Scope::Topics || !is_of_a_topic, "{row}");
        // The range is that of the default variant.
        let value = row["value"].as_f64().expect("a number");
        assert!(name != metric.id || metric.range.contains(value), "{row}");
        seen.insert(metric.id);
    }
    let defined: BTreeSet<&str> = METRICS.iter().map(|metric| metric.id).collect();
    let not_here: Vec<&str> = defined.difference(&seen).copied().collect();
    // What only parts of a corpus and imported topics have; what people say is not saved.
    let other = [
        "cluster_change",
        "cluster_cosine",
        "exchange_bytes",
        "exchange_seconds",
        "exchanges",
        "outside_vocabulary",
        "parts",
    ];
    let said = ["topic_log_odds", "topic_rating", "word_intrusion"];
    assert_eq!(not_here, [&other[..], &said].concat());
}
