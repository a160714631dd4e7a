//! `compare --truth`.

use crate::shown::shown;
use std::path::Path;
use topoi_store::id::{RunId, TopicNumber};

use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::records::column::columns;
use topoi_run::saved::known_topics::KnownTopics;
use topoi_run::saved::truth::{TruthComparison, compare_with_truth};
use topoi_store::Store;

/// Number of words that describe a topic in a line of the table.
const WORDS: usize = 5;

/// A true topic and a run's; one of them may be missing.
struct Pair {
    run: RunId,
    true_topic: Option<TopicNumber>,
    topic: Option<TopicNumber>,
    l1_error: Option<f64>,
    overlap: Option<f64>,
    true_words: Option<String>,
    words: Option<String>,
}

/// The mean errors of a run.
struct RunRow {
    run: RunId,
    model: String,
    k: u64,
    true_topics: u64,
    matched: usize,
    l1_error: f64,
    worst_l1_error: f64,
    overlap: f64,
    missing_words: u64,
}

/// Compares runs with the truth: a table has a line per topic and a line per run, CSV a line per topic, JSON
/// everything.
pub fn compare(
    store: &Store,
    truth: &Path,
    runs: &[RunId],
    format: OutputFormat,
) -> anyhow::Result<()> {
    let truth = KnownTopics::read(truth)?;
    let found: Vec<TruthComparison> =
        runs.iter().map(|&run| compare_with_truth(store, run, &truth)).collect::<Result<_, _>>()?;
    let columns = columns!(Pair: run, true_topic, topic, l1_error, overlap, true_words, words);
    match format {
        OutputFormat::Json | OutputFormat::JsonLines => Ok(print_json(&found, format)?),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            Ok(print_list(&columns, &pairs(&found, usize::MAX), format)?)
        }
        OutputFormat::Table => {
            print_list(&columns, &pairs(&found, WORDS), format)?;
            print(&shown!("\n"))?;
            print_runs(&found, format)
        }
    }
}

/// A line for every true topic of every run, and for unmatched topics of the run.
fn pairs(found: &[TruthComparison], words: usize) -> Vec<Pair> {
    let line =
        |list: &[String]| Some(list.iter().take(words).cloned().collect::<Vec<_>>().join(" "));
    let mut pairs = Vec::new();
    for run in found {
        let none = || Pair {
            run: run.run,
            true_topic: None,
            topic: None,
            l1_error: None,
            overlap: None,
            true_words: None,
            words: None,
        };
        pairs.extend(run.topics.iter().map(|topic| Pair {
            run: run.run,
            true_topic: Some(topic.true_topic),
            topic: Some(topic.topic),
            l1_error: Some(topic.l1_error),
            overlap: Some(topic.overlap),
            true_words: line(&topic.true_words),
            words: line(&topic.words),
        }));
        let of_truth = |&topic: &TopicNumber| Pair { true_topic: Some(topic), ..none() };
        let of_run = |&topic: &TopicNumber| Pair { topic: Some(topic), ..none() };
        pairs.extend(run.only_true.iter().map(of_truth));
        pairs.extend(run.only_run.iter().map(of_run));
    }
    pairs
}

fn print_runs(found: &[TruthComparison], format: OutputFormat) -> anyhow::Result<()> {
    let row = |run: &TruthComparison| RunRow {
        run: run.run,
        model: run.model.clone(),
        k: run.k,
        true_topics: run.true_topics,
        matched: run.topics.len(),
        l1_error: run.l1_error,
        worst_l1_error: run.topics.iter().map(|topic| topic.l1_error).fold(0.0, f64::max),
        overlap: run.topics.iter().map(|topic| topic.overlap).sum::<f64>()
            / run.topics.len() as f64,
        missing_words: run.missing_words,
    };
    let rows: Vec<RunRow> = found.iter().map(row).collect();
    let columns = columns!(
        RunRow: run, model, k, true_topics, matched, l1_error, worst_l1_error, overlap, missing_words
    );
    Ok(print_list(&columns, &rows, format)?)
}
