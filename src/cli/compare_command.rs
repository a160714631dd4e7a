//! `compare`.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::CompareArgs;
use super::output::{OutputFormat, Table, four_digits, print, print_json};
use topoi::run::saved::align::Alignment;
use topoi::run::saved::compare::{ComparedRun, Comparer, Comparison, WEAK, exchange};
use topoi::store::result::topic::Topic;
use topoi::store::{Access, Store};

/// Words of a topic that tell it in a line of the table.
const WORDS: usize = 5;

/// Compares runs: as a table the matched topics and the metrics, as CSV one of the two, as JSON
/// everything.
///
/// # Errors
/// When the runs cannot be compared or standard output cannot be written.
pub fn compare(path: &Path, args: &CompareArgs) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let found = Comparer::default().compare(&store, &args.runs)?;
    match args.printing.output {
        OutputFormat::Json => Ok(print_json(&serde_json::to_value(&found)?)?),
        format if args.metrics => Ok(metric_table(&found).print(format)?),
        OutputFormat::Csv => Ok(topic_table(&found, usize::MAX).print(OutputFormat::Csv)?),
        OutputFormat::Table => {
            let mut table = topic_table(&found, WORDS);
            let has_weak = mark_weak(&mut table);
            table.print(OutputFormat::Table)?;
            if has_weak {
                print(&format!("? below {WEAK}: a pair only because nothing better was left\n"))?;
            }
            print("\n")?;
            Ok(metric_table(&found).print(OutputFormat::Table)?)
        }
    }
}

/// Where the similarity is among the columns.
const SIMILARITY: usize = 4;

/// Puts a question mark after the similarity of weak pairs; whether there are any.
fn mark_weak(table: &mut Table) -> bool {
    let is_weak = |row: &Vec<Value>| row[SIMILARITY].as_f64().is_some_and(|s| s < WEAK);
    if !table.rows.iter().any(is_weak) {
        return false;
    }
    for row in &mut table.rows {
        let mark = if is_weak(row) { "?" } else { " " };
        let marked = |similarity: f64| json!(format!("{}{mark}", four_digits(similarity)));
        row[SIMILARITY] = row[SIMILARITY].as_f64().map_or(Value::Null, marked);
    }
    true
}

/// A line for every topic of the first run in every alignment, and for those left alone.
fn topic_table(found: &Comparison, words: usize) -> Table {
    let columns = [
        "run",
        "topic",
        "other_run",
        "other_topic",
        "similarity",
        "label",
        "words",
        "gained",
        "lost",
    ];
    let mut table = Table::new(&columns);
    let Some((first, others)) = found.runs.split_first() else { return table };
    for (alignment, other) in found.alignments.iter().zip(others) {
        table.rows.extend(pairs(first, other, alignment, words));
        table.rows.extend(alone(first, other, alignment, words));
    }
    table
}

fn pairs(
    first: &ComparedRun,
    other: &ComparedRun,
    alignment: &Alignment,
    words: usize,
) -> Vec<Vec<Value>> {
    let line = |&(a, b, similarity): &(u64, u64, f64)| {
        let (one, two): (&Topic, &Topic) =
            (first.topics.get(a as usize)?, other.topics.get(b as usize)?);
        let exchange = exchange(one, two);
        Some(vec![
            json!(first.run.id),
            json!(a),
            json!(other.run.id),
            json!(b),
            json!(similarity),
            json!(one.label.as_ref().or(two.label.as_ref())),
            in_one_line(one.words.iter().map(|word| word.word.as_str()), words),
            in_one_line(exchange.gained.into_iter(), words),
            in_one_line(exchange.lost.into_iter(), words),
        ])
    };
    alignment.pairs.iter().filter_map(line).collect()
}

/// Topics of either run without a match.
fn alone(
    first: &ComparedRun,
    other: &ComparedRun,
    alignment: &Alignment,
    words: usize,
) -> Vec<Vec<Value>> {
    let of = |run: &ComparedRun, number: u64, is_first: bool| {
        let topic = run.topics.get(number as usize)?;
        let line = in_one_line(topic.words.iter().map(|word| word.word.as_str()), words);
        let numbers =
            [is_first, !is_first].map(|here| if here { json!(number) } else { Value::Null });
        let words = [is_first, !is_first].map(|here| if here { line.clone() } else { Value::Null });
        let ([topic_of_first, topic_of_other], [words, gained]) = (numbers, words);
        Some(vec![
            json!(first.run.id),
            topic_of_first,
            json!(other.run.id),
            topic_of_other,
            Value::Null,
            json!(topic.label),
            words,
            gained,
            Value::Null,
        ])
    };
    let of_first = alignment.only_first.iter().filter_map(|&number| of(first, number, true));
    let of_other = alignment.only_other.iter().filter_map(|&number| of(other, number, false));
    of_first.chain(of_other).collect()
}

fn in_one_line<'a>(words: impl Iterator<Item = &'a str>, count: usize) -> Value {
    Value::String(words.take(count).collect::<Vec<_>>().join(" "))
}

/// A line for every metric, with the best run's number.
fn metric_table(found: &Comparison) -> Table {
    let runs: Vec<String> = found.runs.iter().map(|run| format!("run {}", run.run.id)).collect();
    let mut columns = vec!["metric"];
    columns.extend(runs.iter().map(String::as_str));
    columns.push("better");
    let mut table = Table::new(&columns);
    for metric in &found.metrics {
        let mut row = vec![json!(metric.name)];
        row.extend(metric.values.iter().map(|value| json!(value)));
        row.push(metric.best.map_or(Value::Null, |best| json!(runs[best])));
        table.rows.push(row);
    }
    table
}
