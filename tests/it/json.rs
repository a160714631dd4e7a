//! What `--output json` prints, which scripts rely on: a snapshot a command of names and types.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::Home;

/// The shape of JSON: of a list, that of all its elements together.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// The types that a value has; null only where it has no other, as any value may be missing.
    Leaf(Vec<&'static str>),
    List(Option<Box<Shape>>),
    Object(BTreeMap<String, Shape>),
}

/// Objects whose keys are data.
const MAPS: [&str; 3] = ["metrics", "settings", "standard_errors"];

impl Shape {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Leaf(vec!["null"]),
            Value::Bool(_) => Self::Leaf(vec!["boolean"]),
            Value::Number(_) => Self::Leaf(vec!["number"]),
            Value::String(_) => Self::Leaf(vec!["text"]),
            Value::Array(values) => Self::List(Self::of_all(values.iter()).map(Box::new)),
            Value::Object(fields) => {
                let field = |(name, value): (&String, &Value)| match value {
                    Value::Object(map) if MAPS.contains(&name.as_str()) => {
                        let values = Self::of_all(map.values());
                        let map = values.map(|shape| ("<any>".to_string(), shape));
                        (name.clone(), Self::Object(map.into_iter().collect()))
                    }
                    _ => (name.clone(), Self::of(value)),
                };
                Self::Object(fields.iter().map(field).collect())
            }
        }
    }

    fn of_all<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Self> {
        values.map(Self::of).reduce(Self::or)
    }

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Leaf(mut one), Self::Leaf(other)) => {
                one.extend(other);
                one.sort_unstable();
                one.dedup();
                if one.len() > 1 {
                    one.retain(|name| *name != "null");
                }
                Self::Leaf(one)
            }
            (Self::List(one), Self::List(other)) => Self::List(match (one, other) {
                (Some(one), Some(other)) => Some(Box::new(one.or(*other))),
                (one, other) => one.or(other),
            }),
            (Self::Object(mut one), Self::Object(other)) => {
                for (name, shape) in other {
                    let shape = match one.remove(&name) {
                        Some(there) => there.or(shape),
                        None => shape,
                    };
                    one.insert(name, shape);
                }
                Self::Object(one)
            }
            (Self::Leaf(null), shape) | (shape, Self::Leaf(null)) if null == ["null"] => shape,
            (one, other) => panic!("{one:?} and {other:?} in one place"),
        }
    }

    fn write(&self, indent: usize, text: &mut String) {
        let space = "  ".repeat(indent);
        match self {
            Self::Leaf(types) => *text += &types.join(" or "),
            Self::List(None) => *text += "[]",
            Self::List(Some(shape)) => {
                *text += "[";
                shape.write(indent, text);
                *text += "]";
            }
            Self::Object(fields) => {
                *text += "{\n";
                for (name, shape) in fields {
                    *text += &format!("{space}  {name}: ");
                    shape.write(indent + 1, text);
                    *text += "\n";
                }
                *text += &format!("{space}}}");
            }
        }
    }
}

/// Holds what a command prints against its snapshot, which has the command's name.
fn check(home: &Home, command: &[&str]) {
    let case = command[0].replace('-', "_");
    check_as(home, &case, command);
}

fn check_as(home: &Home, case: &str, command: &[&str]) {
    hold(case, &home.json(&[command, &["--output", "json"]].concat()));
}

fn hold(case: &str, printed: &Value) {
    let mut text = String::new();
    Shape::of(printed).write(0, &mut text);
    insta::with_settings!({
        snapshot_path => "json", prepend_module_to_snapshot => false, omit_expression => true
    }, {
        insta::assert_snapshot!(case, text);
    });
}

