//! `compare --truth`.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::CompareArgs;
use super::output::{OutputFormat, Table, print, print_json};
use topoi::run::saved::known_topics::KnownTopics;
use topoi::run::saved::truth::{TruthComparison, compare_with_truth};
use topoi::store::{Access, Store};

/// Words of a topic that tell it in a line of the table.
const WORDS: usize = 5;

/// Compares runs with the truth: as a table a line a topic and a line a run;
/// as CSV a line a topic, as JSON everything.
///
/// # Errors
/// When the truth cannot be read, a run cannot be compared with it, or standard output cannot be
/// written.
pub fn compare(path: &Path, truth: &Path, args: &CompareArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let truth = KnownTopics::read(truth)?;
    let runs = args.runs.iter();
    let found: Vec<TruthComparison> =
        runs.map(|&run| compare_with_truth(&store, run, &truth)).collect::<Result<_, _>>()?;
    match args.printing.output {
        OutputFormat::Json => Ok(print_json(&serde_json::to_value(&found)?)?),
        OutputFormat::Csv => Ok(topic_table(&found, usize::MAX).print(OutputFormat::Csv)?),
        OutputFormat::Table => {
            topic_table(&found, WORDS).print(OutputFormat::Table)?;
            print("\n")?;
            Ok(run_table(&found).print(OutputFormat::Table)?)
        }
    }
}

/// A line for every true topic of every run, and for topics of the run that are left alone.
fn topic_table(found: &[TruthComparison], words: usize) -> Table {
    let columns = ["run", "true_topic", "topic", "l1_error", "overlap", "true_words", "words"];
    let mut table = Table::new(&columns);
    let line = |list: &[String]| {
        Value::String(list.iter().take(words).map(String::as_str).collect::<Vec<_>>().join(" "))
    };
    for run in found {
        let alone = |true_topic: Value, topic: Value| {
            let mut row = vec![json!(run.run), true_topic, topic];
            row.resize(columns.len(), Value::Null);
            row
        };
        table.rows.extend(run.topics.iter().map(|topic| {
            vec![
                json!(run.run),
                json!(topic.true_topic),
                json!(topic.topic),
                json!(topic.l1_error),
                json!(topic.overlap),
                line(&topic.true_words),
                line(&topic.words),
            ]
        }));
        table.rows.extend(run.only_true.iter().map(|&topic| alone(json!(topic), Value::Null)));
        table.rows.extend(run.only_run.iter().map(|&topic| alone(Value::Null, json!(topic))));
    }
    table
}

/// A line for every run.
fn run_table(found: &[TruthComparison]) -> Table {
    let columns = [
        "run",
        "model",
        "k",
        "true_topics",
        "matched",
        "l1_error",
        "worst_l1_error",
        "overlap",
        "missing_words",
    ];
    let mut table = Table::new(&columns);
    for run in found {
        let worst = run.topics.iter().map(|topic| topic.l1_error).fold(0.0, f64::max);
        let overlap = run.topics.iter().map(|topic| topic.overlap).sum::<f64>();
        table.rows.push(vec![
            json!(run.run),
            json!(run.model),
            json!(run.k),
            json!(run.true_topics),
            json!(run.topics.len()),
            json!(run.l1_error),
            json!(worst),
            json!(overlap / run.topics.len() as f64),
            json!(run.missing_words),
        ]);
    }
    table
}
