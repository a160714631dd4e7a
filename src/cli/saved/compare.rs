//! `compare`.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::truth;
use crate::cli::arguments::Printing;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::records::numbers::four_digits;
use topoi::run::saved::align::Alignment;
use topoi::run::saved::compare::{
    ComparedMetric, ComparedRun, Comparer, Comparison, WEAK, exchange,
};
use topoi::store::Access;
use topoi::store::result::topic::Topic;

/// Compare runs: topics matched, words gained and lost, metrics side by side; or with the truth
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Two or more runs' numbers; the topics of all are matched with those of the first, by the
    /// cosine of their word probabilities. With --truth, one is enough
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<i64>,
    /// Only the metrics
    #[arg(long)]
    metrics: bool,
    /// Match the topics of every run with the true ones in this file, truth.NAME.csv of `topoi
    /// synth` (topic,term,probability), so that the sum of the l1 distances is smallest
    #[arg(long, value_name = "FILE", conflicts_with = "metrics")]
    truth: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

/// Words of a topic that tell it in a line of the table.
const WORDS: usize = 5;

/// A pair of matched topics, or a topic without a match.
struct Pair {
    run: i64,
    topic: Option<u64>,
    other_run: i64,
    other_topic: Option<u64>,
    similarity: Option<f64>,
    label: Option<String>,
    words: Option<String>,
    gained: Option<String>,
    lost: Option<String>,
}

/// Compares runs: as a table the matched topics and the metrics, as CSV one of the two, as JSON
/// everything.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let format = args.printing.output;
    if let Some(file) = &args.truth {
        return truth::compare(&store, file, &args.runs, format);
    }
    let found = Comparer::default().compare(&store, &args.runs)?;
    match format {
        OutputFormat::Json => Ok(print_json(&found)?),
        format if args.metrics => print_metrics(&found, format),
        OutputFormat::Csv => Ok(print_list(&columns(), &pairs(&found, usize::MAX), format)?),
        OutputFormat::Table => {
            let pairs = pairs(&found, WORDS);
            let has_weak = pairs.iter().any(Pair::is_weak);
            let mut columns = columns();
            if has_weak {
                columns = columns.into_iter().map(marked).collect();
            }
            print_list(&columns, &pairs, format)?;
            if has_weak {
                print(&format!("? below {WEAK}: a pair only because nothing better was left\n"))?;
            }
            print("\n")?;
            print_metrics(&found, format)
        }
    }
}

fn columns() -> Vec<Column<Pair>> {
    columns!(
        Pair: run, topic, other_run, other_topic, similarity, label, words, gained, lost
    )
}

/// The similarity of weak pairs has a question mark.
fn marked(column: Column<Pair>) -> Column<Pair> {
    if column.name != "similarity" {
        return column;
    }
    column.printed_as(|pair| {
        let mark = if pair.is_weak() { "?" } else { " " };
        pair.similarity.map(|s| format!("{}{mark}", four_digits(s))).unwrap_or_default()
    })
}

/// A line for every topic of the first run in every alignment, and for those left alone.
fn pairs(found: &Comparison, words: usize) -> Vec<Pair> {
    let Some((first, others)) = found.runs.split_first() else { return Vec::new() };
    let of = |(alignment, other)| {
        let mut pairs = matched(first, other, alignment, words);
        pairs.extend(alone(first, other, alignment, words));
        pairs
    };
    found.alignments.iter().zip(others).flat_map(of).collect()
}

impl Pair {
    fn is_weak(&self) -> bool {
        self.similarity.is_some_and(|similarity| similarity < WEAK)
    }
}

fn matched(
    first: &ComparedRun,
    other: &ComparedRun,
    alignment: &Alignment,
    words: usize,
) -> Vec<Pair> {
    let pair = |&(a, b, similarity): &(u64, u64, f64)| {
        let (one, two): (&Topic, &Topic) =
            (first.topics.get(a as usize)?, other.topics.get(b as usize)?);
        let exchange = exchange(one, two);
        Some(Pair {
            run: first.run.id,
            topic: Some(a),
            other_run: other.run.id,
            other_topic: Some(b),
            similarity: Some(similarity),
            label: one.label.as_ref().or(two.label.as_ref()).cloned(),
            words: Some(words_of(one, words)),
            gained: Some(in_one_line(exchange.gained.into_iter(), words)),
            lost: Some(in_one_line(exchange.lost.into_iter(), words)),
        })
    };
    alignment.pairs.iter().filter_map(pair).collect()
}

/// Topics of either run without a match.
fn alone(
    first: &ComparedRun,
    other: &ComparedRun,
    alignment: &Alignment,
    words: usize,
) -> Vec<Pair> {
    let none = || Pair {
        run: first.run.id,
        topic: None,
        other_run: other.run.id,
        other_topic: None,
        similarity: None,
        label: None,
        words: None,
        gained: None,
        lost: None,
    };
    let of_first = |&number: &u64| {
        let topic = first.topics.get(number as usize)?;
        let (label, words) = (topic.label.clone(), Some(words_of(topic, words)));
        Some(Pair { topic: Some(number), label, words, ..none() })
    };
    let of_other = |&number: &u64| {
        let topic = other.topics.get(number as usize)?;
        let (label, gained) = (topic.label.clone(), Some(words_of(topic, words)));
        Some(Pair { other_topic: Some(number), label, gained, ..none() })
    };
    let of_first = alignment.only_first.iter().filter_map(of_first);
    of_first.chain(alignment.only_other.iter().filter_map(of_other)).collect()
}

fn words_of(topic: &Topic, count: usize) -> String {
    in_one_line(topic.words.iter().map(|word| word.word.as_str()), count)
}

fn in_one_line<'a>(words: impl Iterator<Item = &'a str>, count: usize) -> String {
    words.take(count).collect::<Vec<_>>().join(" ")
}

/// A line for every metric, with the best run's number.
fn print_metrics(found: &Comparison, format: OutputFormat) -> anyhow::Result<()> {
    let names: Vec<String> = found.runs.iter().map(|run| format!("run {}", run.run.id)).collect();
    let mut columns =
        vec![Column::new("metric", Kind::Text, |row: &ComparedMetric| json!(row.name))];
    columns.extend(names.iter().enumerate().map(|(at, name)| {
        Column::new(name.clone(), Kind::Measure, move |row: &ComparedMetric| json!(row.values[at]))
    }));
    columns.push(Column::new("better", Kind::Text, move |row: &ComparedMetric| {
        row.best.map_or(Value::Null, |best| json!(names[best]))
    }));
    Ok(print_list(&columns, &found.metrics, format)?)
}