#[test]
fn what_commands_print_for_scripts_has_the_same_names_and_types() {
    let home = Home::with_subjects();
    let more =
        home.file("more.jsonl", b"{\"id\": \"a\", \"text\": \"stars and planets of the sky\"}\n");
    check(&home, &["ingest", "more", &more]);
    check_as(&home, "ingest_dry_run", &["ingest", "more", &more, "--dry-run"]);
    check(&home, &["corpora"]);
    check(&home, &["documents", "subjects", "--limit", "3"]);
    check(&home, &["fields", "subjects"]);
    check(&home, &["keywords", "subjects", "--by", "subject"]);
    check(&home, &["terms", "subjects", "--limit", "3"]);
    check(&home, &["search", "subjects", "market", "--limit", "3"]);
    check_as(&home, "search_kwic", &["search", "subjects", "market", "--kwic"]);
    check_as(
        &home,
        "terms_of_rules",
        &["terms", "subjects", "--max-documents", "5", "--save", "few"],
    );
    check(&home, &["vocabularies", "subjects"]);
    check(&home, &["stop-words"]);
    check(&home, &["phrases", "subjects", "--min-count", "2", "--min-npmi", "0"]);
    check(&home, &["bounds", "subjects"]);

    check(&home, &["run", "subjects", "-k", "4"]);
    check(&home, &["runs"]);
    check(&home, &["watch", "1"]);
    check(&home, &["topics", "1", "--words", "3"]);
    check_as(&home, "documents_of_topic", &["documents", "subjects", "--run", "1", "--topic", "0"]);
    let passages = ["documents", "subjects", "--run", "1", "--topic", "0", "--passages"];
    check_as(&home, "documents_of_topic_with_passages", &passages);
    check(&home, &["by", "1", "subject"]);
    check(&home, &["effects", "1", "subject"]);
    check(&home, &["methods", "1"]);
    home.succeeds(&["by", "1", "subject", "--save", "kept"]);
    check(&home, &["results"]);
    check_as(&home, "results_kept", &["results", "kept"]);
    check(&home, &["script", "1"]);
    check_as(&home, "delete_results", &["delete", "results", "kept", "--yes"]);
    check(&home, &["metrics", "1"]);
    check_as(&home, "metrics_of_topics", &["metrics", "1", "--topics"]);
    check(&home, &["judge", "1"]);
    let answers = format!("printf '1\\n2\\n' | {} judge 1", Home::program().display());
    assert!(home.shell(&answers).status.success());
    check(&home, &["judgements", "1"]);
    check(&home, &["verify", "1"]);
    check(&home, &["shape", "1", "--merge", "0,1", "--preview"]);
    check(&home, &["similar", "1", "astronomy-01"]);
    check(&home, &["log", "1"]);
    check(&home, &["infer", "1", &more]);
    check(&home, &["left-out", "subjects", "--all"]);
    check(&home, &["queue"]);
    check(&home, &["config"]);
    check(&home, &["sql", "SELECT id, model, seconds FROM run"]);
    check(&home, &["check"]);
    check(&home, &["compact"]);
    check(&home, &["backup", &home.path("copy.db").to_string_lossy()]);

    check(&home, &["sweep", "subjects", "-k", "3,4,5"]);
    check_as(&home, "sweep_detached", &["sweep", "subjects", "-k", "3,4", "--detach"]);
    check(&home, &["stability", "1", "--halves", "0", "--seeds", "1"]);
    check(&home, &["held-out", "subjects", "-k", "3", "--splits", "2"]);
    check(&home, &["compare", "1", "2"]);
    check(&home, &["name", "1", "first"]);
    check(&home, &["note", "why", "--run", "1", "--topic", "0", "--by", "Ann"]);
    check(&home, &["notes"]);
    check(&home, &["collocates", "subjects", "market"]);
    let place = |name: &str| home.path(name).to_string_lossy().into_owned();
    check(&home, &["export", "1", "--to", "csv", "-o", &place("csv")]);
    check(&home, &["plot", "1", "-o", &place("svg")]);
    let html = place("compare.html");
    check_as(&home, "export_of_runs", &["export", "1", "2", "--to", "html", "-o", &html]);
    let words = place("csv/topic_words.csv");
    home.succeeds(&["label", "1", "0", "stars"]);
    check(&home, &["label", "1", "0", "planets"]);
    check(&home, &["import", &words, "--corpus", "subjects", "--from", "topics-csv"]);
    let vectors = home.subject_vectors("vectors.npy");
    let import = ["import", &vectors, "--corpus", "subjects", "--from", "embeddings"];
    check_as(&home, "import_of_vectors", &import);

    check(&home, &["shard", "subjects", "--parts", "2", "--into", &place("parts")]);
    let parts = [place("parts/part-0.db"), place("parts/part-1.db")];
    let whole = place("whole.db");
    let unify = ["unify", "--store", &whole, "--corpus", "subjects", &parts[0], &parts[1]];
    check(&home, &unify);
    // Most documents have no word of so small a vocabulary.
    check_as(&home, "run_with_warnings", &["run", "subjects", "-k", "4", "--terms", "12"]);
}

#[test]
fn what_commands_print_of_runs_that_stop_and_go_on_has_the_same_names_and_types() {
    let home = Home::with_subjects();
    let endless = ["run", "subjects", "-k", "8", "--iterations", "10000", "--detach"];
    home.succeeds(&endless);
    home.wait_for("SELECT pid FROM run_lease WHERE run_id = 1");
    check_as(&home, "queue_of_runs", &["queue"]);
    check(&home, &["cancel", "1"]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
    let mut resumed = None;
    home.wait_until("its worker has ended, and the run goes on", || {
        let command = ["resume", "1", "--detach", "--output", "json"];
        let output = home.command(&command).output().expect("resume");
        resumed = output.status.success().then_some(output.stdout);
        resumed.is_some()
    });
    let resumed = resumed.and_then(|json| serde_json::from_slice(&json).ok());
    let mut resumed: Value = resumed.expect("JSON");
    // Its worker may be at work already.
    resumed["stages"] = Value::Array(Vec::new());
    hold("resume", &resumed);
    home.succeeds(&["cancel", "1"]);
    home.wait_for("SELECT 1 FROM run WHERE status = 'cancelled'");
    check_as(
        &home,
        "delete_documents",
        &["delete", "documents", "subjects", "--key", "astronomy-01", "--yes"],
    );
    check_as(
        &home,
        "delete_dry_run",
        &["delete", "documents", "subjects", "--where", "tokens > 0", "--dry-run"],
    );
}

#[test]
fn what_commands_print_of_known_and_deleted_corpora_has_the_same_names_and_types() {
    let home = Home::new();
    let synth = |documents| {
        let into = home.path(documents).to_string_lossy().into_owned();
        let sizes = ["--documents", documents, "--words", "60", "-k", "3", "--tokens", "40"];
        check(&home, &[&["synth", "lda", "--into", &into][..], &sizes].concat());
        home.succeeds(&["ingest", "known", &format!("{into}/docword.lda.txt")]);
        format!("{into}/truth.lda.csv")
    };
    let truth = synth("1000");
    home.succeeds(&["run", "known", "-k", "3"]);
    synth("1100");
    check(&home, &["assign", "1"]);
    check(&home, &["update", "1"]);
    let of = |documents: &str| {
        home.path(documents).join("docword.lda.txt").to_string_lossy().into_owned()
    };
    check_as(&home, "nightly_up_to_date", &["nightly", "known", &of("1100")]);
    let sizes = ["--documents", "1150", "--words", "60", "-k", "3", "--tokens", "40"];
    let into = home.path("1150").to_string_lossy().into_owned();
    home.succeeds(&[&["synth", "lda", "--into", &into][..], &sizes].concat());
    check(&home, &["nightly", "known", &of("1150")]);
    check_as(&home, "compare_with_truth", &["compare", "1", "--truth", &truth]);
    check(&home, &["delete", "1", "--yes"]);
    check_as(&home, "delete_corpus", &["delete", "known", "--yes"]);
}
